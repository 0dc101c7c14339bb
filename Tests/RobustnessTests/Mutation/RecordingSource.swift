import Bytes
import Synchronization

/// A file that records the ranges read from it, where mutations reach parsers and not only coded pixels.
final class RecordingSource: ByteSource {
    private let source: any ByteSource
    private let ranges = Mutex<[Range<Int>]>([])

    init(_ source: any ByteSource) {
        self.source = source
    }

    var byteCount: Int { source.byteCount }

    /// The ranges that were read, in order of reading.
    var readRanges: [Range<Int>] { ranges.withLock { $0 } }

    func read(_ range: Range<Int>) throws(ContainerError) -> [UInt8] {
        let bytes = try source.read(range)
        ranges.withLock { $0.append(range) }
        return bytes
    }
}
