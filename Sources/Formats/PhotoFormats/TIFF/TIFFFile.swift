internal import Bytes

/// A TIFF file (TIFF 6.0 §2) whose directories are read one by one.
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

    /// Reads the directory at an offset of the file.
    func directory(at offset: Int) throws(ContainerError) -> Directory { try Directory(self, at: offset) }

    /// Every directory that can be reached from the first one, by links or SubIFDs, each once, starting with itself. Others
    /// that cannot be read are skipped; `failure` is the first reason.
    func directories() throws(ContainerError) -> ([Directory], failure: ContainerError?) {
        var found = [try directory(at: first)]
        var failure: ContainerError?
        var seen: Set<Int> = [first]
        var pending = [found[0].next]
        do throws(ContainerError) {
            pending += try found[0].integers(.subIFDs, limit: .images).reversed()
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
                pending += try directory.integers(.subIFDs, limit: .images).reversed()
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
        /// Fields by tag; if a tag is repeated, the first one.
        private let entries: [Int: TIFFDirectory.Entry]

        /// Reads the entries, not their values.
        fileprivate init(_ file: TIFFFile, at offset: Int) throws(ContainerError) {
            self.file = file
            self.offset = offset
            let path = StructurePath("TIFF")
            let start = try file.source.read(offset..<offset + 2)
            var head = ByteCursor(start.span, base: offset, path: path)
            head.byteOrder = file.byteOrder
            let count = try head.readUInt16()
            try file.limits.check(.directoryEntries, count, at: offset, in: path)
            let bytes = try file.source.readPrefix(at: offset + 2, count: count * 12 + 4)
            var block = ByteCursor(bytes.span, base: offset + 2, path: path)
            block.byteOrder = file.byteOrder
            let directory = try TIFFDirectory(parsingEntries: &block, count: count, start: offset + 2)
            entries = Dictionary(directory.entries.map { ($0.tag, $0) }) { first, _ in first }
            next = directory.next
        }

        /// The tags of all fields.
        var tags: [Int] { Array(entries.keys) }

        /// The field with a tag, even if ``TIFFTag`` has no name for it.
        func entry(number: Int) -> TIFFDirectory.Entry? { entries[number] }

        /// Whether the directory has a field.
        func has(_ tag: TIFFTag) -> Bool { entries[tag.rawValue] != nil }

        /// The values of an integer field; empty if missing. Throws if there are more than a limit allows: directories
        /// may refer to the same list of millions.
        func integers(_ tag: TIFFTag, limit: DecodingLimits.Name) throws(ContainerError) -> [Int] {
            let count = entries[tag.rawValue]?.count ?? 0
            try file.limits.check(limit, count, at: offset, in: StructurePath("TIFF"))
            return try integers(number: tag.rawValue, count: count)
        }

        /// The first value of an integer field.
        func integer(_ tag: TIFFTag) throws(ContainerError) -> Int? { try integer(number: tag.rawValue) }

        /// The first value of an integer field, by the number of its tag.
        func integer(number: Int) throws(ContainerError) -> Int? {
            try integers(number: number, count: 1).first
        }

        private func integers(number: Int, count: Int) throws(ContainerError) -> [Int] {
            guard var entry = entries[number], entry.isInteger else { return [] }
            entry.count = min(entry.count, count)
            return try read(entry) { (values) throws(ContainerError) in
                var numbers: [Int] = []
                numbers.reserveCapacity(entry.count)
                while !values.isAtEnd, let number = try entry.readInteger(&values) { numbers.append(number) }
                return numbers
            }
        }

        /// The first value of a RATIONAL; infinite for x/0, `nan` for 0/0.
        func rational(_ tag: TIFFTag) throws(ContainerError) -> Double? {
            guard var entry = entries[tag.rawValue], entry.type == 5, entry.count > 0 else { return nil }
            entry.count = 1
            return try read(entry) { (values) throws(ContainerError) in try entry.readRational(&values) }
        }

        /// The text of an ASCII field, without trailing NUL and spaces, at most its first 4096 bytes: directories may refer
        /// to the same text of megabytes.
        func text(_ tag: TIFFTag) throws(ContainerError) -> String? {
            guard var entry = entries[tag.rawValue], entry.type == 2 || entry.type == 1 else { return nil }
            entry.count = min(entry.count, 4096)
            return try read(entry) { (values) throws(ContainerError) in try entry.readText(&values) }
        }

        /// Calls `body` with a cursor at the values of a field, which ends after them.
        private func read<Value>(
            _ entry: TIFFDirectory.Entry, _ body: (inout ByteCursor) throws(ContainerError) -> Value
        ) throws(ContainerError) -> Value {
            let bytes = try bytes(of: entry)
            var values = ByteCursor(bytes.span, base: entry.valueOffset, path: StructurePath("TIFF"))
            values.byteOrder = file.byteOrder
            return try body(&values)
        }

        /// The bytes of a field, and their offset in the file.
        func bytes(_ tag: TIFFTag) throws(ContainerError) -> (bytes: [UInt8], offset: Int)? {
            guard let entry = entries[tag.rawValue] else { return nil }
            return (try bytes(of: entry), entry.valueOffset)
        }

        /// The bytes of a field's values.
        func bytes(of entry: TIFFDirectory.Entry) throws(ContainerError) -> [UInt8] {
            try file.limits.check(
                .metadataBytes, entry.byteCount, at: entry.valueOffset, in: StructurePath("TIFF"))
            return try file.source.read(entry.valueOffset..<entry.valueOffset + entry.byteCount)
        }
    }
}
