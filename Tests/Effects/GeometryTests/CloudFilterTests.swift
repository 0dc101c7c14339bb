import DepthMaps
import Geometry
import TestSupport
import Testing

@Suite("Cloud filters")
struct CloudFilterTests {
    @Test("A voxel holds the mean of its points, in the order of first occurrence")
    func voxels() throws {
        // Voxels of size 1 start at −0.5: 0 and 0.4 share one, 0.6 is in the next, 3 is far away.
        let cloud = PointCloud(
            positions: [SIMD3(0, 0, 0), SIMD3(3, 0, 0), SIMD3(0.4, 0.2, 0), SIMD3(0.6, 0, 0)],
            colors: [0, 7, 100, 9].map { RGB(red: $0, green: 0, blue: 255) },
            normals: [SIMD3(1, 0, 0), SIMD3(0, 0, 1), SIMD3(0, 1, 0), SIMD3(0, 0, 1)],
            confidences: [0, 1, 0.5, 1])
        let found = try cloud.downsampled(voxelSize: 1)
        #expect(found.positions == [SIMD3(0.2, 0.1, 0), SIMD3(3, 0, 0), SIMD3(0.6, 0, 0)])
        #expect(found.colors.map(\.red) == [50, 7, 9])
        #expect(found.confidences == [0.25, 1, 1])
        let half = Float(0.5).squareRoot()
        #expect(abs(found.normals[0].x - half) < 1e-6 && abs(found.normals[0].y - half) < 1e-6)
    }

    @Test("Voxels too small to be numbered are an error")
    func tinyVoxels() throws {
        let cloud = PointCloud(positions: [.zero, SIMD3(1_000_000, 0, 0)])
        #expect(throws: CloudError.self) { try cloud.downsampled(voxelSize: 1e-30) }
        #expect(try cloud.downsampled(voxelSize: 0.001).positions.count == 2)
        #expect(try PointCloud().downsampled(voxelSize: 1).positions.isEmpty)
    }

    @Test("An isolated point is an outlier")
    func outliers() {
        var positions = (0..<400).map { SIMD3(Float($0 % 20), Float($0 / 20), 0) }
        positions.insert(SIMD3(10, 10, 50), at: 100)
        let found = PointCloud(positions: positions).removingOutliers()
        #expect(!found.positions.contains(SIMD3(10, 10, 50)))
        #expect(found.positions.count == 400)
    }

    @Test("Outliers equal those found by measuring every distance", arguments: [1, 20, 500])
    func rule(neighbors: Int) {
        var random = SplitMix(seed: 1)
        let positions = (0..<120).map { _ in
            SIMD3(
                random.fraction() * random.fraction(), random.fraction(),
                random.fraction() * random.fraction() * 3)
        }
        let means = positions.map { point in
            let distances = positions.map { (($0 - point) * ($0 - point)).sum().squareRoot() }.sorted()
            let nearest = distances.prefix(neighbors)
            return Double(nearest.reduce(0, +)) / Double(nearest.count)
        }
        let counted = means.filter { $0 > 0 }
        let mean = counted.reduce(0, +) / Double(counted.count)
        let squares = counted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let limit = mean + 2 * (squares / Double(counted.count - 1)).squareRoot()
        let expected = zip(positions, means).filter { $1 > 0 && $1 < limit }.map(\.0)
        #expect(PointCloud(positions: positions).removingOutliers(neighbors: neighbors).positions == expected)
    }

    @Test("The outlier filter handles equal points, one point and none")
    func degenerate() {
        #expect(PointCloud().removingOutliers().positions.isEmpty)
        #expect(PointCloud(positions: [.zero]).removingOutliers().positions.count == 1)
        let equal = PointCloud(positions: [SIMD3<Float>](repeating: SIMD3(1, 1, 1), count: 1000))
        #expect(equal.removingOutliers().positions.isEmpty)
    }
}
