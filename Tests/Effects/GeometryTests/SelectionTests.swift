import DepthMaps
import DepthTypes
import Geometry
import Testing

@Suite("Selection of points")
struct SelectionTests {
    private func cloud(
        _ map: DepthMap, focalLength: Double = 100, _ change: (inout CloudOptions) -> Void = { _ in }
    ) throws -> PointCloud {
        var options = CloudOptions()
        change(&options)
        let camera = CameraCalibration(focalLength: focalLength, width: map.width, height: map.height)
        let unprojection = try Unprojection(camera, width: map.width, height: map.height, axes: .opencv)
        return GridCloud(map, unprojection, options: options).collected()
    }

    private func depths(
        _ meters: [Float], width: Int? = nil, _ change: (inout CloudOptions) -> Void = { _ in }
    ) throws -> [Float] {
        try cloud(.of(meters, width: width ?? meters.count), change).positions.map(\.z)
    }

    @Test("Only samples with a finite positive distance become points")
    func unknown() throws {
        #expect(try depths([.nan, 0, -1, .infinity, 1e30, 2, -.infinity, 1e-3]) == [2, 1e-3])
        #expect(try depths([.nan, .nan]).isEmpty)
    }

    @Test("Near and far limits are inclusive")
    func range() throws {
        let found = try depths([1, 2, 3, 4, 5]) { ($0.near, $0.far, $0.keepsEdges) = (2, 4, true) }
        #expect(found == [2, 3, 4])
    }

    @Test("Samples between two surfaces are dropped, and the edges of surfaces are kept")
    func flying() throws {
        let row: [Float] = [1, 1, 1, 1.4, 1.8, 2, 2, 2, 1.5, 1, 1]
        #expect(try depths(row) == [1, 1, 1, 2, 2, 2, 1, 1])
        #expect(try depths(row) { $0.keepsEdges = true } == row)
        // The same upright: one column.
        #expect(try depths(row, width: 1) == [1, 1, 1, 2, 2, 2, 1, 1])
    }

    @Test(
        "A wire, a hole and a border are kept",
        arguments: [[2, 2, 1, 2, 2], [1, 1, 2, 1, 1], [1, 2, 2], [1, 2]])
    func thin(row: [Float]) throws {
        #expect(try depths(row) == row)
    }

    @Test("An edge beside unknown samples is kept")
    func besideUnknown() throws {
        #expect(try depths([1, 1, .nan, 2, 2]) == [1, 1, 2, 2])
        #expect(try depths([1, 1, 1.5, .nan, 2, 2]) == [1, 1, 1.5, 2, 2])
    }

    @Test("A plane slanted by 78° is not an edge in any direction", arguments: [0, 30, 90, 200, 330])
    func slant(degrees: Int) throws {
        // n · P = 1 with the normal 78° off the axis; the map's rays lean by 3° at most. 1/Z = n · ray.
        let (cosine, sine) = [
            0: (1.0, 0.0), 30: (0.866, 0.5), 90: (0, 1), 200: (-0.940, -0.342), 330: (0.866, -0.5),
        ][degrees]!
        var meters: [Float] = []
        for row in 0..<16 {
            for column in 0..<16 {
                let (x, y) = ((Double(column) - 7.5) / 200, (Double(row) - 7.5) / 200)
                meters.append(Float(1 / (0.2079 + 0.9781 * (cosine * x + sine * y))))
            }
        }
        #expect(try cloud(.of(meters, width: 16), focalLength: 200).positions.count == 256)
    }

    @Test("A stride keeps every n-th sample in both directions from the first")
    func stride() throws {
        let meters = (1...20).map { Float($0) }
        let found = try depths(meters, width: 5) { ($0.stride, $0.keepsEdges) = (2, true) }
        #expect(found == [1, 3, 5, 11, 13, 15])
    }

    @Test("A maximum count keeps exactly that many points, evenly spread", arguments: [1, 7, 99, 100, 101])
    func limit(count: Int) throws {
        let meters = (1...100).map { Float($0) }
        let found = try depths(meters, width: 10) { ($0.maximumCount, $0.keepsEdges) = (count, true) }
        #expect(found.count == min(count, 100))
        let gaps = zip(found, found.dropFirst()).map { $1 - $0 }
        #expect((gaps.max() ?? 0) - (gaps.min() ?? 0) <= 1)
    }

    @Test("Colors and confidences stay with their samples, and the header matches the points")
    func beside() throws {
        let map = DepthMap.of([.nan, 1, 2, .nan, 3, 4], width: 3)
        let colors = (0..<6).map { RGB(red: UInt8($0), green: UInt8(10 * $0), blue: 255) }
        let camera = CameraCalibration(focalLength: 1, width: 3, height: 2)
        var options = CloudOptions()
        options.keepsEdges = true
        let grid = GridCloud(
            map, try Unprojection(camera, width: 3, height: 2, axes: .opencv), colors: colors,
            confidences: (0..<6).map { Float($0) / 5 }, options: options)
        let cloud = grid.collected()
        #expect(cloud.colors.map(\.red) == [1, 2, 4, 5])
        #expect(cloud.confidences == [0.2, 0.4, 0.8, 1])
        #expect(grid.header.pointCount == 4)
        #expect(grid.header.minimum == SIMD3(0, -1, 1))
        #expect(grid.header.maximum == SIMD3(4, 2, 4))
        #expect(cloud.header.minimum == grid.header.minimum)
        #expect(cloud.header.maximum == grid.header.maximum)
    }

    @Test("Pieces of a large map come in reading order")
    func pieces() throws {
        let meters = (0..<200 * 300).map { 1 + Float($0 % 7) / 1000 }
        let found = try cloud(.of(meters, width: 200))
        #expect(found.positions.map(\.z) == meters)
    }
}
