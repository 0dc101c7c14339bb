internal import DepthMaps
package import DepthTypes

/// Poses that measured motions between pairs of them connect, and the most probable poses given all motions.
///
/// Minimizes Σ eᵀ·Ω·e by Gauss-Newton, with e = log((Tᵢ⁻¹·Tⱼ)·Tᵢⱼ⁻¹) for the measured pose Tᵢⱼ of j in the camera i, and its
/// information Ω. Each step is solved by conjugate gradients, so memory and time grow with the number of motions.
package struct PoseGraph {
    /// A measured motion.
    private struct Edge {
        let first: Int
        let second: Int
        let pose: CameraPose
        let information: Matrix6
        /// Whether it may be wrong, and counts less when others contradict it.
        let isDoubtful: Bool
    }

    /// The poses, in the world of the first.
    package private(set) var poses: [CameraPose] = []
    private var edges: [Edge] = []

    package init() {}

    /// Adds a pose, and returns its index.
    package mutating func add(_ pose: CameraPose) -> Int {
        poses.append(pose)
        return poses.count - 1
    }

    /// Adds the measured pose of `second` in the camera of `first`, with its information for small motions applied after it.
    ///
    /// A doubtful one counts less the more the others contradict it (Cauchy's weights).
    package mutating func connect(
        _ first: Int, _ second: Int, _ pose: CameraPose, _ information: Matrix6, isDoubtful: Bool
    ) {
        edges.append(
            Edge(
                first: first, second: second, pose: pose, information: information, isDoubtful: isDoubtful))
    }

    /// Moves a pose to another world, in which the present one is at the pose `world`.
    package mutating func move(_ index: Int, by world: CameraPose) {
        poses[index] = world.appending(poses[index])
    }

    /// The standard deviations of the positions of some poses in the worlds of fixed ones. They are larger if the motions contradict
    /// each other more than their information says.
    package func positionDeviations(of indices: [Int], fixing fixed: Set<Int> = [0]) -> [Double] {
        let linear = edges.map { LinearEdge($0, poses) }
        let redundancy = 6 * (edges.count - poses.count + fixed.count)
        let squares = linear.reduce(0) { $0 + $1.information.quadratic($1.error) }
        let factor = redundancy > 0 ? max(1, squares / Double(redundancy)) : 1
        return indices.map { index in
            // The columns of the inverse of the system's matrix are covariances.
            let variance = (0..<3).reduce(0) { sum, axis in
                var column = [Twist](repeating: .zero, count: poses.count)
                column[index][axis] = 1
                return sum + solve(linear, column, fixed: fixed)[index][axis]
            }
            return max(0, variance * factor).squareRoot()
        }
    }

    /// Moves the poses to where they agree best with all motions; one stays of those that motions connect.
    package mutating func optimize(fixing fixed: Set<Int> = [0]) {
        for _ in 0..<Self.steps {
            let linear = edges.map { LinearEdge($0, poses) }
            var rest = [Twist](repeating: .zero, count: poses.count)
            for edge in linear { edge.addTransposed(edge.information * edge.error * -1, to: &rest) }
            let step = solve(linear, rest, fixed: fixed)
            var largest = 0.0
            for index in poses.indices where !fixed.contains(index) {
                poses[index] = poses[index].appending(CameraPose(step[index])).orthonormal
                largest = max(largest, step[index].motion(at: 1))
            }
            if largest < 1e-6 { break }
        }
    }

    private static let steps = 8

    /// An edge at the current poses: e + Ad·δⱼ − δᵢ for local motions δ of both.
    private struct LinearEdge {
        let first: Int
        let second: Int
        let error: Twist
        let motion: CameraPose
        let information: Matrix6

        init(_ edge: Edge, _ poses: [CameraPose]) {
            (first, second) = (edge.first, edge.second)
            motion = poses[first].inverse.appending(poses[second])
            error = motion.appending(edge.pose.inverse).twist
            // The edges are independent with six degrees of freedom, so that the expected square is 6.
            let weight = edge.isDoubtful ? 1 / (1 + edge.information.quadratic(error) / 12) : 1
            information = edge.information * weight
        }

        /// Ad·δⱼ − δᵢ.
        func apply(_ motions: [Twist]) -> Twist { motion.adjoint(motions[second]) - motions[first] }

        /// Adds Jᵀ·column.
        func addTransposed(_ column: Twist, to sums: inout [Twist]) {
            sums[first] -= column
            sums[second] += motion.adjointTransposed(column)
        }

        /// Adᵀ·Ω·Ad.
        var secondBlock: Matrix6 {
            var block = Matrix6()
            for column in 0..<6 {
                var unit = Twist.zero
                unit[column] = 1
                let values = motion.adjointTransposed(information * motion.adjoint(unit))
                for row in 0..<6 { block[row, column] = values[row] }
            }
            return block
        }
    }

    /// Conjugate gradients, preconditioned by the diagonal blocks (Saad, Iterative Methods, algorithm 9.1).
    private func solve(_ edges: [LinearEdge], _ column: [Twist], fixed: Set<Int>) -> [Twist] {
        let count = poses.count
        let others = poses.indices.filter { !fixed.contains($0) }
        var blocks = [Matrix6](repeating: Matrix6(), count: count)
        for edge in edges {
            blocks[edge.first] += edge.information
            blocks[edge.second] += edge.secondBlock
        }
        let factors = blocks.map { Cholesky6($0) }
        func conditioned(_ column: [Twist]) -> [Twist] {
            column.indices.map { fixed.contains($0) ? .zero : factors[$0]?.solved(column[$0]) ?? .zero }
        }
        func dot(_ left: [Twist], _ right: [Twist]) -> Double {
            others.reduce(0) { $0 + (left[$1] * right[$1]).sum() }
        }
        var rest = column
        var result = [Twist](repeating: .zero, count: count)
        var scaled = conditioned(rest)
        var direction = scaled
        var product = dot(rest, scaled)
        let end = product * 1e-16
        for _ in 0..<6 * count where product > end {
            var image = [Twist](repeating: .zero, count: count)
            for edge in edges { edge.addTransposed(edge.information * edge.apply(direction), to: &image) }
            let length = product / dot(direction, image)
            guard length.isFinite else { break }
            for index in others {
                result[index] += direction[index] * length
                rest[index] -= image[index] * length
            }
            scaled = conditioned(rest)
            let next = dot(rest, scaled)
            for index in others { direction[index] = scaled[index] + direction[index] * (next / product) }
            product = next
        }
        return result
    }
}

extension CameraPose {
    /// Ad·ξ: the motion ξ in this pose's camera, as one in its world: (R·τ + t × R·ω, R·ω).
    fileprivate func adjoint(_ twist: Twist) -> Twist {
        let omega = turned(SIMD3(twist[3], twist[4], twist[5]))
        let tau = turned(SIMD3(twist[0], twist[1], twist[2])) + position.cross(omega)
        return Twist(tau.x, tau.y, tau.z, omega.x, omega.y, omega.z, 0, 0)
    }

    /// Adᵀ·ξ.
    fileprivate func adjointTransposed(_ twist: Twist) -> Twist {
        let tau = SIMD3(twist[0], twist[1], twist[2])
        let moment = SIMD3(twist[3], twist[4], twist[5]) + tau.cross(position)
        let (first, second) = (turnedBack(tau), turnedBack(moment))
        return Twist(first.x, first.y, first.z, second.x, second.y, second.z, 0, 0)
    }
}
