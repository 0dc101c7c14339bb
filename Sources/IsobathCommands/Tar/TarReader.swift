internal import Isobath

/// Reads a tar file from beginning to end, without seeking: ustar, with long names in POSIX and GNU style.
struct TarReader {
    /// A member that is a file, or that is refused.
    struct Member {
        var name: String
        /// Why the member is refused; its bytes are then skipped.
        var refusal: ContainerError?
        var bytes: [UInt8] = []
    }

    private let stream: InputStream
    private let limits: DecodingLimits
    private var place = 0
    /// The number of members read, including folders and skipped ones.
    private(set) var memberCount = 0

    /// The maximum bytes between the end mark and the end of the file: writers pad to a tape block.
    private static let mostPadding = 1 << 20

    /// Reads from a stream.
    init(_ stream: InputStream, limits: DecodingLimits) {
        self.stream = stream
        self.limits = limits
    }

    /// The next file; `nil` at the end. Folders are skipped. `wants` decides by a file's name whether its bytes are
    /// read.
    ///
    /// Throws if the tar file is damaged or truncated, or its end is not marked: the next member cannot be found then.
    mutating func next(wants: (String) -> Bool) throws(ContainerError) -> Member? {
        var longName: String?
        var longSize: Int?
        var isSparse = false
        while true {
            let start = place
            let block = read(TarHeader.size)
            guard !block.isEmpty else {
                throw ContainerError(
                    .malformed(
                        rule: memberCount == 0
                            ? "the tar file is empty: even one without members has zeros that mark its end"
                            : "the tar file ends after \(memberCount) member\(memberCount == 1 ? "" : "s"), without the zeros that mark its end; it may be cut off"
                    ), at: start)
            }
            guard block.count == TarHeader.size else { throw truncated(TarHeader.size, block.count, start) }
            if block.allSatisfy({ $0 == 0 }) {
                try checkNothingFollows()
                return nil
            }
            guard let header = TarHeader(block) else {
                throw ContainerError(
                    .malformed(rule: "the header of a member has a wrong checksum or size"), at: start)
            }
            let name = longName ?? header.name
            if header.continues { try skipSparseMap() }
            let isFolder = header.kind == .folder || header.kind == .file && name.hasSuffix("/")
            switch header.kind {
            case .extended, .global, .longName, .longLink:
                try limits.check(.metadataBytes, header.byteCount, at: start)
                let bytes = try contents(header.byteCount)
                if header.kind == .longName {
                    longName = String(fileNameBytes: bytes.prefix { $0 != 0 })
                } else if header.kind == .extended {
                    let records = try Self.records(bytes, at: start)
                    longName = records.path ?? longName
                    longSize = records.size ?? longSize
                    isSparse = isSparse || records.isSparse
                }
            case _ where isFolder:
                memberCount += 1
                try skip(longSize ?? header.byteCount)
                (longName, longSize, isSparse) = (nil, nil, false)
            case .file where isSparse:
                memberCount += 1
                try skip(longSize ?? header.byteCount)
                return Member(
                    name: name,
                    refusal: ContainerError(.malformed(rule: "the member is a sparse file"), at: start))
            case .other(let kind):
                memberCount += 1
                // A link has no bytes, even if its size field declares some.
                try skip(kind == "a link" ? 0 : longSize ?? header.byteCount)
                return Member(
                    name: name, refusal: ContainerError(.malformed(rule: "the member is \(kind)"), at: start))
            case .file, .folder:
                memberCount += 1
                let count = longSize ?? header.byteCount
                if let refusal = refusal(of: name, count, at: start) {
                    try skip(count)
                    return Member(name: name, refusal: refusal)
                }
                guard wants(name) else {
                    try skip(count)
                    return Member(name: name)
                }
                return Member(name: name, bytes: try contents(count))
            }
        }
    }

    /// Skips the bytes after the first block of zeros. Throws if they are not zeros, for example another tar file.
    private mutating func checkNothingFollows() throws(ContainerError) {
        let end = place
        while place - end < Self.mostPadding {
            let start = place
            let block = read(TarHeader.size)
            guard block.allSatisfy({ $0 == 0 }) else {
                throw ContainerError(
                    .malformed(
                        rule:
                            "data after the zeros that mark the end of the tar file is not read; 'tar -A' joins tar files"
                    ),
                    at: start)
            }
            guard block.count == TarHeader.size else { return }
        }
    }

    /// Skips the blocks with more of a sparse file's map (GNU): byte 504 of each declares whether another follows.
    private mutating func skipSparseMap() throws(ContainerError) {
        while true {
            let start = place
            let block = read(TarHeader.size)
            guard block.count == TarHeader.size else { throw truncated(TarHeader.size, block.count, start) }
            guard block[504] != 0 else { return }
        }
    }

    private func refusal(of name: String, _ count: Int, at start: Int) -> ContainerError? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.hasPrefix("/"), !parts.contains(".."), !name.unicodeScalars.contains("\0"), !name.isEmpty
        else {
            return ContainerError(
                .malformed(rule: "the member's name leads out of the tar file's folder"), at: start)
        }
        do throws(ContainerError) {
            try limits.check(.inputBytes, count, at: start)
            return nil
        } catch {
            return error
        }
    }

    private mutating func contents(_ count: Int) throws(ContainerError) -> [UInt8] {
        let start = place
        let bytes = read(count)
        guard bytes.count == count else { throw truncated(count, bytes.count, start) }
        try skip(0, after: count)
        return bytes
    }

    private mutating func read(_ count: Int) -> [UInt8] {
        let bytes = stream.bytes(count)
        place += bytes.count
        return bytes
    }

    /// Skips `count` bytes and the padding after them; `before` bytes of the member were read already.
    private mutating func skip(_ count: Int, after before: Int = 0) throws(ContainerError) {
        let padding = TarHeader.padding(of: (count + before) % TarHeader.size).count
        let skipped = stream.skip(count)
        guard skipped == count else { throw truncated(count, skipped, place) }
        // The last member's padding may be missing.
        place += count + stream.skip(padding)
    }

    private func truncated(_ needed: Int, _ available: Int, _ start: Int) -> ContainerError {
        ContainerError(.truncated(needed: needed, available: available), at: start)
    }

    /// The records that are used here, each `LENGTH KEY=VALUE\n`.
    private static func records(
        _ bytes: [UInt8], at start: Int
    ) throws(ContainerError) -> (path: String?, size: Int?, isSparse: Bool) {
        var found: (path: String?, size: Int?, isSparse: Bool) = (nil, nil, false)
        var rest = bytes[...]
        while !rest.isEmpty {
            let digits = rest.prefix { $0 != 0x20 }
            guard digits.count < 10, let count = Int(String(decoding: digits, as: UTF8.self)),
                count > digits.count + 1, count <= rest.count
            else {
                let length = String(decoding: digits.prefix(10), as: UTF8.self)
                throw ContainerError(
                    .malformed(
                        rule: "an extended record declares '\(length)' bytes; \(rest.count) follow"),
                    at: start)
            }
            let record = rest.prefix(count).dropFirst(digits.count + 1).dropLast()
            rest = rest.dropFirst(count)
            guard let equals = record.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let value = record[(equals + 1)...]
            switch String(decoding: record[..<equals], as: UTF8.self) {
            case "path": found.path = String(fileNameBytes: value)
            case "size":
                guard let size = Int(String(decoding: value, as: UTF8.self)), size >= 0 else {
                    let text = String(decoding: value.prefix(20), as: UTF8.self)
                    throw ContainerError(
                        .malformed(
                            rule: "an extended record has size '\(text)'; it must be 0 or more"), at: start)
                }
                found.size = size
            case let key where key.hasPrefix("GNU.sparse"): found.isSparse = true
            default: break
            }
        }
        return found
    }
}
