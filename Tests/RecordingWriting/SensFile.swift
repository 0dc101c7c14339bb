package import DepthTypes
internal import TestSupport

/// Writes ScanNet's `.sens`, version 4, field by field.
package struct SensFile {
    /// A frame: its pose row by row, its time in microseconds, its coded picture and depth.
    package typealias Frame = (pose: [Double], time: Int, color: [UInt8], depth: [UInt8])

    package static let identity: [Double] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

    package var size: PixelSize
    /// The matrix of both cameras, row by row.
    package var camera = identity
    /// Whether depth is in zlib streams.
    package var isPacked = false
    package var frames: [Frame] = []

    package init(size: PixelSize) { self.size = size }

    package var bytes: [UInt8] {
        func floats(_ values: [Double]) -> [UInt8] { littleEndian(values.map { Float($0) }) }
        var bytes = littleEndian(4) + littleEndian(4, 8) + Array("test".utf8)
        for matrix in [camera, Self.identity, camera, Self.identity] { bytes += floats(matrix) }
        for number in [1, isPacked ? 1 : 0, size.width, size.height, size.width, size.height] {
            bytes += littleEndian(number)
        }
        bytes += floats([1000]) + littleEndian(frames.count, 8)
        for frame in frames {
            bytes += floats(frame.pose)
            for number in [frame.time, frame.time, frame.color.count, frame.depth.count] {
                bytes += littleEndian(number, 8)
            }
            bytes += frame.color + frame.depth
        }
        return bytes
    }
}
