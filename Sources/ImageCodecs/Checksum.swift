internal import CISAL

/// The CRC-32 of zip and PNG files.
package func checksum(_ bytes: [UInt8]) -> UInt32 {
    // SAFETY: ISA-L reads `count` bytes from the start of the array.
    unsafe bytes.withUnsafeBytes { bytes in
        unsafe crc32_gzip_refl(0, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, UInt64(bytes.count))
    }
}
