internal import Bytes
internal import DepthTypes

/// A part that is a record of a packed stream.
struct RecordPart: FramePart {
    let stream: RecordStream
    /// The number of the record, from 0.
    let index: Int

    func read(
        into bytes: inout [UInt8], _ memory: inout StoreMemory, _ limits: DecodingLimits
    ) throws(ContainerError) {
        let size = stream.size
        let samples = try limits.pixelCount(width: size.width, height: size.height)
        // The record, and samples of twice as many bytes.
        try limits.checkMemory(pixels: samples, bytesPerPixel: 3 * stream.bytesPerSample)
        try memory.records(of: stream, size: samples * stream.bytesPerSample).read(index, into: &bytes)
    }
}

/// A stream of raw deflate data with a map for each frame.
final class RecordStream: Sendable {
    let source: any ByteSource
    /// The size of each map.
    let size: PixelSize
    let bytesPerSample: Int
    /// What records are decompressed to.
    let unpacked: UnpackedBytes

    init(_ source: any ByteSource, size: PixelSize, bytesPerSample: Int, _ limits: DecodingLimits) {
        self.source = source
        unpacked = UnpackedBytes(ofFile: source.byteCount, limits)
        self.size = size
        self.bytesPerSample = bytesPerSample
    }
}
