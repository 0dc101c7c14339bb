internal import ByteParsing

/// A picture or map of a frame as it is stored. It holds its store, and where in it its bytes are.
///
/// A conforming type has at most 24 bytes, so that a part is kept in the frame itself.
protocol FramePart: Sendable {
    /// Its name in messages; `nil` where it is within the recording's own file.
    var name: String? { get }

    /// The path of its file; `nil` where it is within another file.
    var path: String? { get }

    /// Copies its stored bytes into an array, which then holds nothing else and whose memory is used again. `memory` is kept from
    /// part to part.
    ///
    /// Throws where the bytes cannot be read, and where `limits` do not allow as many.
    func read(
        into bytes: inout [UInt8], _ memory: inout StoreMemory, _ limits: DecodingLimits
    ) throws(ContainerError)

    /// Its bytes, for reading a header; `nil` where they cannot be read, and in stores whose recordings state all sizes.
    func source(_ limits: DecodingLimits) -> (any ByteSource)?
}

extension FramePart {
    var name: String? { nil }
    var path: String? { nil }
    func source(_ limits: DecodingLimits) -> (any ByteSource)? { nil }
}

/// What a decoder keeps of stores from one part to the next.
struct StoreMemory: Sendable {
    /// The chunk of a bag that was unpacked last.
    var chunk: (chunk: BagChunk, bytes: [UInt8])?
    /// Streams, each unpacked up to the record that was read last.
    private var streams: [ObjectIdentifier: DeflatedRecords] = [:]

    init() {}

    /// What unpacks the records of a stream.
    mutating func records(of stream: RecordStream, size: Int) -> DeflatedRecords {
        let id = ObjectIdentifier(stream)
        let records = streams[id] ?? DeflatedRecords(stream.source, size: size)
        streams[id] = records
        return records
    }
}
