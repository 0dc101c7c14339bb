internal import ByteParsing
internal import DepthModel
internal import Sequences

/// An image of a bag (`sensor_msgs/Image`), its pixels not read.
struct BagImage {
    /// Seconds, of the clock that the camera counts frames by; 0 where it says nothing.
    var time: Double
    var size: PixelSize
    /// What samples are, in the words of ROS, such as `mono16`.
    var encoding: String
    /// Where the pixels are in the message. Rows have no padding.
    var pixels: Range<Int>

    /// Reads what is in front of the pixels. Throws where that is not of an image with as many bytes as it needs.
    init(_ cursor: inout ByteCursor) throws(ContainerError) {
        time = try cursor.readStampedHeader()
        let (height, width) = (try cursor.readUInt32(), try cursor.readUInt32())
        encoding = try cursor.readText()
        let isBigEndian = try cursor.readByte() != 0
        let (rowBytes, count) = (try cursor.readUInt32(), try cursor.readUInt32())
        guard let size = PixelSize(width, height), let sampleBytes = Self.pixelBytes[encoding] else {
            throw cursor.failure(.unsupported(feature: "an image of \(encoding.prefix(40))"))
        }
        guard !isBigEndian || encoding != "mono16" else {
            throw cursor.failure(.unsupported(feature: "an image with the most significant byte first"))
        }
        guard rowBytes == width * sampleBytes, count == rowBytes * height, count <= cursor.remaining else {
            throw cursor.malformed("an image has as many bytes as its size needs")
        }
        self.size = size
        pixels = cursor.position..<cursor.position + count
    }

    /// Bytes of a pixel, by encoding.
    private static let pixelBytes = ["mono16": 2, "rgb8": 3, "bgr8": 3, "rgba8": 4, "bgra8": 4]
}

/// How the pixels of a picture lie in memory.
enum PackedPixels: String, Sendable {
    case rgb8
    case bgr8
    case rgba8
    case bgra8

    /// Bytes of a pixel.
    var byteCount: Int { self == .rgb8 || self == .bgr8 ? 3 : 4 }
    /// Whether red comes first.
    var isRedFirst: Bool { self == .rgb8 || self == .rgba8 }
}

/// A camera of a bag (`sensor_msgs/CameraInfo`).
struct BagCamera {
    var size: PixelSize
    var intrinsics: Intrinsics
    /// k1, k2, p1, p2, k3 of Brown and Conrady; `nil` for a lens of another model.
    var distortion: [Double]?

    /// Reads a camera. Throws where the numbers are not those of one.
    init(_ cursor: inout ByteCursor) throws(ContainerError) {
        _ = try cursor.readStampedHeader()
        let (height, width) = (try cursor.readUInt32(), try cursor.readUInt32())
        let model = try cursor.readText()
        let count = try cursor.readUInt32()
        guard count <= 16 else { throw cursor.malformed("a lens has at most 16 coefficients") }
        let coefficients = try cursor.readDoubles(count)
        let matrix = try cursor.readDoubles(9)
        guard let size = PixelSize(width, height), let camera = Intrinsics(matrix: matrix, from: .center)
        else {
            throw cursor.malformed("a camera has focal lengths, a principal point and a size")
        }
        self.size = size
        intrinsics = camera
        // librealsense has three names for the model and projects by the same polynomial for all of them (rsutil.h). A lens without
        // coefficients has no distortion, whatever its model is called.
        if coefficients.allSatisfy({ $0 == 0 }) {
            distortion = [0, 0, 0, 0, 0]
        } else if ["Brown Conrady", "Inverse Brown Conrady", "Modified Brown Conrady", "plumb_bob"].contains(
            model),
            coefficients.count == 5, coefficients.allSatisfy({ abs($0) < 100 })
        {
            distortion = coefficients
        }
    }

    /// The camera with its lens, at a place; `nil` for a lens of an unknown model.
    func lens(at place: CameraPose) -> LensCamera? {
        guard let k = distortion else { return nil }
        return LensCamera(
            intrinsics: intrinsics, radial: SIMD3(k[0], k[1], k[4]), tangential: (k[2], k[3]),
            rotation: place.rotation, translation: place.position)
    }
}

extension ByteCursor {
    /// Reads what many messages begin with (`std_msgs/Header`), and returns its time in seconds.
    @_lifetime(self: copy self)
    fileprivate mutating func readStampedHeader() throws(ContainerError) -> Double {
        try skip(4)
        let time = Double(try readUInt32()) + Double(try readUInt32()) / 1e9
        try skip(try readUInt32())
        return time
    }

    /// Reads a text after its length.
    @_lifetime(self: copy self)
    fileprivate mutating func readText() throws(ContainerError) -> String {
        String(decoding: try readBytes(try readUInt32()), as: UTF8.self)
    }

    /// Reads Float64 numbers, whatever they are.
    @_lifetime(self: copy self)
    mutating func readDoubles(_ count: Int) throws(ContainerError) -> [Double] {
        var numbers: [Double] = []
        for _ in 0..<count { numbers.append(Double(bitPattern: try read())) }
        return numbers
    }
}
