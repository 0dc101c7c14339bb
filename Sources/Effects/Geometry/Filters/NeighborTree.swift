internal import DepthMaps

/// A k-d tree over points, for finding the nearest points of each.
///
/// Points are sorted into the order of the tree: every node is a range, split at its median along its longest side; ranges of
/// up to ``leafSize`` are leaves.
struct NeighborTree: Sendable {
    private static let leafSize = 12

    /// The points in the tree's order.
    let points: [SIMD3<Float>]
    /// The original index of each of them.
    let order: [Int32]
    private let nodes: [Node]

    private struct Node: Sendable {
        var axis: Int32
        var value: Float
        /// The node for coordinates of at least ``value``; the other one follows this node. 0 in a leaf.
        var upper: Int32
        var start: Int32
        var end: Int32
    }

    init(_ points: [SIMD3<Float>]) {
        var order = (0..<Int32(points.count)).map { $0 }
        var nodes: [Node] = []
        Self.build(points, &order, 0..<points.count, &nodes)
        self.points = order.map { points[Int($0)] }
        self.order = order
        self.nodes = nodes
    }

    private static func build(
        _ points: [SIMD3<Float>], _ order: inout [Int32], _ range: Range<Int>, _ nodes: inout [Node]
    ) {
        let index = nodes.count
        nodes.append(
            Node(axis: 0, value: 0, upper: 0, start: Int32(range.lowerBound), end: Int32(range.upperBound)))
        guard range.count > leafSize else { return }
        var bounds = CloudBounds()
        for place in range { bounds.add(points[Int(order[place])]) }
        let extent = bounds.maximum - bounds.minimum
        let axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2
        let middle = range.lowerBound + range.count / 2
        partition(points, &order, range, around: middle, axis)
        nodes[index].axis = Int32(axis)
        nodes[index].value = points[Int(order[middle])][axis]
        build(points, &order, range.lowerBound..<middle, &nodes)
        nodes[index].upper = Int32(nodes.count)
        build(points, &order, middle..<range.upperBound, &nodes)
    }

    /// Moves the element of rank `middle` there, with no greater one before it and no smaller one after (Hoare's selection).
    private static func partition(
        _ points: [SIMD3<Float>], _ order: inout [Int32], _ range: Range<Int>, around middle: Int, _ axis: Int
    ) {
        var (low, high) = (range.lowerBound, range.upperBound - 1)
        while low < high {
            let pivot = points[Int(order[(low + high) / 2])][axis]
            var (i, j) = (low, high)
            while i <= j {
                while points[Int(order[i])][axis] < pivot { i += 1 }
                while points[Int(order[j])][axis] > pivot { j -= 1 }
                if i <= j {
                    order.swapAt(i, j)
                    i += 1
                    j -= 1
                }
            }
            if middle <= j { high = j } else if middle >= i { low = i } else { return }
        }
    }

    /// The mean distance of each point, in the tree's order, to its `count` nearest, itself included.
    func meanDistances(toNearest count: Int) -> [Float] {
        let count = min(count, points.count)
        return parallelMapRows(width: 1, height: points.count, minimum: 4096) { places, output in
            var nearest = NearestSquares(count: count)
            for place in places {
                nearest.reset()
                search(0, points[place], &nearest)
                output[place - places.lowerBound] = nearest.meanDistance
            }
        }
    }

    private func search(_ index: Int, _ point: SIMD3<Float>, _ nearest: inout NearestSquares) {
        let node = nodes[index]
        guard node.upper > 0 else {
            for place in Int(node.start)..<Int(node.end) {
                let offset = points[place] - point
                nearest.offer((offset * offset).sum())
            }
            return
        }
        let distance = point[Int(node.axis)] - node.value
        let (first, second) = distance < 0 ? (index + 1, Int(node.upper)) : (Int(node.upper), index + 1)
        search(first, point, &nearest)
        if distance * distance < nearest.worst { search(second, point, &nearest) }
    }
}

/// The smallest of some squared distances, in order.
private struct NearestSquares {
    private var squares: [Float]

    init(count: Int) { squares = [Float](repeating: .infinity, count: count) }

    var worst: Float { squares[squares.count - 1] }

    mutating func reset() {
        for index in squares.indices { squares[index] = .infinity }
    }

    mutating func offer(_ square: Float) {
        guard square < worst else { return }
        var place = squares.count - 1
        while place > 0, squares[place - 1] > square {
            squares[place] = squares[place - 1]
            place -= 1
        }
        squares[place] = square
    }

    var meanDistance: Float {
        var sum = 0.0
        for square in squares { sum += Double(square.squareRoot()) }
        return Float(sum / Double(squares.count))
    }
}
