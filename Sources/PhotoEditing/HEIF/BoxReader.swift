internal import ByteParsing

/// Boxes of an ISO base media file (ISO/IEC 14496-12 §4.2), in bytes that are kept as they are.
struct BoxReader {
    /// A box: its type, and its bytes.
    struct Box {
        var type: [UInt8]
        var range: Range<Int>
        var payload: Range<Int>

        func hasType(_ name: String) -> Bool { type == Array(name.utf8) }
    }

    let bytes: [UInt8]
    var place: Int
    let end: Int

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        place = range.lowerBound
        end = min(range.upperBound, bytes.count)
    }

    /// The next big-endian number of so many bytes.
    mutating func number(_ count: Int) throws(ContainerError) -> Int {
        guard count <= 8, end - place >= count else {
            throw ContainerError(
                .truncated(needed: count, available: max(0, end - place)), at: place,
                in: StructurePath("meta"))
        }
        var value: UInt64 = 0
        for index in 0..<count { value = value << 8 | UInt64(bytes[place + index]) }
        place += count
        guard let number = Int(exactly: value) else {
            throw ContainerError(.arithmeticOverflow, at: place, in: StructurePath("meta"))
        }
        return number
    }

    /// The next box; `nil` at the end. A box that reaches past the end is cut there.
    mutating func next() throws(ContainerError) -> Box? {
        guard end - place >= 8 else { return nil }
        let start = place
        var size = try number(4)
        let type = Array(bytes[place..<place + 4])
        place += 4
        if size == 1 { size = try number(8) }
        if size == 0 { size = end - start }
        if type == Array("uuid".utf8) { place += 16 }
        guard size >= place - start, place <= end else {
            throw ContainerError(
                .malformed(rule: "a box is smaller than its header"), at: start, in: StructurePath("meta"))
        }
        let stop = size <= end - start ? start + size : end
        let box = Box(type: type, range: start..<stop, payload: place..<stop)
        place = stop
        return box
    }

    /// All boxes of a range.
    static func boxes(
        _ bytes: [UInt8], _ range: Range<Int>, limits: DecodingLimits
    ) throws(ContainerError) -> [Box] {
        var reader = BoxReader(bytes, range)
        var boxes: [Box] = []
        while let box = try reader.next() {
            boxes.append(box)
            try limits.check(.items, boxes.count, at: box.range.lowerBound, in: StructurePath("meta"))
        }
        return boxes
    }
}

/// A big-endian number in so many bytes.
func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

/// A box of these contents.
func box(_ type: String, _ payload: [UInt8]) -> [UInt8] { box(Array(type.utf8), payload) }

/// A box of these contents, with the four bytes of its type.
func box(_ type: [UInt8], _ payload: [UInt8]) -> [UInt8] {
    bigEndian(payload.count + 8, 4) + type + payload
}
