internal import Bytes
internal import DepthTypes
internal import Scenes

/// A camera of a bag (`sensor_msgs/CameraInfo`).
struct CameraMessage {
    /// The frame of its coordinates.
    var frame: String
    var size: PixelSize
    /// K, the camera of pictures as they are taken, with its lens.
    private(set) var intrinsics: Intrinsics
    /// The name of a lens model that is not read; `nil` if the lens is known.
    private(set) var unreadLens: String?
    /// P, the camera of rectified pictures; `nil` if it is not set.
    private var rectified: Intrinsics?

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
        setLens(model, coefficients)
        // R, then P of 3 × 4 numbers. RealSense's recorder omits them in some versions.
        guard let numbers = try? cursor.readDoubles(21) else { return }
        rectified = Intrinsics(
            fx: numbers[9], fy: numbers[14], cx: numbers[11], cy: numbers[15], from: .center)
    }

    /// Reads the fields of a camera of RealSense's SDK. Throws if they are invalid; `cursor` is where they are.
    init(_ fields: [Substring: Substring], _ cursor: borrowing MessageCursor) throws(ContainerError) {
        func number(_ name: Substring) -> Double? { fields[name].flatMap { Double($0) } }
        guard let size = PixelSize(fields["width"].flatMap { Int($0) }, fields["height"].flatMap { Int($0) }),
            let camera = Intrinsics(
                fx: number("fx"), fy: number("fy"), cx: number("ppx"), cy: number("ppy"), from: .center)
        else { throw cursor.malformed("camera has an invalid size or focal length") }
        (frame, self.size, intrinsics) = ("", size, camera)
        let model = (fields["model"] ?? "None").replacing("_", with: " ")
        setLens(String(model), fields["coeffs"]?.numbers ?? [])
    }

    /// Sets the lens of a model by its name. Coefficients are in OpenCV's order; trailing ones may be missing.
    ///
    /// librealsense has three names for the model of Brown and Conrady, and uses the same polynomial for all of them
    /// (rsutil.h). A lens without coefficients has no distortion, even if a model is named.
    private mutating func setLens(_ model: String, _ coefficients: [Double]) {
        guard coefficients.contains(where: { $0 != 0 }) else { return }
        let counts: [String: ClosedRange<Int>] = [
            "Brown Conrady": 5...5, "Inverse Brown Conrady": 5...5, "Modified Brown Conrady": 5...5,
            "plumb_bob": 4...8, "rational_polynomial": 8...14, "equidistant": 4...4, "fisheye": 4...4,
            "Kannala Brandt4": 4...5,
        ]
        let isFisheye = counts[model]?.lowerBound == 4 && model != "plumb_bob"
        let most = isFisheye ? 4 : 8
        // OpenCV's thin prism, behind the first eight.
        let rest = coefficients.dropFirst(most)
        if counts[model]?.contains(coefficients.count) ?? false, rest.allSatisfy({ $0 == 0 }) {
            intrinsics.lens = LensCoefficients(Array(coefficients.prefix(most)), isFisheye: isFisheye)
        }
        if intrinsics.lens == nil { unreadLens = model }
    }

    /// The camera of pictures without distortion (image_proc's topics `image_rect`).
    var ofRectified: CameraMessage {
        var camera = self
        camera.intrinsics = rectified ?? intrinsics
        (camera.intrinsics.lens, camera.unreadLens) = (nil, nil)
        return camera
    }

    /// The camera with its lens and pose; `nil` for an unknown lens model.
    func lens(at pose: CameraPose) -> LensCamera? {
        unreadLens == nil
            ? LensCamera(intrinsics: intrinsics, lens: intrinsics.lens ?? LensCoefficients(), pose: pose)
            : nil
    }
}

extension Substring {
    /// Numbers between commas; empty if any of them is not a number.
    var numbers: [Double] {
        let numbers = split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
        return numbers.allSatisfy(\.isFinite) ? numbers : []
    }
}
