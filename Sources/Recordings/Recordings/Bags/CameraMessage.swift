internal import Bytes
internal import DepthTypes
internal import Scenes

/// A camera of a bag (`sensor_msgs/CameraInfo`).
struct CameraMessage {
    /// The frame of its coordinates.
    var frame: String
    var size: PixelSize
    /// K, the camera of pictures as they are taken.
    var intrinsics: Intrinsics
    /// P, the camera of rectified pictures; `nil` if it is not set.
    private var rectified: Intrinsics?
    /// k1, k2, p1, p2, k3, k4, k5, k6 as in OpenCV; `nil` for another lens model.
    private var distortion: [Double]?

    /// Reads a camera. Throws if the numbers are invalid.
    init(_ cursor: inout MessageCursor) throws(ContainerError) {
        frame = try cursor.readHeader().frame
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
        distortion = Self.distortion(model, coefficients)
        // R, then P of 3 × 4 numbers. RealSense's recorder omits them in some versions.
        guard let numbers = try? cursor.readDoubles(21) else { return }
        rectified = Intrinsics(
            fx: numbers[9], fy: numbers[14], cx: numbers[11], cy: numbers[15], from: .center)
    }

    /// librealsense has three names for the model of Brown and Conrady, and uses the same polynomial for all of them
    /// (rsutil.h). A lens without coefficients has no distortion, even if a model is named.
    private static func distortion(_ model: String, _ coefficients: [Double]) -> [Double]? {
        if coefficients.allSatisfy({ $0 == 0 }) { return [Double](repeating: 0, count: 8) }
        let models: [(name: String, count: Int)] = [
            ("Brown Conrady", 5), ("Inverse Brown Conrady", 5), ("Modified Brown Conrady", 5),
            ("plumb_bob", 5),
            ("rational_polynomial", 8),
        ]
        guard models.contains(where: { $0.name == model && $0.count == coefficients.count }),
            coefficients.allSatisfy({ abs($0) < 100 })
        else { return nil }
        return coefficients + [Double](repeating: 0, count: 8 - coefficients.count)
    }

    /// The camera of pictures without distortion (image_proc's topics `image_rect`).
    var ofRectified: CameraMessage {
        var camera = self
        camera.intrinsics = rectified ?? intrinsics
        camera.distortion = [Double](repeating: 0, count: 8)
        return camera
    }

    /// Whether its pictures are distorted, or may be.
    var isDistorted: Bool { distortion?.contains { $0 != 0 } ?? true }

    /// The camera with its lens and pose; `nil` for an unknown lens model.
    func lens(at place: CameraPose) -> LensCamera? {
        guard let k = distortion else { return nil }
        return LensCamera(
            intrinsics: intrinsics, radial: SIMD3(k[0], k[1], k[4]), radialBelow: SIMD3(k[5], k[6], k[7]),
            tangential: (k[2], k[3]), rotation: place.rotation, translation: place.position)
    }
}
