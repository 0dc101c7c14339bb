internal import Isobath

/// The header of a member of a tar file (POSIX.1-1988 `ustar`), 512 bytes.
struct TarHeader {
    /// The type of a member.
    enum Kind: Equatable {
        /// A file, or a folder if its complete name ends in a slash: old writers have no type for folders.
        case file
        case folder
        /// Records about the next member (POSIX.1-2001), and about all that follow.
        case extended, global
        /// The name of the next member (GNU).
        case longName
        /// The link target of the next member (GNU).
        case longLink
        /// Any other type, by its name in messages.
        case other(String)
    }

    static let size = 512

    var name: String
    /// How many bytes follow, before they are padded to a multiple of 512.
    var byteCount: Int
    var kind: Kind
    /// Whether blocks with more of a sparse file's map follow (GNU).
    let continues: Bool

    /// Parses a header; `nil` if its checksum is wrong or its size invalid.
    init?(_ block: [UInt8]) {
        guard block.count == Self.size, let checksum = Self.number(block[148..<156]) else { return nil }
        let sum =
            block[..<148].reduce(0) { $0 + Int($1) } + 8 * 0x20 + block[156...].reduce(0) { $0 + Int($1) }
        guard sum == checksum, let byteCount = Self.number(block[124..<136]), byteCount >= 0 else {
            return nil
        }
        self.byteCount = byteCount
        let isUstar = block[257..<262].elementsEqual("ustar".utf8)
        let prefix = isUstar && block[262] == 0 ? Self.text(block[345..<500]) : ""
        let name = Self.text(block[..<100])
        self.name = prefix.isEmpty ? name : "\(prefix)/\(name)"
        continues = block[156] == UInt8(ascii: "S") && block[482] != 0
        kind =
            switch block[156] {
            case 0, UInt8(ascii: "0"), UInt8(ascii: "7"): .file
            case UInt8(ascii: "5"): .folder
            case UInt8(ascii: "x"): .extended
            case UInt8(ascii: "g"): .global
            case UInt8(ascii: "L"): .longName
            case UInt8(ascii: "K"): .longLink
            case UInt8(ascii: "1"), UInt8(ascii: "2"): .other("a link")
            case UInt8(ascii: "3"), UInt8(ascii: "4"), UInt8(ascii: "6"): .other("a device or a pipe")
            case UInt8(ascii: "S"): .other("a sparse file")
            default: .other("of an unknown type")
            }
    }

    /// Octal digits, or a binary number if the first bit is set (GNU).
    private static func number(_ field: ArraySlice<UInt8>) -> Int? {
        if let first = field.first, first & 0x80 != 0 {
            guard first == 0x80, field.dropFirst().dropLast(7).allSatisfy({ $0 == 0 }) else { return nil }
            return field.suffix(7).reduce(0) { $0 << 8 | Int($1) }
        }
        let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0x20 && $0 != 0 }
        guard !digits.isEmpty else { return 0 }
        return Int(String(decoding: digits, as: UTF8.self), radix: 8)
    }

    private static func text(_ field: ArraySlice<UInt8>) -> String {
        String(fileNameBytes: field.prefix { $0 != 0 })
    }
}

extension TarHeader {
    /// The header of a file with these bytes. A name that is too long for it is stored in an extended header before
    /// it. Owner, time and mode are constant, so that the same members give the same file.
    static func blocks(of name: String, byteCount: Int) -> [UInt8] {
        let bytes = name.fileNameBytes
        guard bytes.count > 100 else { return block(bytes, byteCount, type: "0") }
        let record = pathRecord(bytes)
        return block(Array("pax".utf8), record.count, type: "x") + record + padding(of: record.count)
            + block(Array(bytes.prefix(100)), byteCount, type: "0")
    }

    /// The padding after `byteCount` bytes, up to the next block.
    static func padding(of byteCount: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: (size - byteCount % size) % size)
    }

    /// `LENGTH path=NAME\n`, where LENGTH includes the digits of LENGTH.
    private static func pathRecord(_ name: [UInt8]) -> [UInt8] {
        let rest = Array(" path=".utf8) + name + [0x0A]
        var count = rest.count
        while "\(count)".utf8.count + rest.count != count { count = "\(count)".utf8.count + rest.count }
        return Array("\(count)".utf8) + rest
    }

    private static func block(_ name: [UInt8], _ byteCount: Int, type: Character) -> [UInt8] {
        func octal(_ number: Int, _ digits: Int) -> [UInt8] {
            let text = String(number, radix: 8)
            return Array((String(repeating: "0", count: max(0, digits - text.count)) + text).utf8) + [0]
        }
        var block = [UInt8](repeating: 0, count: size)
        func put(_ bytes: [UInt8], at place: Int) {
            block.replaceSubrange(place..<place + bytes.count, with: bytes)
        }
        put(name, at: 0)
        put(octal(0o644, 7), at: 100)
        put(octal(0, 7), at: 108)
        put(octal(0, 7), at: 116)
        // Sizes from 8 GiB on are binary numbers. No plane is that large, but the header would be valid.
        if byteCount < 1 << 33 {
            put(octal(byteCount, 11), at: 124)
        } else {
            put(
                [0x80, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: byteCount >> ((7 - $0) * 8)) },
                at: 124)
        }
        put(octal(0, 11), at: 136)
        put([UInt8](repeating: 0x20, count: 8), at: 148)
        put(Array("\(type)".utf8), at: 156)
        put(Array("ustar\u{0}00".utf8), at: 257)
        put(octal(block.reduce(0) { $0 + Int($1) }, 6) + [0x20], at: 148)
        return block
    }
}
