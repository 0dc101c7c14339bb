import Bytes
import DepthTypes
import Testing

@testable import RasterFormats

@Suite("StereoCalibration")
struct StereoCalibrationTests {
    private static func read(_ text: String, camera: Int? = nil) throws -> StereoCalibration {
        try StereoCalibration(parsing: Array(text.utf8), camera: camera)
    }

    @Test("A Middlebury calibration is read, with its baseline in meters")
    func middlebury() throws {
        let calibration = try Self.read(
            "cam0=[711.5 0 376.1; 0 711.25 227.4; 0 0 1]\r\ndoffs=2.5\r\nbaseline=59.9432\r\nwidth=713\r\nheight=434"
        )
        #expect((calibration.left.fx, calibration.left.fy) == (711.5, 711.25))
        #expect((calibration.left.cx, calibration.left.cy) == (376.1, 227.4))
        #expect(calibration.disparityOffset == 2.5 && abs(calibration.baseline - 0.0599432) < 1e-12)
        #expect((calibration.width, calibration.height) == (713, 434))
    }

    @Test("Without doffs, the offset is the difference of the principal points")
    func principalPoints() throws {
        let calibration = try Self.read(
            "cam0=[500 0 320.5; 0 500 240; 0 0 1]\ncam1=[500 0 331; 0 500 240; 0 0 1]\nbaseline=100")
        #expect(calibration.disparityOffset == 10.5)
    }

    /// The calibration of the first picture of KITTI's object benchmark.
    private static let kitti = """
        P0: 7.070493e+02 0.000000e+00 6.040814e+02 0.000000e+00 0.000000e+00 7.070493e+02 1.805066e+02 0.000000e+00 0.000000e+00 0.000000e+00 1.000000e+00 0.000000e+00
        P1: 7.070493e+02 0.000000e+00 6.040814e+02 -3.797842e+02 0.000000e+00 7.070493e+02 1.805066e+02 0.000000e+00 0.000000e+00 0.000000e+00 1.000000e+00 0.000000e+00
        P2: 7.070493e+02 0.000000e+00 6.040814e+02 4.575831e+01 0.000000e+00 7.070493e+02 1.805066e+02 -3.454157e-01 0.000000e+00 0.000000e+00 1.000000e+00 4.981016e-03
        P3: 7.070493e+02 0.000000e+00 6.040814e+02 -3.341081e+02 0.000000e+00 7.070493e+02 1.805066e+02 2.330660e+00 0.000000e+00 0.000000e+00 1.000000e+00 3.201153e-03
        R0_rect: 9.999128e-01 1.009263e-02 -8.511932e-03 -1.012729e-02 9.999406e-01 -4.037671e-03 8.470675e-03 4.123522e-03 9.999556e-01
        """

    /// (45.75831 + 334.1081) / 707.0493 and 379.7842 / 707.0493.
    @Test(
        "KITTI's color cameras are used unless others are named", arguments: [(nil, 0.537256), (0, 0.537139)])
    func kitti(camera: Int?, baseline: Double) throws {
        let calibration = try Self.read(Self.kitti, camera: camera)
        #expect(abs(calibration.baseline - baseline) < 1e-6)
        #expect((calibration.left.fx, calibration.left.fy) == (707.0493, 707.0493))
        #expect((calibration.left.cx, calibration.left.cy) == (604.0814, 180.5066))
        #expect(calibration.disparityOffset == 0 && calibration.width == nil)
        #expect(calibration.cameras?.left == "P\(camera ?? 2)")
    }

    @Test("KITTI's calib_cam_to_cam.txt has the size of the rectified pictures")
    func rectified() throws {
        let left = "P_rect_02: 700 0 600 35 0 701 180 0 0 0 1 0\nS_rect_02: 1.242000e+03 3.750000e+02"
        let calibration = try Self.read(
            "calib_time: 09-Jan-2012 13:57:47\n\(left)\nP_rect_03: 700 0 604 -315 0 701 180 0 0 0 1 0")
        #expect((calibration.baseline, calibration.disparityOffset) == (0.5, 4))
        #expect((calibration.width, calibration.height) == (1242, 375))
        #expect(calibration.cameras?.right == "P_rect_03")
    }

    @Test(
        "A calibration without a pair of cameras is refused",
        arguments: [
            "", "baseline=1", "cam0=[1 0 1]\nbaseline=1", "cam0=[1 0 0;0 1 0;0 0 1]\nbaseline=-1",
            "cam0=[1 0 0;0 1 0;0 0 1]\nbaseline=1 m", "cam0=[0 0 0;0 1 0;0 0 1]\nbaseline=1",
            "P0: 1 0 0 0 0 1 0 0 0 0 1 0", "P2: 1 0 0 0 0 1 0 0 0 0 1 0\nP3: 1 0 0 0 0 1 0 0 0 0 1 0",
            "P0: 1 0 0 0 0 1 0 0 0 0 1 0\nP1: 1 0 0 nan 0 1 0 0 0 0 1 0",
        ])
    func refused(text: String) {
        #expect(throws: ContainerError.self) { _ = try Self.read(text) }
    }
}
