import PointClouds
import Testing

@Suite("A point cloud")
struct PointCloudTests {
    @Test("starts empty")
    func empty() {
        #expect(PointCloud().positions.isEmpty)
    }
}
