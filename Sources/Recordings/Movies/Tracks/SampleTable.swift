internal import Bytes

/// The samples of a track: where they are (ISO/IEC 14496-12 §8.7), and when (§8.6.1.2). Edit lists are not applied.
struct SampleTable: Sendable {
    struct Sample: Sendable {
        /// Its start, in seconds of the track.
        var time: Double
        /// Its bytes in the file.
        var range: Range<Int>
    }

    private var ticksPerSecond = 0
    private var durations: [(Int, Int)] = []
    private var chunks: [(Int, Int)] = []
    private var offsets: [Int] = []
    private var sizes: [Int] = []
    /// The number of samples, and the size of all of them; 0 where each has its own in ``sizes``.
    private var (count, size) = (0, 0)

    /// Reads a box of the track; boxes that do not belong to the table are ignored.
    mutating func read(_ type: FourCharacterCode, _ box: inout ByteCursor) throws(ContainerError) {
        switch type {
        case "mdhd":
            let (version, _) = try box.readFullBoxHeader()
            try box.skip(version == 1 ? 16 : 8)
            ticksPerSecond = try box.readUInt32()
        case "stts": durations = try Self.pairs(&box, skipping: 0)
        case "stsc": chunks = try Self.pairs(&box, skipping: 4)
        case "stsz":
            try box.skip(4)
            (size, count) = (try box.readUInt32(), try box.readUInt32())
            if size == 0 { sizes = try Self.numbers(&box, count, byteCount: 4) }
        case "stco", "co64":
            try box.skip(4)
            offsets = try Self.numbers(&box, box.readUInt32(), byteCount: type == "stco" ? 4 : 8)
        default: break
        }
    }

    private static func numbers(
        _ box: inout ByteCursor, _ count: Int, byteCount: Int
    ) throws(ContainerError) -> [Int] {
        guard count <= box.remaining / byteCount else {
            throw box.failure(.truncated(needed: count, available: box.remaining / byteCount))
        }
        var numbers: [Int] = []
        for _ in 0..<count { numbers.append(try box.readUnsigned(byteCount: byteCount)) }
        return numbers
    }

    private static func pairs(_ box: inout ByteCursor, skipping rest: Int) throws(ContainerError)
        -> [(Int, Int)]
    {
        try box.skip(4)
        var pairs: [(Int, Int)] = []
        for _ in 0..<(try box.readUInt32()) {
            pairs.append((try box.readUInt32(), try box.readUInt32()))
            try box.skip(rest)
        }
        return pairs
    }

    /// All samples in order. Throws ``ContainerError`` if the boxes contradict each other, or list more than the limit.
    func samples(limits: DecodingLimits) throws(ContainerError) -> [Sample] {
        let path = StructurePath("moov").appending("stbl")
        func malformed(_ rule: String) -> ContainerError {
            ContainerError(.malformed(rule: rule), in: path)
        }
        try limits.check(.frames, count, in: path)
        guard count > 0 else { return [] }
        guard ticksPerSecond > 0 else { throw malformed("a track declares 0 ticks a second") }
        var samples: [Sample] = []
        samples.reserveCapacity(count)
        var (ticks, run, left) = (0, 0, durations.first?.0 ?? 0)
        var kind = 0
        for (index, offset) in offsets.enumerated() where samples.count < count {
            while kind + 1 < chunks.count, chunks[kind + 1].0 <= index + 1 { kind += 1 }
            guard chunks.indices.contains(kind) else {
                throw malformed("a track has chunks without samples")
            }
            var start = offset
            for _ in 0..<min(chunks[kind].1, count - samples.count) {
                let (end, overflow) = start.addingReportingOverflow(size > 0 ? size : sizes[samples.count])
                guard !overflow else { throw ContainerError(.arithmeticOverflow, in: path) }
                samples.append(Sample(time: Double(ticks) / Double(ticksPerSecond), range: start..<end))
                start = end
                while left == 0, run + 1 < durations.count {
                    run += 1
                    left = durations[run].0
                }
                guard left > 0 else { continue }
                ticks += durations[run].1
                left -= 1
            }
        }
        guard samples.count == count else {
            throw malformed("a track has \(count) samples, and chunks of \(samples.count)")
        }
        return samples
    }
}
