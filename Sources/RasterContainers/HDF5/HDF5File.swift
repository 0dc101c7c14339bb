internal import ByteParsing

/// The structure of an HDF5 file, "HDF5 File Format Specification Version 3.0". All addresses are offsets in the file.
///
/// Read here and not by libhdf5, which crashes on damaged files. Nothing here opens another file: external storage, external
/// links, virtual datasets and files in several parts are refused.
struct HDF5File: Sendable {
    static let path = StructurePath("HDF5")
    static let signature: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]

    let source: any ByteSource
    let limits: DecodingLimits
    /// The address of the header of the root group.
    private(set) var root = 0
    private var addressSize = 8
    private var lengthSize = 8

    /// Reads the superblock (§II).
    init(_ source: any ByteSource, limits: DecodingLimits) throws(ContainerError) {
        (self.source, self.limits) = (source, limits)
        let start = try source.readPrefix(at: 0, count: 128)
        var cursor = ByteCursor(hdf5: start.span, at: 0)
        try cursor.skip(Self.signature.count)
        let version = try cursor.readByte()
        guard version <= 3 else {
            throw cursor.failure(.unsupported(feature: "HDF5 superblock version \(version)"))
        }
        if version < 2 { try cursor.skip(4) }
        (addressSize, lengthSize) = (Int(try cursor.readByte()), Int(try cursor.readByte()))
        guard [addressSize, lengthSize].allSatisfy([2, 4, 8].contains) else {
            throw cursor.malformed("HDF5 addresses take \(addressSize) bytes and lengths \(lengthSize)")
        }
        try cursor.skip([9, 13, 1, 1][Int(version)])
        // The base address, that of free space or an extension, and the end of the file.
        let (base, _) = (try address(&cursor), try address(&cursor))
        _ = try requiredAddress(&cursor)
        if version < 2 {
            guard try address(&cursor) == nil else {
                throw cursor.failure(.unsupported(feature: "an HDF5 file in several parts"))
            }
            try cursor.skip(addressSize)
        }
        root = try requiredAddress(&cursor)
        if version >= 2 {
            let end = cursor.position + 4
            try cursor.skip(4)
            try checkSum(start[..<end], at: 0)
        }
        guard base == 0 else {
            throw cursor.failure(.unsupported(feature: "an HDF5 file that starts inside another one"))
        }
    }

    /// Copies the bytes of a structure.
    func bytes(at address: Int, count: Int) throws(ContainerError) -> [UInt8] {
        let (end, overflow) = address.addingReportingOverflow(count)
        guard count >= 0, !overflow else {
            throw ContainerError(.arithmeticOverflow, at: address, in: Self.path)
        }
        try source.check(address..<end, in: Self.path)
        return try source.read(address..<end)
    }

    /// Bytes of an address and a length.
    var sizes: (address: Int, length: Int) { (addressSize, lengthSize) }

    /// Reads an address inside the file; `nil` if it is undefined, with all bits set.
    func address(_ cursor: inout ByteCursor) throws(ContainerError) -> Int? {
        var ahead = cursor
        if try ahead.readBytes(addressSize).allSatisfy({ $0 == 0xFF }) {
            try cursor.skip(addressSize)
            return nil
        }
        let start = cursor.offset
        let address = try cursor.readUnsigned(byteCount: addressSize)
        guard address <= source.byteCount else {
            throw ContainerError(
                .truncated(needed: address, available: source.byteCount), at: start, in: Self.path)
        }
        return address
    }

    /// Reads an address that must be defined.
    func requiredAddress(_ cursor: inout ByteCursor) throws(ContainerError) -> Int {
        guard let address = try address(&cursor) else {
            throw cursor.malformed("a required HDF5 address is undefined")
        }
        return address
    }

    /// Reads a length.
    func length(_ cursor: inout ByteCursor) throws(ContainerError) -> Int {
        try cursor.readUnsigned(byteCount: lengthSize)
    }

    /// Throws if the last four bytes of a structure are not the checksum of the others.
    func checkSum(_ bytes: ArraySlice<UInt8>, at address: Int) throws(ContainerError) {
        let stored = bytes.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard bytes.count > 4, lookup3(bytes.dropLast(4)) == stored else {
            throw ContainerError(
                .malformed(rule: "the checksum of an HDF5 structure is wrong"), at: address, in: Self.path)
        }
    }
}

extension ByteCursor {
    /// Starts at the first byte of a structure, which was read at an address.
    @_lifetime(copy bytes)
    init(hdf5 bytes: Span<UInt8>, at address: Int) {
        self.init(bytes, base: address, path: HDF5File.path)
        byteOrder = .littleEndian
    }
}

/// Bob Jenkins' `hashlittle` with the initial value 0 (lookup3.c), the checksum of HDF5's metadata.
private func lookup3(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var words = (0..<3).map { _ in 0xDEAD_BEEF &+ UInt32(truncatingIfNeeded: bytes.count) }
    func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
    func combine(_ target: Int, _ other: Int, _ count: UInt32) {
        words[target] = (words[target] ^ words[other]) &- rotated(words[other], count)
    }
    var start = bytes.startIndex
    while start < bytes.endIndex {
        let block = bytes[start...].prefix(12)
        for (index, byte) in block.enumerated() {
            words[index / 4] &+= UInt32(byte) << (8 * UInt32(index % 4))
        }
        start += block.count
        guard start < bytes.endIndex else { break }
        for (target, other, sum, count) in [
            (0, 2, 1, 4), (1, 0, 2, 6), (2, 1, 0, 8), (0, 2, 1, 16), (1, 0, 2, 19), (2, 1, 0, 4),
        ] {
            words[target] = (words[target] &- words[other]) ^ rotated(words[other], UInt32(count))
            words[other] &+= words[sum]
        }
    }
    if !bytes.isEmpty {
        for (target, other, count) in [
            (2, 1, 14), (0, 2, 11), (1, 0, 25), (2, 1, 16), (0, 2, 4), (1, 0, 14), (2, 1, 24),
        ] { combine(target, other, UInt32(count)) }
    }
    return words[2]
}
