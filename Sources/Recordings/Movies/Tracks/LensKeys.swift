internal import Bytes
internal import DepthTypes
internal import Scenes

/// The local numbers of a metadata track's keys about the lens (QuickTime File Format, “Timed Metadata Media”, `mebx`).
struct LensKeys: Sendable {
    private var aperture: UInt32?
    private var focus: UInt32?

    /// Whether the track holds nothing about the lens.
    var isEmpty: Bool { aperture == nil && focus == nil }

    /// No keys.
    init() {}

    /// Reads a sample entry `mebx`: of its box `keys`, each box is a key, whose type is the key's number.
    init(_ entry: inout ByteCursor, limits: DecodingLimits) throws(ContainerError) {
        try entry.skip(8)
        while !entry.isAtEnd {
            let header = try entry.readBoxHeader()
            var keys = try entry.payload(of: header)
            guard header.type == "keys" else { continue }
            var count = 0
            while !keys.isAtEnd {
                count += 1
                try limits.check(.items, count, at: keys.offset, in: keys.path)
                let header = try keys.readBoxHeader()
                var key = try keys.payload(of: header)
                try readKey(header.type.rawValue, &key)
            }
        }
    }

    private mutating func readKey(_ number: UInt32, _ key: inout ByteCursor) throws(ContainerError) {
        var (name, isFloat) = ("", true)
        while !key.isAtEnd {
            let header = try key.readBoxHeader()
            var part = try key.payload(of: header)
            switch header.type {
            case "keyd":
                try part.skip(4)
                name = String(decoding: try part.readRemainingBytes(), as: UTF8.self)
            // In namespace 0, 23 is a float of 32 bits, most significant byte first.
            case "dtyp":
                let kind = (try part.readUInt32(), try part.readUInt32())
                isFloat = kind == (0, 23)
            default: break
            }
        }
        guard isFloat else { return }
        switch name {
        case "com.apple.quicktime.aperture-float": aperture = number
        case "com.apple.quicktime.disparity-float": focus = number
        default: break
        }
    }

    /// Reads a sample: boxes of which each holds the value of a key.
    func read(_ sample: [UInt8], at offset: Int, into lens: inout RecordedLens) throws(ContainerError) {
        var cursor = ByteCursor(sample.span, base: offset, path: StructurePath("mebx"))
        while !cursor.isAtEnd {
            let header = try cursor.readBoxHeader()
            var value = try cursor.payload(of: header)
            guard value.remaining == 4 else { continue }
            let number = Float(bitPattern: try value.read())
            guard number.isFinite else { continue }
            switch header.type.rawValue {
            case aperture: lens.fNumber = number > 0 ? number : nil
            case focus: lens.focusDisparity = number
            default: break
            }
        }
    }
}
