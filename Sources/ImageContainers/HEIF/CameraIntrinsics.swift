internal import ByteParsing
internal import DepthModel

/// The camera of an image (`cmin`, ISO/IEC 23008-12, third edition), in parts of the image's size.
///
/// The first system of Apple's headset writes the same payload into `uuid` properties. From
/// `TestImages/spatial.heic` (`cmin`, then the right camera's `cmex`):
///
/// ```
/// 00001e00               flags: shift 30, so numbers are divided by 2³⁰
/// 50000000               focal length 1.25, times the width
/// 20666666 1fa4fa50      principal point 0.50625, 0.494444, times width and height
/// 00000001               flags: only x is given
/// 0000fde8               65 000 µm to the right of the other camera
/// ```
struct CameraIntrinsics: Hashable {
    /// The UUID of a property that is laid out as `cmin`, and that of one laid out as `cmex`.
    static let uuid = "22cc04c7d6d94e079d904eb6ecbaf3a3"
    static let positionUUID = "4363e9145b7d4aab97aebea69803b434"

    private var focalLengthX, principalPointX, principalPointY: Double
    private var focalLengthY: Double?

    /// Reads the property. Skew is not kept.
    init(parsing box: inout ByteCursor) throws(ContainerError) {
        let (_, flags) = try box.readFullBoxHeader()
        let unit = Double(sign: .plus, exponent: -(flags >> 8 & 31), significand: 1)
        focalLengthX = Double(try box.read(Int32.self)) * unit
        principalPointX = Double(try box.read(Int32.self)) * unit
        principalPointY = Double(try box.read(Int32.self)) * unit
        if flags & 1 != 0 { focalLengthY = Double(try box.read(Int32.self)) * unit }
        guard focalLengthX > 0, focalLengthY ?? 1 > 0 else {
            throw box.malformed("the focal length of a camera is positive")
        }
    }

    /// Reads the position of a camera (`cmex`), in meters: micrometers where the flags 1, 2 and 4 say so, else 0. Its
    /// rotation is not kept.
    static func position(parsing box: inout ByteCursor) throws(ContainerError) -> [Double] {
        let (_, flags) = try box.readFullBoxHeader()
        var position: [Double] = []
        for axis in 0..<3 {
            position.append(flags >> axis & 1 == 0 ? 0 : Double(try box.read(Int32.self)) / 1_000_000)
        }
        return position
    }

    /// The camera in pixels of an image, relative to the center of the first one.
    func calibration(width: Int, height: Int, position: [Double]?) -> CameraCalibration {
        let x = focalLengthX * Double(width)
        var calibration = CameraCalibration(
            focalLengthX: x, focalLengthY: focalLengthY.map { $0 * Double(height) } ?? x,
            principalPointX: principalPointX * Double(width) - 0.5,
            principalPointY: principalPointY * Double(height) - 0.5, width: width, height: height)
        calibration.extrinsics = position.map {
            CameraCalibration.Extrinsics(rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1], translation: $0)
        }
        return calibration
    }
}
