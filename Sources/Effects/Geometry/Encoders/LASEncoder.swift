internal import DepthMaps

/// LAS 1.2 (ASPRS), point data record format 2: positions as integer multiples of a step, and 16-bit colors.
///
/// The step is a power of ten, a micrometer for clouds of up to a kilometer, so that rounding is negligible. Comments are in
/// a variable length record, "text area description". A cloud without colors has format 0. Normals and confidences are not
/// stored.
package struct LASEncoder: CloudEncoder {
    /// The header and the comments.
    package let opening: [UInt8]
    private let hasColors: Bool
    private let scale: LASScale

    package init(_ header: CloudHeader) {
        hasColors = header.hasColors
        scale = LASScale(header)
        let comments = Self.comments(header)
        opening = Self.publicHeader(header, scale, size: 227 + comments.count) + comments
    }

    /// The step between positions along every axis.
    var step: Double { scale.step }

    /// The bytes of a point.
    package var pointSize: Int? { recordSize }

    private var recordSize: Int { hasColors ? 26 : 20 }

    /// Appends one record for each point.
    package func append(_ piece: PointCloud, to bytes: inout [UInt8]) {
        unsafe bytes.append(records: piece.positions.count, of: recordSize) { index, place in
            let steps = scale.steps(to: piece.positions[index])
            unsafe place.storeBytes(of: steps.x, as: Int32.self)
            unsafe (place + 4).storeBytes(of: steps.y, as: Int32.self)
            unsafe (place + 8).storeBytes(of: steps.z, as: Int32.self)
            // Intensity 0; the first of one return (0x09); class, angle, user data and source 0.
            unsafe (place + 12).storeBytes(of: 0x09_0000, as: UInt64.self)
            guard hasColors else { return }
            let color = piece.colors[index]
            unsafe (place + 20).storeBytes(of: UInt16(color.red) * 257, as: UInt16.self)
            unsafe (place + 22).storeBytes(of: UInt16(color.green) * 257, as: UInt16.self)
            unsafe (place + 24).storeBytes(of: UInt16(color.blue) * 257, as: UInt16.self)
        }
    }

    private static func publicHeader(_ header: CloudHeader, _ scale: LASScale, size: Int) -> [UInt8] {
        var bytes = Array("LASF".utf8)
        bytes += repeatElement(0, count: 20)  // Source, encoding, project
        bytes += [1, 2]
        bytes.append("EXTRACTION", inBytes: 32)
        bytes.append(header.tool, inBytes: 32)
        bytes += [0, 0, 0, 0]  // No date: the same input gives the same bytes.
        bytes.append(littleEndian: UInt16(227))
        bytes.append(littleEndian: UInt32(clamping: size))
        bytes.append(littleEndian: UInt32(header.comments.isEmpty ? 0 : 1))
        bytes.append(header.hasColors ? 2 : 0)
        bytes.append(littleEndian: UInt16(header.hasColors ? 26 : 20))
        let count = UInt32(clamping: header.pointCount)
        for number in [count, count, 0, 0, 0, 0] { bytes.append(littleEndian: number) }
        for _ in 0..<3 { bytes.append(littleEndian: scale.step) }
        for axis in 0..<3 { bytes.append(littleEndian: scale.origin[axis]) }
        let (least, most) = (scale.position(of: header.minimum), scale.position(of: header.maximum))
        for axis in 0..<3 {
            bytes.append(littleEndian: most[axis])
            bytes.append(littleEndian: least[axis])
        }
        return bytes
    }

    /// The record "text area description" (`LASF_Spec`, 3), terminated by a zero; at most 65,535 bytes.
    private static func comments(_ header: CloudHeader) -> [UInt8] {
        guard !header.comments.isEmpty else { return [] }
        let text = header.comments.joined(separator: "\n").utf8.prefix(65_534)
        var bytes: [UInt8] = [0, 0]
        bytes.append("LASF_Spec", inBytes: 16)
        bytes.append(littleEndian: UInt16(3))
        bytes.append(littleEndian: UInt16(text.count + 1))
        bytes.append("about this cloud", inBytes: 32)
        return bytes + text + [0]
    }
}

/// Positions as integers: origin + number · step.
private struct LASScale {
    /// A power of ten, at least 10⁻⁶.
    let step: Double
    /// The smallest coordinates, rounded down to integer units.
    let origin: SIMD3<Double>

    init(_ header: CloudHeader) {
        origin = SIMD3<Double>(header.minimum).rounded(.down)
        let extent = (SIMD3<Double>(header.maximum) - origin).max()
        step = Math.power(10, max(-6, Math.logarithm10(extent / 1e9).rounded(.up)))
    }

    func steps(to point: SIMD3<Float>) -> SIMD3<Int32> {
        let exact = (SIMD3<Double>(point) - origin) / step
        // Points outside of the bounds move to the nearest one inside.
        let bounded = exact.clamped(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 2e9))
        return SIMD3<Int32>(truncatingIfNeeded: SIMD3<Int64>(bounded + 0.5))
    }

    /// The position that a reader will compute for a point.
    func position(of point: SIMD3<Float>) -> SIMD3<Double> {
        SIMD3<Double>(steps(to: point)) * step + origin
    }
}
