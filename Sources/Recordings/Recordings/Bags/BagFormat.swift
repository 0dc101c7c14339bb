internal import Bytes

/// The kinds of files that hold messages of ROS.
enum BagFormat {
    /// A bag of ROS 1.
    case rosBag
    case mcap
    /// A database of rosbag2 (`.db3`).
    case database
    /// One of the others, as a Zstandard frame: rosbag2's compression of files.
    case packed

    /// A kind by the first bytes of a file; `nil` for any other file.
    init?(recognizing start: [UInt8]) {
        if start.starts(with: ROSBag.mark) {
            self = .rosBag
        } else if start.starts(with: MCAPFile.mark) {
            self = .mcap
        } else if start.starts(with: MessageDatabase.mark) {
            self = .database
        } else if start.starts(with: Packing.zstandardMark) {
            self = .packed
        } else {
            return nil
        }
    }

    /// The limits for a bag of this size. Bags are often larger than 2 GiB: unless another limit is set, all of it may be
    /// read 16 times.
    static func limits(_ limits: DecodingLimits, ofBytes count: Int) -> DecodingLimits {
        let usual = DecodingLimits.Name.inputBytes.defaultValue
        guard limits[.inputBytes] == usual else { return limits }
        var own = limits
        own[.inputBytes] = max(usual, count < .max / 16 ? 16 * count : .max)
        return own
    }

    /// Lists the topics and messages of a file. Returns its layout. Throws if the file is not a bag.
    static func list(
        _ source: any ByteSource, into contents: inout BagContents
    ) throws(ContainerError) -> RecordingLayout {
        contents.unpacked = UnpackedBytes(ofFile: source.byteCount, contents.limits)
        return try listRecords(source, into: &contents)
    }

    private static func listRecords(
        _ source: any ByteSource, into contents: inout BagContents
    ) throws(ContainerError) -> RecordingLayout {
        switch BagFormat(recognizing: try source.readPrefix(at: 0, count: 16)) {
        case .rosBag:
            var bag = ROSBag(source, contents.limits)
            try bag.read(into: &contents)
            return .rosBag
        case .mcap:
            var file = MCAPFile(source, contents.limits)
            try file.read(into: &contents)
            return .mcap
        case .database:
            try MessageDatabase(source, contents.limits).read(into: &contents)
            return .rosbag2
        case .packed:
            let unpacked = try unpack(source, contents.limits, contents.unpacked)
            // Files are compressed once.
            guard !unpacked.starts(with: Packing.zstandardMark) else { throw Recording.unrecognized }
            return try listRecords(MemorySource(unpacked), into: &contents)
        case nil: throw Recording.unrecognized
        }
    }

    private static func unpack(
        _ source: any ByteSource, _ limits: DecodingLimits, _ unpacked: UnpackedBytes
    ) throws(ContainerError) -> [UInt8] {
        // Other files are compressed by Zstandard, too: the first bytes inside decide.
        try limits.check(.codedBytes, source.byteCount)
        let packed = try source.read(0..<source.byteCount)
        var bytes: [UInt8] = []
        let count = try Packing.zstandardSize(packed, at: 0, limits, unpacked)
        try Packing.zstandard.unpack(packed, count: count, into: &bytes, at: 0, limits)
        return bytes
    }
}
