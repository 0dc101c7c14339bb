internal import Bytes
internal import CInflateShims
package import Codecs

/// How a chunk or a message of a bag is compressed.
enum Packing: Hashable, Sendable {
    /// An LZ4 frame.
    case lz4
    /// A Zstandard frame.
    case zstandard
    /// A bzip2 stream.
    case bzip2

    /// The first bytes of a Zstandard frame (RFC 8878 §3.1.1).
    static let zstandardMark: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

    /// Decompresses bytes into an array, whose memory is reused.
    ///
    /// - Parameters:
    ///   - count: The decompressed size, as declared.
    ///   - place: The offset of the bytes in the file, for errors.
    /// - Throws: If the bytes are damaged or have another size, if `limits` are exceeded, and if the library is missing.
    func unpack(
        _ packed: [UInt8], count: Int, into bytes: inout [UInt8], at place: Int, _ limits: DecodingLimits
    ) throws(ContainerError) {
        try limits.check(.codedBytes, count, at: place)
        guard count / greatestRatio <= packed.count else {
            throw ContainerError(
                .malformed(
                    rule:
                        "chunk declares \(count) bytes, more than \(greatestRatio) times its \(packed.count) bytes of \(name)"
                ), at: place)
        }
        try limits.checkMemory(pixels: count, bytesPerPixel: 1, other: packed.count)
        if bytes.count != count { bytes = [UInt8](repeating: 0, count: count) }
        let code = unsafe packed.withUnsafeBufferPointer { input in
            unsafe bytes.withUnsafeMutableBufferPointer { output in
                guard let from = input.baseAddress else { return Int32(-1) }
                // An empty array may have no address; nothing is written to this one.
                var nothing: UInt8 = 0
                return unsafe withUnsafeMutablePointer(to: &nothing) { nothing in
                    // SAFETY: both buffers have the given sizes.
                    unsafe decode(from, input.count, output.baseAddress ?? nothing, output.count)
                }
            }
        }
        if code == ISOBATH_UNPACKER_MISSING { throw missingLibrary.error(at: place) }
        guard code == 0 else {
            throw ContainerError(.damaged(detail: "\(name) data cannot be decompressed"), at: place)
        }
    }

    /// The decompressed size of a Zstandard frame: as it declares, otherwise found by decompressing it. Adds it to `unpacked`.
    ///
    /// Throws if the frame is damaged, and if its bytes exceed what may be decompressed.
    static func zstandardSize(
        _ packed: [UInt8], at place: Int, _ limits: DecodingLimits, _ unpacked: UnpackedBytes
    ) throws(ContainerError) -> Int {
        var size: UInt64 = 0
        let most = UInt64(min(limits[.codedBytes], unpacked.remaining))
        let code = unsafe packed.withUnsafeBufferPointer { input in
            guard let from = input.baseAddress else { return Int32(-1) }
            // SAFETY: the buffer has the given size.
            return unsafe isobath_zstd_size(from, input.count, most, &size)
        }
        if code == ISOBATH_UNPACKER_MISSING { throw CodecLibrary.zstandard.error(at: place) }
        // Bytes before the damage took time, too.
        try unpacked.count(Int(clamping: size), at: place)
        guard code == 0 else {
            throw ContainerError(
                .damaged(detail: "Zstandard data cannot be decompressed"), at: place)
        }
        return Int(clamping: size)
    }

    private var name: String {
        switch self {
        case .lz4: "LZ4"
        case .zstandard: "Zstandard"
        case .bzip2: "bzip2"
        }
    }

    /// No valid data is compressed by more than this: a run of LZ4 needs a byte for each 255, a block of Zstandard 4
    /// bytes for 128 KB, and a block of bzip2 about 40 bytes for 900 KB, before its first encoding of runs by 255.
    private var greatestRatio: Int {
        switch self {
        case .lz4: 255
        case .zstandard: 1 << 15
        case .bzip2: 1 << 23
        }
    }

    private var missingLibrary: CodecLibrary { self == .bzip2 ? .bzip2 : .zstandard }

    private func decode(
        _ input: UnsafePointer<UInt8>, _ size: Int, _ output: UnsafeMutablePointer<UInt8>, _ capacity: Int
    ) -> Int32 {
        switch self {
        case .lz4: unsafe isobath_lz4_decode(input, size, output, capacity)
        case .zstandard: unsafe isobath_zstd_decode(input, size, output, capacity)
        case .bzip2: unsafe isobath_bzip2_decode(input, size, output, capacity)
        }
    }
}

extension CodecLibrary {
    static var zstandard: CodecLibrary {
        unsafe CodecLibrary("libzstd", for: "Zstandard in bags", isobath_zstd_library)
    }

    static var bzip2: CodecLibrary {
        unsafe CodecLibrary("libbz2", for: "bzip2 in ROS 1 bags", isobath_bzip2_library)
    }

    static var sqlite: CodecLibrary {
        unsafe CodecLibrary("SQLite", for: "ROS 2 bags (.db3)", isobath_sqlite_library)
    }

    /// The libraries that recordings need. Loads them.
    package static var ofRecordings: [CodecLibrary] { [zstandard, bzip2, sqlite] }

    private init(
        _ name: String, for purpose: String, _ find: (UnsafeMutablePointer<isobath_unpacker>) -> Void
    ) {
        var library = unsafe isobath_unpacker()
        unsafe find(&library)
        unsafe self.init(
            name, for: purpose, file: library.file, package: library.package, version: library.version)
    }

    /// The error if the library is needed and cannot be loaded.
    func error(at place: Int? = nil) -> ContainerError {
        ContainerError(
            .unsupported(
                feature:
                    "\(purpose) without its library (\(file ?? name) cannot be loaded; install \(package))"),
            at: place)
    }
}
