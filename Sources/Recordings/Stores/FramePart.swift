internal import ByteParsing

/// A picture or map of a frame as it is stored: a reference to its store, and the location of its bytes.
///
/// A conforming type has at most 24 bytes, so that a part is stored inline in the frame.
protocol FramePart: Sendable {
    /// Its name in messages; `nil` if it is inside the recording's file.
    var name: String? { get }

    /// The path of its file; `nil` if it is inside another file.
    var path: String? { get }

    /// Copies its stored bytes into an array, replacing its contents and reusing its memory. `memory` is kept from part to
    /// part.
    ///
    /// Throws if the bytes cannot be read, and if there are more than `limits` allow.
    func read(
        into bytes: inout [UInt8], _ memory: inout StoreMemory, _ limits: DecodingLimits
    ) throws(ContainerError)

    /// Its bytes, for reading a header; `nil` if they cannot be read, and in stores whose recordings state all sizes.
    func source(_ limits: DecodingLimits) -> (any ByteSource)?
}

extension FramePart {
    var name: String? { nil }
    var path: String? { nil }
    func source(_ limits: DecodingLimits) -> (any ByteSource)? { nil }
}

/// The data of stores that a decoder caches from one part to the next.
struct StoreMemory: Sendable {
    /// The chunk of a bag that was decompressed last.
    var chunk: (chunk: BagChunk, bytes: [UInt8])?
    /// Streams, each decompressed up to the record that was read last.
    private var streams: [ObjectIdentifier: DeflatedRecords] = [:]

    init() {}

    /// The decompressor of a stream's records.
    mutating func records(of stream: RecordStream, size: Int) -> DeflatedRecords {
        let id = ObjectIdentifier(stream)
        let records = streams[id] ?? DeflatedRecords(stream.source, size: size)
        streams[id] = records
        return records
    }
}
