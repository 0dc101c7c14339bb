internal import Bytes

/// A lossless JPEG image (ITU-T T.81 Annex H, Huffman coded: SOF3): everything before its entropy-coded data.
///
/// 2 to 16 bits, up to four channels in one scan, all seven predictors, point transform, restart intervals. Debian's libjpeg
/// cannot read these; cameras' raw files and capture apps' depth maps of 16 bits use them.
struct LosslessJPEG {
    private(set) var width = 0
    private(set) var height = 0
    private(set) var bitDepth = 0
    /// The number of channels.
    private(set) var components = 0
    /// 1 to 7 (T.81 Table H.1).
    private(set) var predictor = 0
    /// How many low bits were dropped before coding.
    private(set) var pointTransform = 0
    /// Rows between restarts; `nil` if there are no restarts.
    private(set) var restartRows: Int?
    /// The table of each channel.
    private(set) var tables: [LosslessHuffmanTable] = []
    /// The offset of the entropy-coded data.
    private(set) var scan = 0
    let bytes: [UInt8]
    let base: Int

    /// Whether the first frame header of a JPEG stream declares a lossless image.
    static func isLossless(_ bytes: [UInt8]) -> Bool {
        var offset = 2
        while offset + 4 <= bytes.count {
            guard bytes[offset] == 0xFF else {  // a stray byte
                offset += 1
                continue
            }
            switch bytes[offset + 1] {
            case 0x00, 0xFF: offset += 1
            case 0xC3: return true
            case 0xC0...0xC2, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF, 0xD8...0xDA: return false
            default: offset += 2 + (Int(bytes[offset + 2]) << 8) + Int(bytes[offset + 3])
            }
        }
        return false
    }

    /// Reads the segments of a stream at the offset `base` of the file.
    init(parsing bytes: [UInt8], at base: Int, limits: DecodingLimits) throws(ContainerError) {
        self.bytes = bytes
        self.base = base
        var found: [Int: LosslessHuffmanTable] = [:]
        var restartInterval = 0
        var identifiers: [UInt8] = []
        var cursor = ByteCursor(bytes.span, base: base, path: StructurePath("JPEG"))
        let mark = try cursor.readUInt16()
        guard mark == 0xFFD8 else {
            throw cursor.malformed("JPEG image starts with \(String(mark, radix: 16)), not ffd8")
        }
        var segments = 0
        while scan == 0 {
            segments += 1
            try limits.check(.segments, segments, at: cursor.offset, in: cursor.path)
            let marker = try Self.nextMarker(in: &cursor)
            guard marker != 0xD8, marker != 0xD9 else {
                throw cursor.malformed("the image ends or restarts before any scan")
            }
            let length = try cursor.readUInt16()
            var segment = try cursor.child(byteCount: max(length, 2) - 2)
            switch marker {
            case 0xC3: identifiers = try readFrame(&segment, limits: limits)
            case 0xC4:
                while !segment.isAtEnd {
                    let place = Int(try segment.readByte())
                    guard place < 4 else {
                        throw segment.malformed("Huffman table has number \(place), not 0 to 3")
                    }
                    found[place] = try LosslessHuffmanTable(parsing: &segment)
                }
            case 0xDD: restartInterval = try segment.readUInt16()
            case 0xDA:
                try readScan(&segment, identifiers, found)
                scan = cursor.position
            default: break
            }
        }
        guard restartInterval > 0 else { return }
        guard restartInterval % width == 0 else {
            throw cursor.malformed(
                "restart interval is \(restartInterval), not a multiple of the width \(width)")
        }
        restartRows = restartInterval / width
    }

    /// The code of the next marker. Skips stray bytes before it, including FF 00, and fill bytes.
    private static func nextMarker(in cursor: inout ByteCursor) throws(ContainerError) -> UInt8 {
        while true {
            guard try cursor.readByte() == 0xFF else { continue }
            var marker = try cursor.readByte()
            while marker == 0xFF { marker = try cursor.readByte() }
            if marker != 0 { return marker }
        }
    }

    private mutating func readFrame(
        _ segment: inout ByteCursor, limits: DecodingLimits
    ) throws(ContainerError) -> [UInt8] {
        guard components == 0 else { throw segment.malformed("the image has a second frame header") }
        bitDepth = Int(try segment.readByte())
        guard (2...16).contains(bitDepth) else {
            throw segment.malformed("samples have \(bitDepth) bits; lossless JPEG has 2 to 16")
        }
        (height, width) = (try segment.readUInt16(), try segment.readUInt16())
        _ = try limits.pixelCount(width: width, height: height, at: segment.offset, in: segment.path)
        components = Int(try segment.readByte())
        guard (1...4).contains(components) else {
            throw segment.failure(.unsupported(feature: "lossless JPEG with \(components) components"))
        }
        var identifiers: [UInt8] = []
        for _ in 0..<components {
            identifiers.append(try segment.readByte())
            let sampling = try segment.readByte()
            guard components == 1 || sampling == 0x11 else {
                throw segment.failure(.unsupported(feature: "lossless JPEG with subsampled components"))
            }
            try segment.skip(1)
        }
        return identifiers
    }

    private mutating func readScan(
        _ segment: inout ByteCursor, _ identifiers: [UInt8], _ found: [Int: LosslessHuffmanTable]
    ) throws(ContainerError) {
        guard components > 0 else { throw segment.malformed("the scan comes before the frame header (SOF3)") }
        guard Int(try segment.readByte()) == components else {
            throw segment.failure(.unsupported(feature: "lossless JPEG with a scan for each component"))
        }
        for identifier in identifiers {
            let component = try segment.readByte()
            guard component == identifier else {
                throw segment.malformed("the scan names component \(component), the frame \(identifier)")
            }
            let place = Int(try segment.readByte() >> 4)
            guard let table = found[place] else {
                throw segment.malformed("Huffman table \(place) is used and not defined")
            }
            tables.append(table)
        }
        predictor = Int(try segment.readByte())
        try segment.skip(1)
        pointTransform = Int(try segment.readByte() & 15)
        guard (1...7).contains(predictor) else {
            throw segment.malformed("predictor \(predictor) is not one of 1 to 7")
        }
        guard pointTransform < bitDepth else {
            throw segment.malformed("the point transform drops \(pointTransform) of \(bitDepth) bits")
        }
    }
}
