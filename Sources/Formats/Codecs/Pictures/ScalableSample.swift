internal import CYUV
internal import DepthMaps

/// A sample of decoded pictures, whose planes libyuv can scale.
protocol ScalableSample: PictureSample {
    /// The type of sums when luma and chroma become colors.
    associatedtype Term: FixedWidthInteger & SignedInteger

    /// A color of 0…`top` in the type's full range.
    static func stretched(_ code: Self, _ top: UInt32) -> Self

    /// Scales a plane, linearly between the centers of samples; at half the width or height this is the mean of two. Strides
    /// are in samples.
    static func scale(
        _ source: UnsafePointer<Self>, stride: Int32, width: Int32, height: Int32,
        to output: UnsafeMutablePointer<Self>, stride outputStride: Int32, width outputWidth: Int32,
        height outputHeight: Int32)
}

extension UInt8: ScalableSample {
    typealias Term = Int16

    @inline(__always)
    static func stretched(_ code: UInt8, _ top: UInt32) -> UInt8 { code }

    static func scale(
        _ source: UnsafePointer<Self>, stride: Int32, width: Int32, height: Int32,
        to output: UnsafeMutablePointer<Self>, stride outputStride: Int32, width outputWidth: Int32,
        height outputHeight: Int32
    ) {
        unsafe ScalePlane(
            source, stride, width, height, output, outputStride, outputWidth, outputHeight, kFilterBilinear)
    }
}

/// Samples of up to 12 bits.
extension UInt16: ScalableSample {
    typealias Term = Int32

    @inline(__always)
    static func stretched(_ code: UInt16, _ top: UInt32) -> UInt16 {
        UInt16(truncatingIfNeeded: (UInt32(code) * 65535 + top / 2) / top)
    }

    static func scale(
        _ source: UnsafePointer<Self>, stride: Int32, width: Int32, height: Int32,
        to output: UnsafeMutablePointer<Self>, stride outputStride: Int32, width outputWidth: Int32,
        height outputHeight: Int32
    ) {
        unsafe ScalePlane_12(
            source, stride, width, height, output, outputStride, outputWidth, outputHeight, kFilterBilinear)
    }
}
