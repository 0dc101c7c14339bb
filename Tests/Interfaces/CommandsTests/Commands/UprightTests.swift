import Isobath
import PhotoFormats
import TestSupport
import Testing

@Suite("Upright results")
struct UprightTests {
    /// HEIC planes are lossless; two JPEG encodings may each be off by one.
    @Test("Planes of a turned file equal those of the upright one", arguments: [("heic", 0), ("jpg", 2)])
    func planes(ending: String, tolerance: Int) throws {
        let upright = try DepthPhoto(contentsOf: TestImages.path("portrait.\(ending)"))
        let turned = try DepthPhoto(contentsOf: TestImages.path("portrait-rotated.\(ending)"))
        #expect(turned.description.orientation == .right)
        #expect(upright.planes.map(\.kind) == turned.planes.map(\.kind))
        for (one, other) in zipEqual(upright.planes, turned.planes) {
            let (expected, found) = (try upright.codes(of: one), try turned.codes(of: other))
            #expect([found.width, found.height] == [expected.width, expected.height])
            guard case .uint8(let codes) = found.codes, case .uint8(let others) = expected.codes else {
                Issue.record("8 bits are expected")
                continue
            }
            let largest = zipEqual(codes, others).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
            #expect(largest <= tolerance, "\(one.kind)")
        }
        #expect(upright.planes.map(\.width) == turned.planes.map(\.height))
    }

    @Test("The camera is turned with its plane", arguments: ["heic", "jpg"])
    func calibration(ending: String) throws {
        let upright = try DepthScene(storedIn: TestImages.path("portrait.\(ending)")).depth()
        let turned = try DepthScene(storedIn: TestImages.path("portrait-rotated.\(ending)")).depth()
        var expected = try #require(upright.calibration)
        let found = try #require(turned.calibration)
        // The camera of the rotated file is the reference camera, so upright it is rotated by 90°.
        #expect(found.extrinsics?.rotation == [0, 1, 0, -1, 0, 0, 0, 0, 1])
        expected.extrinsics = found.extrinsics
        #expect(found == expected)
    }

    @Test("Nothing is turned in the stored frame", arguments: ["heic", "jpg"])
    func stored(ending: String) throws {
        let photo = try DepthPhoto(contentsOf: TestImages.path("portrait-rotated.\(ending)"))
        let stored = try DepthScene(photo).plane(
            photo.describe().requirePlane(nil).id, as: PlaneRequest(frame: .stored))
        let depth = try stored.depthMap()
        #expect([depth.width, depth.height] == [144, 192])
        #expect(depth.calibration == photo.planes.first?.calibration)
        let disparity = try stored.disparityMap()
        let upright = try DepthScene(photo).disparity()
        // Upright (i, j) is stored at (j, 191 − i).
        #expect(disparity.reciprocalMeters[(191 - 87) * 144 + 54] == upright.reciprocalMeters[54 * 192 + 87])
    }
}
