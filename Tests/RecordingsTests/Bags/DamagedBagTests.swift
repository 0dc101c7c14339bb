import ByteParsing
import DepthModel
import RecordingWriting
import Sequences
import TestSupport
import Testing

@testable import Recordings

@Suite("Damaged bags")
struct DamagedBagTests {
    @Test("The frames before a cut are read", arguments: BagWriter.Packing.ofMCAP)
    func cutMCAP(packing: BagWriter.Packing) throws {
        let whole = try KnownBag.bag.mcap(packing)
        #expect(!(try openedBag(whole).diagnostics.contains { $0.code == .cutOff }))
        // In the second chunk. A compressed one is lost.
        let end: [UInt8] = [15, 4, 0, 0, 0, 0, 0, 0, 0]
        let place =
            packing == .zstd
            ? try #require((0..<whole.count - 9).last { Array(whole[$0..<$0 + 9]) == end }) - 50
            : try KnownBag.placeOfLastDepth(whole)
        let cut = try openedBag(Array(whole[..<place]))
        #expect(cut.diagnostics.contains { $0.code == .cutOff })
        try expectKnown(cut, count: packing == .none ? 3 : 2)
        let unfinished = try openedBag(KnownBag.bag.mcap(packing, isComplete: false))
        #expect(unfinished.diagnostics.contains { $0.code == .cutOff })
        try expectKnown(unfinished)
    }

    @Test("The frames before a cut in a chunk of ROS 1 are read")
    func cutROS1() throws {
        let whole = try KnownBag.bag.rosBag()
        let cut = try openedBag(Array(whole[..<KnownBag.placeOfLastDepth(whole)]))
        #expect(cut.diagnostics.contains { $0.code == .cutOff })
        try expectKnown(cut, count: 3)
    }

    @Test("A chunk that does not match its checksum costs its messages alone")
    func checksum() throws {
        var bytes = try KnownBag.bag.mcap(.lz4)
        // A sample in the first chunk: LZ4's blocks are stored, so only the checksum shows the damage.
        let code = BagWriter.number(1001, bytes: 2) + BagWriter.number(1002, bytes: 2)
        let place = try #require((0..<bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == code })
        bytes[place] ^= 1
        let recording = try openedBag(bytes)
        #expect(recording.frames.count == 2)
        #expect(recording.diagnostics.contains { $0.message.contains("checksum") })
        var plain = try KnownBag.bag.mcap(.lz4, hasChecksums: false)
        plain[place] ^= 1
        #expect(try openedBag(plain).frames.count == 4)
    }

    @Test("Limits apply to messages, chunks and images")
    func limits() throws {
        for (name, value) in [
            (DecodingLimits.Name.frames, 3), (.items, 2), (.pixels, 20), (.codedBytes, 200),
        ] {
            var limits = DecodingLimits()
            limits[name] = value
            let bytes = try KnownBag.bag.mcap(.lz4)
            let error = #expect(throws: ContainerError.self) { try openedBag(bytes, limits) }
            #expect(error?.code == "limit-exceeded", "\(name): \(error?.message ?? "")")
        }
    }

    @Test("Every byte changed, and every length, ends in a recording or an error")
    func mutants() throws {
        var files = [
            try KnownBag.bag.rosBag(), try KnownBag.bag.mcap(),
            try KnownBag.bag.mcap(.lz4, hasChecksums: false),
            try KnownBag.bag.mcap(isChunked: false),
        ]
        if SystemLibrary.areAvailable {
            files += [
                try KnownBag.bag.database(), try KnownBag.bag.rosBag(.bz2), try KnownBag.bag.mcap(.zstd),
                try KnownBag.bag.database(isPacked: true),
            ]
        }
        var random = SplitMix(seed: 44)
        for whole in files {
            for _ in 0..<300 {
                var bytes = whole
                for _ in 0..<1 + Int(random.next() % 3) {
                    bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
                }
                try? decodeAll(bytes)
            }
            for count in stride(from: 0, to: whole.count, by: max(1, whole.count / 60)) {
                try? decodeAll(Array(whole[..<count]))
            }
        }
    }

    private func decodeAll(_ bytes: [UInt8]) throws {
        let recording = try openedBag(bytes)
        var decoder = FrameDecoder(recording)
        var frame = SequenceFrame()
        for index in recording.frames.indices {
            try? decoder.read(.all, ofFrameAt: index, into: &frame)
        }
    }
}
