internal import CYUV

/// A sample whose planes libyuv can scale.
protocol ScalableSample: FixedWidthInteger & BitwiseCopyable {
    /// Scales a plane, linearly between the centers of samples; at half the width or height this is the mean of two. Strides
    /// are in samples.
    static func scale(
        _ source: UnsafePointer<Self>, stride: Int32, width: Int32, height: Int32,
        to output: UnsafeMutablePointer<Self>, stride outputStride: Int32, width outputWidth: Int32,
        height outputHeight: Int32)
}

extension UInt8: ScalableSample {
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
    static func scale(
        _ source: UnsafePointer<Self>, stride: Int32, width: Int32, height: Int32,
        to output: UnsafeMutablePointer<Self>, stride outputStride: Int32, width outputWidth: Int32,
        height outputHeight: Int32
    ) {
        unsafe ScalePlane_12(
            source, stride, width, height, output, outputStride, outputWidth, outputHeight, kFilterBilinear)
    }
}
