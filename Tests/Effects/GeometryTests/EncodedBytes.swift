import DepthMaps
import DepthTypes
import Geometry
import TestSupport

/// Two points with every attribute that a point can have.
let twoPoints: PointCloud = {
    var cloud = PointCloud(
        positions: [SIMD3(1, -2, 0.5), SIMD3(0, 0.25, 3)],
        colors: [.init(red: 1, green: 2, blue: 3), .init(red: 255, green: 0, blue: 128)],
        normals: [SIMD3(0, 0, 1), SIMD3(0, 1, 0)], confidences: [1, 0.25])
    cloud.provenance = CloudProvenance(
        tool: "isobath 1.0", source: "a\nb%\u{1B}[31m \"é\"\\.heic", scale: .relative,
        axes: .opengl, camera: .file)
    return cloud
}()

/// The source's name as written in headers: UTF-8 bytes other than printable ASCII become `%` and two digits.
let escapedName = #"source a%0Ab%25%1B[31m "%C3%A9"\.heic"#

extension CloudSource {
    /// The bytes of a file.
    func bytes(_ encoder: some CloudEncoder) -> [UInt8] {
        var bytes: [UInt8] = []
        write(with: encoder) { bytes += $0 }
        return bytes
    }
}

extension MeshSource {
    /// The bytes of a file.
    func bytes(_ encoder: some MeshEncoder) -> [UInt8] {
        var bytes: [UInt8] = []
        write(with: encoder) { bytes += $0 }
        return bytes
    }
}

extension [UInt8] {
    /// The binary64 number at an offset.
    func double(at place: Int) -> Double {
        Double(bitPattern: UInt64(bitPattern: Int64(littleEndian(at: place, 8))))
    }

    /// The text in at most this many bytes at an offset, up to a zero.
    func text(at place: Int, _ size: Int) -> String {
        String(decoding: self[place..<place + size].prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Whether every byte is printable ASCII or a line feed.
    var isPrintable: Bool { allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0x0A } }
}
