internal import Bytes
internal import CCodecShims
internal import Glibc

extension Raster {
    /// Runs an encoder of `CCodecShims` with all its inputs as pointers, and turns its code into an error.
    func encode(
        _ shim: (
            _ raster: Raster, _ samples: UnsafeRawPointer?, _ attachments: isobath_attachments,
            _ record: UnsafePointer<CChar>?, _ message: UnsafeMutablePointer<CChar>?
        ) -> Int32
    ) throws(WriteError) {
        guard width > 0, height > 0, width <= Int(Int32.max), height <= Int(Int32.max) else {
            throw .unsuitable("an image of \(width) × \(height) cannot be written")
        }
        var message = [CChar](repeating: 0, count: Int(ISOBATH_MESSAGE_SIZE))
        var code: Int32 = 0
        var number: Int32 = 0
        // SAFETY: samples, attachments and record outlive the call; the sizes given with them are theirs.
        try unsafe withAttachments { attachments in
            unsafe withSampleBytes { samples in
                unsafe message.withUnsafeMutableBufferPointer { message in
                    if let record {
                        unsafe record.withCString { record in
                            code = unsafe shim(
                                self, samples.baseAddress, attachments, record, message.baseAddress)
                        }
                    } else {
                        code = unsafe shim(self, samples.baseAddress, attachments, nil, message.baseAddress)
                    }
                    number = errno
                }
            }
        }
        switch Int(code) {
        case ISOBATH_OK: return
        case ISOBATH_IO: throw .system(number == 0 ? EIO : number)
        case ISOBATH_UNSUPPORTED: throw .unsuitable(text(message) + " is not supported")
        default: throw .unsuitable(text(message))
        }
    }

    /// Calls `body` with pointers to the profile and the metadata.
    private func withAttachments(_ body: (isobath_attachments) -> Void) throws(WriteError) {
        for block in [colorProfile, metadata.exif, metadata.xmp] where block.count > Int(Int32.max) {
            throw .unsuitable("a block of \(block.count) bytes of metadata cannot be written")
        }
        unsafe colorProfile.withUnsafeBufferPointer { profile in
            unsafe metadata.exif.withUnsafeBufferPointer { exif in
                unsafe metadata.xmp.withUnsafeBufferPointer { xmp in
                    unsafe body(
                        isobath_attachments(
                            profile: profile.baseAddress, profile_size: UInt32(profile.count),
                            exif: exif.baseAddress, exif_size: UInt32(exif.count),
                            xmp: xmp.baseAddress, xmp_size: UInt32(xmp.count)))
                }
            }
        }
    }
}
