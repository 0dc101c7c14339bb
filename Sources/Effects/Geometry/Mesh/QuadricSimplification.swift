internal import DepthMaps

/// Fewer triangles for any mesh: edges become points, those first that change the surface least (quadric error metrics).
///
/// In each pass, all edges below a limit of the error that do not touch a changed triangle collapse; the limit grows from pass to
/// pass. Vertices at a rim are also bound to planes across it, so that rims keep their shape.
package struct QuadricSimplification {
    private var points: [SIMD3<Double>]
    private var cloud: PointCloud
    private var quadrics: [Quadric]
    private var isRim: [Bool]
    private var corners: [SIMD3<Int32>]
    private var isRemoved: [Bool]
    private var isChanged: [Bool]
    private var count: Int
    private var fans = TriangleFans([], vertexCount: 0, isRemoved: [])
    /// The vertex that each vertex was joined with; its own number if it remains.
    private var heirs: [Int32]
    /// The last search that came to each vertex.
    private var marks: [Int32] = []
    private var mark: Int32 = 0

    private static let mostPasses = 60
    /// From pass to pass, the limit of the distance grows by this factor.
    private static let growth = 1.4
    /// A triangle may not turn by more than the angle of this cosine.
    private static let leastCosine = 0.3

    /// A mesh of at most `maximumCount` triangles, as long as that is possible without turning triangles over, with vertices within
    /// `tolerance` of the planes of the triangles they replace unless the number requires more. The same mesh if both are `nil`.
    ///
    /// The first pass allows a hundredth of `unit`, such as the distance of vertices. Also returns how
    /// far vertices of the mesh are from the new one.
    package static func simplified(
        _ mesh: TriangleMesh, within tolerance: Float?, maximumCount: Int?, unit: Float
    ) -> (mesh: TriangleMesh, error: MeshError) {
        let isSmall = maximumCount.map { mesh.triangles.count <= $0 } ?? true
        guard !isSmall || tolerance ?? 0 > 0 else { return (mesh, MeshError()) }
        var work = QuadricSimplification(mesh)
        let wasRim = work.isRim
        var limit = Double(unit) / 100
        if let tolerance { limit = min(limit, Double(tolerance)) }
        var used = 0.0
        for _ in 0..<mostPasses {
            let isEnough = maximumCount.map { work.count <= $0 } ?? true
            // Without a tolerance, as few passes as the number needs.
            if isEnough, tolerance.map({ used > Double($0) }) ?? true { break }
            let before = work.count
            work.pass(below: limit * limit, downTo: tolerance == nil ? maximumCount ?? 0 : 0)
            used = limit
            // At the tolerance, passes repeat until they change little.
            if let tolerance, limit >= Double(tolerance), isEnough || maximumCount == nil,
                before - work.count < before / 50
            {
                break
            }
            let isBound = tolerance.map { limit * growth > Double($0) && isEnough } ?? false
            limit = isBound ? Double(tolerance ?? 0) : limit * growth
        }
        return (work.result, work.error(of: mesh, wasRim))
    }

    private init(_ mesh: TriangleMesh) {
        cloud = mesh.vertices
        points = mesh.vertices.positions.map { SIMD3<Double>($0) }
        corners = mesh.triangles.map {
            SIMD3(Int32(bitPattern: $0.first), Int32(bitPattern: $0.second), Int32(bitPattern: $0.third))
        }
        count = corners.count
        isRemoved = [Bool](repeating: false, count: corners.count)
        isChanged = isRemoved
        quadrics = [Quadric](repeating: Quadric(), count: points.count)
        isRim = [Bool](repeating: false, count: points.count)
        marks = [Int32](repeating: 0, count: points.count)
        heirs = points.indices.map { Int32($0) }
        connect()
        for index in corners.indices {
            guard let normal = normal(corners[index]) else { continue }
            let plane = Quadric(through: point(corners[index].x), normal: normal)
            for corner in 0..<3 { quadrics[Int(corners[index][corner])] += plane }
        }
        for index in corners.indices { bindRims(of: index) }
    }

    private func point(_ vertex: Int32) -> SIMD3<Double> { points[Int(vertex)] }

    private func normal(_ corners: SIMD3<Int32>) -> SIMD3<Double>? {
        Self.normal(point(corners.x), point(corners.y), point(corners.z))
    }

    /// The unit normal of a triangle; `nil` if it has no area.
    private static func normal(
        _ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>
    ) -> SIMD3<Double>? {
        let product = (b - a).cross(c - a)
        let length = (product * product).sum().squareRoot()
        return length > 0 ? product / length : nil
    }

    /// Lists the triangles around each vertex.
    private mutating func connect() {
        fans = TriangleFans(corners, vertexCount: points.count, isRemoved: isRemoved)
    }

    /// The triangles around a vertex.
    private func triangles(_ vertex: Int32) -> ArraySlice<Int32> {
        fans[vertex]
    }

    /// How many triangles have an edge.
    private func triangleCount(_ first: Int32, _ second: Int32) -> Int {
        triangles(first).count { index in
            let triangle = corners[Int(index)]
            return !isRemoved[Int(index)]
                && (triangle.x == second || triangle.y == second || triangle.z == second)
        }
    }

    /// Adds planes across the edges of a triangle that no other one has.
    private mutating func bindRims(of index: Int) {
        let triangle = corners[index]
        let normal = normal(triangle)
        for corner in 0..<3 {
            let (first, second) = (triangle[corner], triangle[(corner + 1) % 3])
            guard triangleCount(first, second) != 2 else { continue }
            (isRim[Int(first)], isRim[Int(second)]) = (true, true)
            guard let normal else { continue }
            let across = (point(second) - point(first)).cross(normal)
            let length = (across * across).sum().squareRoot()
            guard length > 0 else { continue }
            let plane = Quadric(through: point(first), normal: across / length)
            quadrics[Int(first)] += plane
            quadrics[Int(second)] += plane
        }
    }

    /// Collapses edges whose error is below a limit, until so few triangles remain.
    private mutating func pass(below limit: Double, downTo least: Int) {
        connect()
        for index in isChanged.indices { isChanged[index] = false }
        for index in marks.indices { marks[index] = 0 }
        mark = 0
        for index in corners.indices where !isRemoved[index] && !isChanged[index] {
            guard count > least else { return }
            for corner in 0..<3 {
                let (first, second) = (corners[index][corner], corners[index][(corner + 1) % 3])
                guard let place = place(first, second, below: limit) else { continue }
                guard keepsShape(first, second, place), keepsShape(second, first, place),
                    keepsVertices(first, second), isSimple(first, second)
                else { continue }
                collapse(first, second, to: place)
                break
            }
        }
    }

    /// The best place for both ends of an edge; `nil` if its error reaches the limit, or if joining them closes a gap.
    private func place(_ first: Int32, _ second: Int32, below limit: Double) -> SIMD3<Double>? {
        // An edge across from rim to rim separates two parts of the surface.
        if isRim[Int(first)], isRim[Int(second)], triangleCount(first, second) != 1 { return nil }
        var sum = quadrics[Int(first)]
        sum += quadrics[Int(second)]
        let (a, b) = (point(first), point(second))
        var best: (place: SIMD3<Double>, error: Double)?
        func consider(_ place: SIMD3<Double>) {
            let error = sum.error(at: place)
            if error < best?.error ?? limit { best = (place, error) }
        }
        // A vertex of the rim stays where it is.
        if isRim[Int(first)] != isRim[Int(second)] {
            consider(isRim[Int(first)] ? a : b)
            return best?.place
        }
        let side = b - a
        let middle = (a + b) * 0.5
        consider(middle)
        consider(a)
        consider(b)
        guard best != nil, let minimum = sum.minimum else { return best?.place }
        let offset = minimum - middle
        if (offset * offset).sum() <= (side * side).sum() { consider(minimum) }
        return best?.place
    }

    /// Whether the triangles around a vertex keep their side when it moves. Those with `other` disappear. None may have changed in this
    /// pass.
    private func keepsShape(_ vertex: Int32, _ other: Int32, _ place: SIMD3<Double>) -> Bool {
        for index in triangles(vertex) where !isRemoved[Int(index)] {
            guard !isChanged[Int(index)] else { return false }
            let triangle = corners[Int(index)]
            if triangle.x == other || triangle.y == other || triangle.z == other { continue }
            guard let before = normal(triangle),
                let after = Self.normal(
                    triangle.x == vertex ? place : point(triangle.x),
                    triangle.y == vertex ? place : point(triangle.y),
                    triangle.z == vertex ? place : point(triangle.z)),
                (before * after).sum() > Self.leastCosine
            else { return false }
        }
        return true
    }

    /// Whether no more vertices are next to both ends of an edge than are opposite to it: others would fold the surface.
    private mutating func isSimple(_ first: Int32, _ second: Int32) -> Bool {
        mark += 2
        markNeighbors(of: first) { marks, vertex, mark in marks[vertex] = mark }
        var common = 0
        markNeighbors(of: second) { marks, vertex, mark in
            guard marks[vertex] == mark else { return }
            marks[vertex] = mark + 1
            common += 1
        }
        return common <= triangleCount(first, second)
    }

    private mutating func markNeighbors(
        of vertex: Int32, _ body: (inout [Int32], _ vertex: Int, _ mark: Int32) -> Void
    ) {
        for index in triangles(vertex) where !isRemoved[Int(index)] {
            let triangle = corners[Int(index)]
            for corner in 0..<3 where triangle[corner] != vertex { body(&marks, Int(triangle[corner]), mark) }
        }
    }

    /// Whether vertices keep a triangle when an edge collapses, except the one that is joined: pieces of the surface do not
    /// disappear, nor do corners that stick out.
    private func keepsVertices(_ first: Int32, _ second: Int32) -> Bool {
        func has(_ index: Int32, _ vertex: Int32) -> Bool {
            let triangle = corners[Int(index)]
            return triangle.x == vertex || triangle.y == vertex || triangle.z == vertex
        }
        /// Whether a triangle around a vertex remains.
        func remains(around vertex: Int32) -> Bool {
            triangles(vertex).contains { !isRemoved[Int($0)] && !(has($0, first) && has($0, second)) }
        }
        guard remains(around: first) || remains(around: second) else { return false }
        for index in triangles(first) where !isRemoved[Int(index)] && has(index, second) {
            let triangle = corners[Int(index)]
            for corner in 0..<3 where triangle[corner] != first && triangle[corner] != second {
                guard remains(around: triangle[corner]) else { return false }
            }
        }
        return true
    }

    /// Moves both ends of an edge to a place, and removes the triangles at the edge.
    private mutating func collapse(_ first: Int32, _ second: Int32, to place: SIMD3<Double>) {
        let (a, b) = (Int(first), Int(second))
        let side = points[b] - points[a]
        let square = (side * side).sum()
        let share = square > 0 ? min(max(((place - points[a]) * side).sum() / square, 0), 1) : 0
        mix(a, b, Float(share))
        points[a] = place
        heirs[b] = first
        quadrics[a] += quadrics[b]
        isRim[a] = isRim[a] || isRim[b]
        for index in triangles(second) where !isRemoved[Int(index)] {
            isChanged[Int(index)] = true
            if corners[Int(index)].replacing(with: -1, where: corners[Int(index)] .== first)
                != corners[Int(index)]
            {
                isRemoved[Int(index)] = true
                count -= 1
            } else {
                corners[Int(index)].replace(with: first, where: corners[Int(index)] .== second)
            }
        }
        for index in triangles(first) { isChanged[Int(index)] = true }
    }

    /// Gives a vertex the attributes between it and another one.
    private mutating func mix(_ a: Int, _ b: Int, _ share: Float) {
        if !cloud.colors.isEmpty {
            let (first, second) = (cloud.colors[a], cloud.colors[b])
            func mixed(_ x: UInt8, _ y: UInt8) -> UInt8 {
                UInt8(Float(x) + (Float(y) - Float(x)) * share + 0.5)
            }
            cloud.colors[a] = RGB(
                red: mixed(first.red, second.red), green: mixed(first.green, second.green),
                blue: mixed(first.blue, second.blue))
        }
        if !cloud.normals.isEmpty {
            let sum = cloud.normals[a] + (cloud.normals[b] - cloud.normals[a]) * share
            let length = (sum * sum).sum().squareRoot()
            if length > 0 { cloud.normals[a] = sum / length }
        }
        if !cloud.confidences.isEmpty {
            cloud.confidences[a] += (cloud.confidences[b] - cloud.confidences[a]) * share
        }
    }

    /// How far the vertices of the original mesh are from the present one.
    private mutating func error(of mesh: TriangleMesh, _ wasRim: [Bool]) -> MeshError {
        let surface = SurfaceDistance(
            points: points, corners: corners.indices.filter { !isRemoved[$0] }.map { corners[$0] })
        let heirs = (0..<heirs.count).map { heir(of: Int32($0)) }
        let positions = mesh.vertices.positions
        let distances: [Float] = parallelMapRows(width: 1, height: positions.count, minimum: 4096) {
            rows, output in
            for row in rows {
                let point = SIMD3<Double>(positions[row])
                output[row - rows.lowerBound] = Float(surface.distance(of: point, startingAt: heirs[row]))
            }
        }
        func largest(ofRim: Bool) -> Float {
            let vertices = positions.indices.filter { wasRim[$0] == ofRim && distances[$0] > 0 }
            return surface.largest(
                vertices.map { (SIMD3<Double>(positions[$0]), bound: Double(distances[$0])) })
        }
        return MeshError(inner: largest(ofRim: false), rim: largest(ofRim: true))
    }

    /// The remaining vertex that a vertex was joined with.
    private mutating func heir(of vertex: Int32) -> Int32 {
        var last = vertex
        while heirs[Int(last)] != last { last = heirs[Int(last)] }
        var place = vertex
        while place != last {
            let next = heirs[Int(place)]
            heirs[Int(place)] = last
            place = next
        }
        return last
    }

    private var result: TriangleMesh {
        var cloud = cloud
        cloud.positions = points.map { SIMD3<Float>($0) }
        let triangles = corners.indices.filter { !isRemoved[$0] }.map { index in
            Triangle(
                UInt32(bitPattern: corners[index].x), UInt32(bitPattern: corners[index].y),
                UInt32(bitPattern: corners[index].z))
        }
        return TriangleMesh(vertices: cloud, triangles: triangles).withoutLooseVertices()
    }
}

/// How far vertices of a mesh are from a simplified one, in its unit, at most; 0 if none are removed.
package struct MeshError: Hashable, Sendable {
    /// Of vertices within the surface.
    package var inner: Float = 0
    /// Of vertices at its rim, which loses corners that stick out.
    package var rim: Float = 0
}
