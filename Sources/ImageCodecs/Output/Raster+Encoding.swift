internal import CCodecShims
internal import Glibc

extension Raster {
    /// Runs an encoder of `CCodecShims` with everything it needs as pointers, and turns its code into an error.
    func encode(
        _ shim: (
            _ raster: Raster, _ samples: UnsafeRawPointer?, _ profile: UnsafePointer<UInt8>?,
            _ record: UnsafePointer<CChar>?, _ message: UnsafeMutablePointer<CChar>?
        ) -> Int32
    ) throws(EncodingError) {
        guard width > 0, height > 0, width <= Int(Int32.max), height <= Int(Int32.max) else {
            throw .unsuitable("an image of \(width) × \(height) cannot be written")
        }
        var message = [CChar](repeating: 0, count: Int(ISOBATH_MESSAGE_SIZE))
        var code: Int32 = 0
        var number: Int32 = 0
        // SAFETY: samples, profile and record outlive the call; the sizes given with them are theirs.
        unsafe withSampleBytes { samples in
            unsafe colorProfile.withUnsafeBufferPointer { profile in
                unsafe message.withUnsafeMutableBufferPointer { message in
                    let bytes = profile.isEmpty ? nil : profile.baseAddress
                    if let record {
                        unsafe record.withCString { record in
                            code = unsafe shim(self, samples.baseAddress, bytes, record, message.baseAddress)
                        }
                    } else {
                        code = unsafe shim(self, samples.baseAddress, bytes, nil, message.baseAddress)
                    }
                    number = errno
                }
            }
        }
        switch Int(code) {
        case ISOBATH_OK: return
        case ISOBATH_IO: throw .output(number == 0 ? EIO : number)
        default: throw .unsuitable(text(message))
        }
    }
}
