package import Bytes

/// The NAL unit types that matter here (ITU-T H.265 Table 7-1).
package enum NALUnitType {
    package static let sequenceParameterSet = 33

    /// The type in the first byte of a unit.
    package static func of(_ unit: some Collection<UInt8>) -> Int {
        unit.first.map { Int($0 >> 1 & 63) } ?? -1
    }
}

/// Finds the NAL units of an item's data, each after its length (ISO/IEC 14496-15 §4.2).
///
/// Throws for more units than `limits[.segments]`, and unless they cover the data exactly: a decoder that gets incomplete
/// data returns pixels that were never written.
package func nalUnitRanges(
    in data: [UInt8], lengthSize: Int, limits: DecodingLimits, at offset: Int, in path: StructurePath
) throws(ContainerError) -> [Range<Int>] {
    var cursor = ByteCursor(data.span, base: offset, path: path)
    var ranges: [Range<Int>] = []
    while !cursor.isAtEnd {
        let count = try cursor.readUnsigned(byteCount: lengthSize)
        let start = cursor.position
        guard count >= 2 else {
            throw cursor.malformed("NAL unit has \(count) bytes, fewer than its header of 2")
        }
        try cursor.skip(count)
        ranges.append(start..<start + count)
        try limits.check(.segments, ranges.count, at: offset + start, in: path)
    }
    guard !ranges.isEmpty else { throw cursor.malformed("the item has no coded data") }
    return ranges
}
