import DepthTypes
import Isobath
import TestSupport
import Testing

@Suite("Clouds in the library")
struct CloudFileTests {
    @Test("A cloud is made from depth and photo in one line and written in another")
    func written() throws {
        let folder = TemporaryFolder()
        let photo = try DepthPhoto(contentsOf: TestImages.path("portrait.jpg"))
        let cloud = PointCloud(try DepthScene(photo).depth(), color: try photo.image())
        #expect(!cloud.positions.isEmpty)
        #expect(cloud.colors.count == cloud.positions.count)
        #expect(cloud.provenance?.axes == .opengl)
        try cloud.write(to: folder.file("c.ply"))
        let header = PLYEncoder(cloud.header).opening
        #expect(try folder.bytes(of: "c.ply").count == header.count + 15 * cloud.positions.count)
        #expect(throws: OutputError.self) { try cloud.write(to: folder.file("c.ply")) }
        #expect(throws: OutputError.self) { try cloud.write(to: folder.file("c.xyzzy")) }
        try cloud.write(to: folder.file("c.ply"), replacingExisting: true)
        #expect(folder.contents == ["c.ply"])
    }

    @Test("A cloud with an invalid camera is empty")
    func noCamera() {
        let camera = CameraCalibration(focalLength: .nan, width: 1, height: 1)
        let map = DepthMap(width: 1, height: 1, meters: [1], scale: .absolute, calibration: camera)
        #expect(PointCloud(map).positions.isEmpty)
    }
}
