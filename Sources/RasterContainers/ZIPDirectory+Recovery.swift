package import ByteParsing

extension ZIPDirectory {
    /// Finds the members of an archive without a directory, such as a truncated one, by their local headers: from the
    /// first member to the first incomplete one. Examines at most as many as `limit` allows.
    ///
    /// A member whose size follows its data (bit 3 of its flags) ends at a descriptor that begins with `PK\\7\\8` and has the
    /// right size (§4.3.9).
    package init(
        recovering source: any ByteSource, limits: DecodingLimits,
        countedBy limit: DecodingLimits.Name = .items
    ) throws(ContainerError) {
        entries = []
        var offset = 0
        while let found = try Self.member(at: offset, source) {
            try limits.check(limit, entries.count + 1, at: offset, in: Self.path)
            entries.append(found.entry)
            offset = found.end
        }
    }

    /// The member whose header is at an offset, and the offset of the next one; `nil` if there is no complete member.
    private static func member(
        at offset: Int, _ source: any ByteSource
    ) throws(ContainerError) -> (entry: Entry, end: Int)? {
        guard offset <= source.byteCount - 30 else { return nil }
        let header = try source.read(offset..<offset + 30)
        var cursor = ByteCursor(header.span, base: offset, path: path)
        cursor.byteOrder = .littleEndian
        guard try cursor.readUInt32() == 0x0403_4B50 else { return nil }
        try cursor.skip(2)
        let (flags, method) = (try cursor.readUInt16(), try cursor.readUInt16())
        try cursor.skip(4)
        var checksum: UInt32 = try cursor.read()
        var (packed, unpacked) = (try cursor.readUInt32(), try cursor.readUInt32())
        let (nameLength, extraLength) = (try cursor.readUInt16(), try cursor.readUInt16())
        let start = offset + 30 + nameLength + extraLength
        guard flags & 1 == 0, method == 0 || method == 8, start <= source.byteCount else { return nil }
        let names = try source.read(offset + 30..<start)
        var end = start
        if flags & 8 != 0, packed == 0 {
            guard let found = try descriptor(after: start, source) else { return nil }
            (checksum, packed, unpacked) = (found.checksum, found.packed, found.unpacked)
            end = start + packed + 16
        } else {
            var extra = ByteCursor(names.span.extracting(nameLength...), base: start, path: path)
            extra.byteOrder = .littleEndian
            while extra.remaining >= 4 {
                let (kind, length) = (try extra.readUInt16(), try extra.readUInt16())
                guard length <= extra.remaining else { break }
                var field = try extra.child(byteCount: length)
                guard kind == 1 else { continue }
                if unpacked == 0xFFFF_FFFF { unpacked = try field.readUnsigned(byteCount: 8) }
                if packed == 0xFFFF_FFFF { packed = try field.readUnsigned(byteCount: 8) }
            }
            guard packed <= source.byteCount - start else { return nil }
            end = start + packed
            // A descriptor may follow in either case.
            if flags & 8 != 0 { end += 16 }
        }
        guard method == 8 || packed == unpacked else { return nil }
        let entry = Entry(
            name: String(decoding: names.prefix(nameLength), as: UTF8.self), range: start..<start + packed,
            isDeflated: method == 8, byteCount: unpacked, checksum: checksum)
        return (entry, end)
    }

    /// The descriptor with the size of the data that begins at an offset.
    private static func descriptor(
        after start: Int, _ source: any ByteSource
    ) throws(ContainerError) -> (checksum: UInt32, packed: Int, unpacked: Int)? {
        let step = 1 << 16
        var place = start
        while place <= source.byteCount - 16 {
            let bytes = try source.readPrefix(at: place, count: step + 15)
            guard bytes.count >= 16 else { return nil }
            for index in 0...bytes.count - 16
            where bytes[index] == 0x50 && bytes[index + 1] == 0x4B && bytes[index + 2] == 7
                && bytes[index + 3] == 8
            {
                var cursor = ByteCursor(bytes.span.extracting(index..<index + 16), base: place, path: path)
                cursor.byteOrder = .littleEndian
                try cursor.skip(4)
                let checksum: UInt32 = try cursor.read()
                let (packed, unpacked) = (try cursor.readUInt32(), try cursor.readUInt32())
                if packed == place + index - start { return (checksum, packed, unpacked) }
            }
            place += step
        }
        return nil
    }
}
