internal import ByteParsing
internal import DepthModel
internal import Sequences

/// A camera of a bag (`sensor_msgs/CameraInfo`).
struct BagCamera {
    var size: PixelSize
    var intrinsics: Intrinsics
    /// k1, k2, p1, p2, k3 of Brown and Conrady; `nil` for another lens model.
    var distortion: [Double]?

    /// Reads a camera. Throws if the numbers are invalid.
    init(_ cursor: inout ByteCursor) throws(ContainerError) {
        _ = try cursor.readStampedHeader()
        let (height, width) = (try cursor.readUInt32(), try cursor.readUInt32())
        let model = try cursor.readText()
        let count = try cursor.readUInt32()
        guard count <= 16 else { throw cursor.malformed("lens has \(count) coefficients, more than 16") }
        let coefficients = try cursor.readDoubles(count)
        let matrix = try cursor.readDoubles(9)
        guard let size = PixelSize(width, height), let camera = Intrinsics(matrix: matrix, from: .center)
        else {
            throw cursor.malformed("camera of \(width) × \(height) pixels has an invalid size or matrix")
        }
        self.size = size
        intrinsics = camera
        // librealsense has three names for the model and uses the same polynomial for all of them (rsutil.h). A lens
        // without coefficients has no distortion, even if a model is named.
        if coefficients.allSatisfy({ $0 == 0 }) {
            distortion = [0, 0, 0, 0, 0]
        } else if ["Brown Conrady", "Inverse Brown Conrady", "Modified Brown Conrady", "plumb_bob"].contains(
            model),
            coefficients.count == 5, coefficients.allSatisfy({ abs($0) < 100 })
        {
            distortion = coefficients
        }
    }

    /// The camera with its lens and pose; `nil` for an unknown lens model.
    func lens(at place: CameraPose) -> LensCamera? {
        guard let k = distortion else { return nil }
        return LensCamera(
            intrinsics: intrinsics, radial: SIMD3(k[0], k[1], k[4]), tangential: (k[2], k[3]),
            rotation: place.rotation, translation: place.position)
    }
}
