internal import CDeflate

/// The CRC-32 of zip and PNG files.
package func checksum(_ bytes: [UInt8]) -> UInt32 {
    // SAFETY: libdeflate reads `count` bytes from where the array begins.
    unsafe bytes.withUnsafeBytes { unsafe libdeflate_crc32(0, $0.baseAddress, $0.count) }
}
