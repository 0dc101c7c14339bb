internal import ByteParsing

/// A TIFF file whose directories are read one by one from where they are, so that nothing else is (TIFF 6.0 §2).
struct TIFFFile: Sendable {
    let source: any ByteSource
    let limits: DecodingLimits
    let byteOrder: ByteOrder
    let first: Int

    /// Reads the header.
    init(_ source: any ByteSource, limits: DecodingLimits) throws(ContainerError) {
        self.source = source
        self.limits = limits
        let start = try source.readPrefix(at: 0, count: 8)
        var cursor = ByteCursor(start.span, path: StructurePath("TIFF"))
        first = try cursor.readTIFFHeader()
        byteOrder = cursor.byteOrder
    }

    /// Reads the directory at a place of the file.
    func directory(at offset: Int) throws(ContainerError) -> Directory { try Directory(self, at: offset) }

    /// Every directory that the first one leads to, each once, itself first: those behind it, and those inside them.
    /// Of those after the first, what cannot be read is left out, and the reason given.
    func directories() throws(ContainerError) -> ([Directory], failure: ContainerError?) {
        var found = [try directory(at: first)]
        var failure: ContainerError?
        var seen: Set<Int> = [first]
        var pending = [found[0].next]
        do throws(ContainerError) {
            pending += try found[0].integers(0x014A, limit: .images).reversed()
        } catch {
            failure = error
        }
        while let offset = pending.popLast() {
            guard offset > 0, seen.insert(offset).inserted else { continue }
            do throws(ContainerError) {
                try limits.check(.images, seen.count, at: offset, in: StructurePath("TIFF"))
                let directory = try directory(at: offset)
                found.append(directory)
                pending.append(directory.next)
                pending += try directory.integers(0x014A, limit: .images).reversed()
            } catch {
                failure = failure ?? error
                if case .limitExceeded = error.reason { break }
            }
        }
        return (found, failure)
    }

    /// One directory, with access to its values.
    struct Directory: Sendable {
        let offset: Int
        let next: Int
        private let file: TIFFFile
        private let entries: [Int: Entry]

        private struct Entry: Sendable {
            var type: Int
            var count: Int
            /// Where the values are in the file.
            var place: Int
        }

        /// Reads the entries, not their values.
        fileprivate init(_ file: TIFFFile, at offset: Int) throws(ContainerError) {
            self.file = file
            self.offset = offset
            let path = StructurePath("TIFF")
            let head = try file.source.read(offset..<offset + 2)
            let count =
                file.byteOrder == .bigEndian
                ? Int(head[0]) << 8 | Int(head[1]) : Int(head[1]) << 8 | Int(head[0])
            try file.limits.check(.directoryEntries, count, at: offset, in: path)
            let bytes = try file.source.readPrefix(at: offset + 2, count: count * 12 + 4)
            var block = ByteCursor(bytes.span, base: offset + 2, path: path)
            block.byteOrder = file.byteOrder
            var entries: [Int: Entry] = [:]
            for _ in 0..<count {
                let (tag, type) = (try block.readUInt16(), try block.readUInt16())
                let values = try block.readUInt32()
                let isInside = values * TIFFDirectory.byteCount(ofType: type) <= 4
                let place = block.offset
                let pointer = try block.readUInt32()
                entries[tag] =
                    entries[tag]
                    ?? Entry(
                        type: type, count: values, place: isInside ? place : pointer)
            }
            self.entries = entries
            next = block.remaining >= 4 ? try block.readUInt32() : 0
        }

        /// The tags of all fields.
        var tags: [Int] { Array(entries.keys) }

        /// The type of a field, and how many values it has.
        func shape(of tag: Int) -> (type: Int, count: Int)? { entries[tag].map { ($0.type, $0.count) } }

        /// Whether the directory has a field.
        func has(_ tag: Int) -> Bool { entries[tag] != nil }

        /// The values of a field of whole numbers; empty where there is none. Throws when there are more than a limit
        /// allows: directories may share one list of millions.
        func integers(_ tag: Int, limit: DecodingLimits.Name) throws(ContainerError) -> [Int] {
            let count = entries[tag]?.count ?? 0
            try file.limits.check(limit, count, at: offset, in: StructurePath("TIFF"))
            return try integers(tag, count: count)
        }

        /// The first value of a field of whole numbers.
        func integer(_ tag: Int) throws(ContainerError) -> Int? { try integers(tag, count: 1).first }

        private func integers(_ tag: Int, count: Int) throws(ContainerError) -> [Int] {
            guard var entry = entries[tag], [1, 3, 4, 7, 13].contains(entry.type) else { return [] }
            entry.count = min(entry.count, count)
            let size = TIFFDirectory.byteCount(ofType: entry.type)
            let bytes = try self.bytes(of: entry)
            var block = ByteCursor(bytes.span, base: entry.place, path: StructurePath("TIFF"))
            block.byteOrder = file.byteOrder
            var values: [Int] = []
            values.reserveCapacity(entry.count)
            for _ in 0..<entry.count { values.append(try block.readUnsigned(byteCount: size)) }
            return values
        }

        /// The first value of a RATIONAL; infinite for x/0, `nan` for 0/0.
        func rational(_ tag: Int) throws(ContainerError) -> Double? {
            guard let entry = entries[tag], entry.type == 5, entry.count > 0 else { return nil }
            let bytes = try file.source.readPrefix(at: entry.place, count: 8)
            var block = ByteCursor(bytes.span, base: entry.place, path: StructurePath("TIFF"))
            block.byteOrder = file.byteOrder
            return Double(try block.readUInt32()) / Double(try block.readUInt32())
        }

        /// The text of an ASCII field, without trailing NUL and spaces, its first 4096 bytes at most: directories may share
        /// one text of megabytes.
        func text(_ tag: Int) throws(ContainerError) -> String? {
            guard var entry = entries[tag], entry.type == 2 || entry.type == 1 else { return nil }
            entry.count = min(entry.count, 4096)
            let bytes = try self.bytes(of: entry)
            var text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            while text.last == " " { text.removeLast() }
            return text
        }

        /// The bytes of a field.
        func bytes(_ tag: Int) throws(ContainerError) -> (bytes: [UInt8], offset: Int)? {
            guard let entry = entries[tag] else { return nil }
            return (try bytes(of: entry), entry.place)
        }

        private func bytes(of entry: Entry) throws(ContainerError) -> [UInt8] {
            let count = entry.count * TIFFDirectory.byteCount(ofType: entry.type)
            try file.limits.check(.metadataBytes, count, at: entry.place, in: StructurePath("TIFF"))
            return try file.source.read(entry.place..<entry.place + count)
        }
    }
}
