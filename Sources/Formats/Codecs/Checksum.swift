internal import CISAL

/// The CRC-32 of zip and PNG files. `before` is the CRC-32 of the preceding bytes, to compute it in pieces.
package func checksum(_ bytes: [UInt8], after before: UInt32 = 0) -> UInt32 {
    // SAFETY: ISA-L reads `count` bytes from the start of the array.
    unsafe bytes.withUnsafeBytes { bytes in
        unsafe crc32_gzip_refl(
            before, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, UInt64(bytes.count))
    }
}
