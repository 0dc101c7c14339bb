import DepthTypes
import Testing

@Suite("Camera candidates")
struct CameraCandidatesTests {
    private static let small = PixelSize(width: 4, height: 3)
    private static let known = CameraCalibration(focalLength: 7, width: 4, height: 3)

    @Test("Intrinsics given by hand precede those of the file, which precede the 35 mm focal length")
    func order() {
        var cameras = CameraCandidates(given: .init(focalLength: 9, width: 4, height: 3), file: Self.known)
        cameras.focalLength35mm = 26
        #expect(cameras.camera(for: Self.small).source == .given)
        cameras.given = nil
        #expect(cameras.camera(for: Self.small).calibration == Self.known)
        #expect(cameras.camera(for: Self.small).source == .file)
        #expect(cameras.camera(for: Self.small).source.remark == nil)
    }

    @Test("Without intrinsics the 35 mm focal length is used, by the diagonal")
    func film() {
        // 26 mm for 4032 × 3024: 26 · 5040 / 43.2666 = 3028.7 pixels.
        let film = CameraCandidates(focalLength35mm: 26).camera(for: PixelSize(width: 4032, height: 3024))
        #expect(film.source == .focalLength35mm(26))
        #expect(abs(film.calibration.focalLengthX - 3028.66) < 0.1)
        #expect(film.calibration.principalPointX == 2015.5)
        #expect(film.source.remark == "the camera: focal length 26 mm of 35 mm film, by its diagonal")
    }

    @Test("Where nothing is known, 65° along the longer side are assumed, and that is remarked")
    func assumed() {
        let cameras = CameraCandidates(focalLength35mm: 0)
        // 320 / tan 32.5° = 502.30.
        for size in [PixelSize(width: 480, height: 640), PixelSize(width: 640, height: 480)] {
            let camera = cameras.camera(for: size)
            #expect(camera.source.remark == "the camera: assumed, 65 degrees along the longer side")
            #expect(abs(camera.calibration.focalLengthX - 502.30) < 0.01)
            #expect(camera.calibration.principalPointX == Double(size.width - 1) / 2)
            #expect(cameras.known(for: size) == nil)
        }
    }

    @Test("A field of view along the rows gives the focal length of half the width over its half tangent")
    func fieldOfView() {
        // tan 45° = 1.
        let camera = CameraCalibration(horizontalFieldOfView: 90, width: 1280, height: 720)
        #expect(abs(camera.focalLengthX - 640) < 1e-9)
    }
}
