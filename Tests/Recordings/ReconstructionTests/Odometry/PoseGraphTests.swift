import DepthTypes
import Glibc
import Testing

@testable import Reconstruction

@Suite("Pose graphs")
struct PoseGraphTests {
    /// A ring of poses with 2 % too much of every motion, and a wrong heading.
    private static func ring(_ count: Int, closes: Bool) -> (graph: PoseGraph, truth: [CameraPose]) {
        let truth = (0..<count).map { index in
            let angle = 2 * Double.pi * Double(index) / Double(count)
            return CameraPose.looking(angle, from: SIMD3(sin(angle), 0, 1 - cos(angle)))
        }
        var graph = PoseGraph()
        _ = graph.add(.identity)
        let drift = CameraPose(Twist(0.004, 0.001, -0.002, 0.001, 0.006, 0, 0, 0))
        for index in 1..<count {
            let motion = truth[index - 1].inverse.appending(truth[index]).appending(drift)
            _ = graph.add(graph.poses[index - 1].appending(motion))
            graph.connect(index - 1, index, motion, information(1), isDoubtful: false)
        }
        if closes {
            graph.connect(0, count - 1, truth[count - 1], information(4), isDoubtful: true)
        }
        return (graph, truth)
    }

    /// A standard deviation of 1 cm and 10 mrad, and less by a factor.
    private static func information(_ factor: Double) -> Matrix6 {
        var matrix = Matrix6()
        for index in 0..<6 { matrix[index, index] = 1e4 * factor }
        return matrix
    }

    @Test("A loop spreads the drift over all motions")
    func closed() {
        var (graph, truth) = Self.ring(30, closes: true)
        let before = graph.poses[29].distance(to: truth[29])
        graph.optimize()
        #expect(before > 0.1)
        #expect(graph.poses[29].distance(to: truth[29]) < 0.02 * before)
        let rest = zip(graph.poses, truth).map { $0.distance(to: $1) }.max() ?? 1
        #expect(rest < 0.5 * before)
        #expect(graph.poses[0] == .identity)
    }

    @Test("Motions that agree leave the poses where they are")
    func open() {
        var (graph, _) = Self.ring(10, closes: false)
        let before = graph.poses
        graph.optimize()
        for (old, new) in zip(before, graph.poses) { #expect(old.distance(to: new) < 1e-9) }
    }

    @Test("One wrong doubtful motion hardly changes anything")
    func wrong() {
        var (graph, truth) = Self.ring(30, closes: true)
        graph.optimize()
        let good = graph.poses[15]
        graph.connect(0, 15, truth[3], Self.information(1), isDoubtful: true)
        graph.optimize()
        #expect(graph.poses[15].distance(to: good) < 0.02)
    }

    /// Three positions in a row: measured steps of 1 m with variances 1 and 3, and 2.4 m for both. Least squares give a correction
    /// of 0.4 · 1/5 and 0.4 · 3/5, since the variances are 1, 3 and 1.
    @Test("Corrections are in proportion to variances")
    func variances() {
        var graph = PoseGraph()
        func moved(_ x: Double) -> CameraPose { .looking(0, from: SIMD3(x, 0, 0)) }
        for x in [0.0, 1, 2] { _ = graph.add(moved(x)) }
        graph.connect(0, 1, moved(1), Self.information(1), isDoubtful: false)
        graph.connect(1, 2, moved(1), Self.information(1.0 / 3), isDoubtful: false)
        graph.connect(0, 2, moved(2.4), Self.information(1), isDoubtful: false)
        graph.optimize()
        #expect(abs(graph.poses[1].position.x - 1.08) < 1e-6)
        #expect(abs(graph.poses[2].position.x - 2.32) < 1e-6)
    }

    /// Positions 1 m apart in a row. A motion adds 3σ² to the variance of a position, and 2σ²·l² by its turn, where the position is l
    /// away from the motion's start: 5σ² after one, and (3 + 3 + 2·4 + 2·1)σ² after two.
    @Test("Deviations of positions add up along a path, and are halved in square by a second one")
    func deviations() {
        var graph = PoseGraph()
        func moved(_ x: Double) -> CameraPose { .looking(0, from: SIMD3(x, 0, 0)) }
        for x in [0.0, 1, 2] { _ = graph.add(moved(x)) }
        for factor in [1.0, 2] {
            for index in 0..<2 {
                graph.connect(index, index + 1, moved(1), Self.information(1), isDoubtful: false)
            }
            let found = graph.positionDeviations(of: [0, 1, 2])
            for (value, square) in zip(found, [0.0, 5, 16]) {
                #expect(abs(value - 0.01 * (square / factor).squareRoot()) < 1e-6)
            }
        }
    }

    /// Two motions that are 4 cm apart: the mean is 2 cm off each, so that the sum of squares is 2·2² for 6 degrees of freedom.
    @Test("Motions that contradict each other have larger deviations")
    func contradiction() {
        var graph = PoseGraph()
        func moved(_ x: Double) -> CameraPose { .looking(0, from: SIMD3(x, 0, 0)) }
        for x in [0.0, 1] { _ = graph.add(moved(x)) }
        for x in [0.98, 1.02] { graph.connect(0, 1, moved(x), Self.information(1), isDoubtful: false) }
        let found = graph.positionDeviations(of: [1])
        #expect(abs(found[0] - 0.01 * (2.5 * 8 / 6).squareRoot()) < 1e-4)
    }
}
