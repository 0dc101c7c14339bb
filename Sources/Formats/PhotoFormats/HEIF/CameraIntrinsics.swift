internal import Bytes
internal import DepthTypes

/// The camera of an image (`cmin`, ISO/IEC 23008-12, third edition), as fractions of the image's size.
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
    /// The UUIDs of properties with the layout of `cmin` and of `cmex`.
    static let uuid = "22cc04c7d6d94e079d904eb6ecbaf3a3"
    static let positionUUID = "4363e9145b7d4aab97aebea69803b434"

    private var focalLengthX, principalPointX, principalPointY: Double
    private var focalLengthY: Double?

    /// Reads the property. Skew is ignored.
    init(parsing box: inout ByteCursor) throws(ContainerError) {
        let (_, flags) = try box.readFullBoxHeader()
        let unit = Double(sign: .plus, exponent: -(flags >> 8 & 31), significand: 1)
        focalLengthX = Double(try box.read(Int32.self)) * unit
        principalPointX = Double(try box.read(Int32.self)) * unit
        principalPointY = Double(try box.read(Int32.self)) * unit
        if flags & 1 != 0 { focalLengthY = Double(try box.read(Int32.self)) * unit }
        guard focalLengthX > 0, focalLengthY ?? 1 > 0 else {
            let focalLength = focalLengthY.map { "\(focalLengthX) × \($0)" } ?? "\(focalLengthX)"
            throw box.malformed("focal length is \(focalLength); it must be positive")
        }
    }

    /// Reads the position and the rotation of a camera (`cmex`).
    ///
    /// The position is stored in micrometers and returned in meters; it is 0 along an axis whose flag (1, 2 or 4) is not set.
    /// The rotation is read in version 0 if flag 8 is set: three components of a unit quaternion, divided by 2¹⁴, or by
    /// 2³⁰ if flag 16 declares that they have 32 bits. It is assumed to turn the camera's axes to the common ones,
    /// because the position is in common coordinates too.
    static func extrinsics(parsing box: inout ByteCursor) throws(ContainerError)
        -> CameraCalibration.Extrinsics
    {
        let (version, flags) = try box.readFullBoxHeader()
        var position: [Double] = []
        for axis in 0..<3 {
            position.append(flags >> axis & 1 == 0 ? 0 : Double(try box.read(Int32.self)) / 1_000_000)
        }
        var rotation: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
        if flags & 8 != 0, version == 0 {
            let isLarge = flags & 16 != 0
            var parts = SIMD3<Double>()
            for axis in 0..<3 {
                parts[axis] =
                    isLarge
                    ? Double(try box.read(Int32.self)) / Double(1 << 30)
                    : Double(try box.read(Int16.self)) / Double(1 << 14)
            }
            let squares = (parts * parts).sum()
            guard squares <= 1 else {
                throw box.malformed("squares of the camera's rotation add up to \(squares), more than 1")
            }
            rotation = Self.rotation(parts, (1 - squares).squareRoot())
        }
        return CameraCalibration.Extrinsics(rotation: rotation, translation: position)
    }

    /// The matrix of a unit quaternion, row by row.
    private static func rotation(_ q: SIMD3<Double>, _ w: Double) -> [Double] {
        var matrix: [Double] = []
        matrix += [1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.z * w), 2 * (q.x * q.z + q.y * w)]
        matrix += [2 * (q.x * q.y + q.z * w), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.x * w)]
        matrix += [2 * (q.x * q.z - q.y * w), 2 * (q.y * q.z + q.x * w), 1 - 2 * (q.x * q.x + q.y * q.y)]
        return matrix
    }

    /// The camera in pixels of an image, relative to the center of the first one.
    func calibration(
        width: Int, height: Int, extrinsics: CameraCalibration.Extrinsics?
    ) -> CameraCalibration {
        let x = focalLengthX * Double(width)
        var calibration = CameraCalibration(
            focalLengthX: x, focalLengthY: focalLengthY.map { $0 * Double(height) } ?? x,
            principalPointX: principalPointX * Double(width) - 0.5,
            principalPointY: principalPointY * Double(height) - 0.5, width: width, height: height)
        calibration.extrinsics = extrinsics
        return calibration
    }
}
