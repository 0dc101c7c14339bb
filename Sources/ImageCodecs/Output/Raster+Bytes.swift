internal import DepthCore
internal import Glibc

extension Raster {
    /// Whether this machine writes the least significant byte first.
    static var isLittleEndian: Bool { UInt16(1).littleEndian == 1 }

    /// The samples as Float32: values as they are, codes as shares of the largest code; `nil` for color.
    var floats: [Float]? {
        switch samples {
        case .float(let samples): samples
        case .gray8(let samples): samples.map { Float($0) / 255 }
        case .gray16(let samples): samples.map { Float($0) / 65535 }
        case .color, .translucent: nil
        }
    }

    /// Writes the bytes of all elements, in the order of this machine.
    func write<Element: BitwiseCopyable>(_ elements: [Element], to descriptor: Int32)
        throws(RasterEncodingError)
    {
        var code: Int32 = 0
        unsafe elements.withUnsafeBytes { bytes in
            var place = 0
            while place < bytes.count {
                let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[place...])
                let count = unsafe Glibc.write(descriptor, part.baseAddress, part.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    code = errno == 0 ? EIO : errno
                    return
                }
                place += count
            }
        }
        guard code == 0 else { throw .output(code) }
    }
}
