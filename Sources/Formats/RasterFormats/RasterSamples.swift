package import Bytes

/// The samples of a raster as stored, row-major from the top, channels interleaved.
///
/// Other types than these three are converted to Float32: exactly, except that integers beyond 2²⁴ and Float64 are rounded.
package enum RasterSamples: Hashable, Sendable {
    /// 8-bit integers.
    case uint8([UInt8])
    /// 16-bit integers.
    case uint16([UInt16])
    /// All other types.
    case float([Float])
}

/// How the samples of an uncompressed raster are arranged in bytes.
package struct SampleLayout: Hashable, Sendable {
    /// The order of samples in the file.
    package enum Arrangement: Hashable, Sendable {
        /// Row by row from the top.
        case topDown
        /// Row by row from the bottom (PFM).
        case bottomUp
        /// Column by column from the left (Fortran order in NumPy).
        case columns
    }

    /// The width in samples.
    package var width: Int
    /// The height in samples.
    package var height: Int
    /// The type of a sample.
    package var type: SampleType
    /// The order of the bytes of a sample.
    package var byteOrder: ByteOrder
    /// The order of samples.
    package var arrangement: Arrangement

    /// Samples in this layout.
    package init(
        width: Int, height: Int, type: SampleType, byteOrder: ByteOrder, arrangement: Arrangement = .topDown
    ) {
        (self.width, self.height, self.type) = (width, height, type)
        (self.byteOrder, self.arrangement) = (byteOrder, arrangement)
    }
}

extension RasterSamples {
    /// Extracts samples from bytes, which must be width × height × the size of a sample.
    package init(_ bytes: [UInt8], layout: SampleLayout) {
        switch layout.type {
        case .uint8: self = .uint8(gather(bytes, layout) { (code: UInt8) in code })
        case .uint16: self = .uint16(gather(bytes, layout) { (code: UInt16) in code })
        case .uint32: self = .float(gather(bytes, layout) { (code: UInt32) in Float(code) })
        case .uint64: self = .float(gather(bytes, layout) { (code: UInt64) in Float(code) })
        case .int8: self = .float(gather(bytes, layout) { (code: UInt8) in Float(Int8(bitPattern: code)) })
        case .int16: self = .float(gather(bytes, layout) { (code: UInt16) in Float(Int16(bitPattern: code)) })
        case .int32: self = .float(gather(bytes, layout) { (code: UInt32) in Float(Int32(bitPattern: code)) })
        case .int64: self = .float(gather(bytes, layout) { (code: UInt64) in Float(Int64(bitPattern: code)) })
        case .float16:
            let table = halfFloatValues
            self = .float(gather(bytes, layout) { (code: UInt16) in table[Int(code)] })
        case .float32: self = .float(gather(bytes, layout) { (code: UInt32) in Float(bitPattern: code) })
        case .float64:
            self = .float(gather(bytes, layout) { (code: UInt64) in Float(Double(bitPattern: code)) })
        }
    }
}

/// The value of every half float: `Float(_: Float16)` is a slow call on plain x86-64, a look-up is fast.
package let halfFloatValues: [Float] = (0...UInt16.max).map(halfFloatValue)

/// The value of a half float (IEEE 754 binary16), computed from sign, exponent and fraction.
private func halfFloatValue(_ code: UInt16) -> Float {
    let sign: Float = code & 0x8000 == 0 ? 1 : -1
    let exponent = Int(code >> 10 & 0x1F)
    let fraction = Float(code & 0x3FF)
    switch exponent {
    case 0: return sign * fraction * 0x1p-24
    case 31: return fraction == 0 ? sign * .infinity : .nan
    default:
        return Float(
            sign: sign < 0 ? .minus : .plus, exponent: exponent - 15, significand: 1 + fraction * 0x1p-10)
    }
}

/// Every sample in row-major order, converted by `convert`.
private func gather<Stored: FixedWidthInteger & BitwiseCopyable, Value: BitwiseCopyable>(
    _ bytes: [UInt8], _ layout: SampleLayout, _ convert: (Stored) -> Value
) -> [Value] {
    let (width, height) = (layout.width, layout.height)
    precondition(bytes.count == width * height * MemoryLayout<Stored>.size)
    let isBigEndian = layout.byteOrder == .bigEndian
    let stepX = layout.arrangement == .columns ? height : 1
    return unsafe [Value](unsafeUninitializedCapacity: width * height) { output, count in
        unsafe bytes.withUnsafeBytes { source in
            for row in 0..<height {
                let start =
                    switch layout.arrangement {
                    case .topDown: row * width
                    case .bottomUp: (height - 1 - row) * width
                    case .columns: row
                    }
                for column in 0..<width {
                    // SAFETY: the index is below width × height in each arrangement, and the precondition above guarantees as
                    // many samples.
                    let stored = unsafe source.loadUnaligned(
                        fromByteOffset: (start + column * stepX) * MemoryLayout<Stored>.size, as: Stored.self)
                    let value = convert(
                        isBigEndian ? Stored(bigEndian: stored) : Stored(littleEndian: stored))
                    unsafe output.initializeElement(at: row * width + column, to: value)
                }
            }
        }
        count = width * height
    }
}
