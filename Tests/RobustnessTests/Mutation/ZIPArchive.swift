/// ZIP archives as NumPy writes them.
enum ZIPArchive {
    /// The bytes of an archive; deflated members are a single stored block, which every inflater accepts.
    static func bytes(_ members: KeyValuePairs<String, [UInt8]>, isDeflated: Bool) -> [UInt8] {
        var archive: [UInt8] = []
        var directory: [UInt8] = []
        for (name, bytes) in members {
            let packed =
                isDeflated ? [1] + little(bytes.count, 2) + little(~bytes.count & 0xFFFF, 2) + bytes : bytes
            let facts =
                little(20, 2) + little(0, 2) + little(isDeflated ? 8 : 0, 2) + little(0, 4)
                + little(checksum(bytes), 4) + little(packed.count, 4) + little(bytes.count, 4)
                + little(name.utf8.count, 2) + little(0, 2)
            directory += Array("PK\u{1}\u{2}".utf8) + little(20, 2) + facts + little(0, 10)
            directory += little(archive.count, 4) + Array(name.utf8)
            archive += Array("PK\u{3}\u{4}".utf8) + facts + Array(name.utf8) + packed
        }
        let end =
            Array("PK\u{5}\u{6}".utf8) + little(0, 4) + little(members.count, 2) + little(members.count, 2)
            + little(directory.count, 4) + little(archive.count, 4) + little(0, 2)
        return archive + directory + end
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 < 8 ? value >> (8 * $0) : 0) }
    }

    /// CRC-32 (ISO 3309).
    private static func checksum(_ bytes: [UInt8]) -> Int {
        var register: UInt32 = .max
        for byte in bytes {
            register ^= UInt32(byte)
            for _ in 0..<8 { register = register >> 1 ^ (register & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return Int(~register)
    }
}
