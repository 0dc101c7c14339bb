import Bytes
import DepthTypes
import RecordingWriting
import Scenes
import TestFrames
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

    /// The bytes with a change in a sample of the first depth map, which only a checksum shows: LZ4's blocks are stored.
    private static func damaged(_ bytes: [UInt8]) throws -> [UInt8] {
        let code = littleEndian(1001, 2) + littleEndian(1002, 2)
        let place = try #require((0..<bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == code })
        var bytes = bytes
        bytes[place] ^= 1
        return bytes
    }

    @Test(
        "A chunk that does not match its checksum costs its messages alone, and their number is reported",
        arguments: [BagWriter.Packing.none, .lz4])
    func checksum(packing: BagWriter.Packing) throws {
        let recording = try openedBag(Self.damaged(KnownBag.bag.mcap(packing)))
        #expect(recording.frames.count == 2)
        let damage = try #require(recording.diagnostics.first { $0.message.contains("checksum") })
        // Behind the mark, the header, the chunk's fields, and its compression.
        #expect(damage.offset == 8 + 9 + 16 + 9 + 32 + (packing == .none ? 0 : 3) + 8)
        let lost = recording.diagnostics.filter { $0.code == .lostMessages }
        #expect(lost.map(\.message) == ["6 of 11 messages cannot be read, and are skipped"])
        let plain = try openedBag(Self.damaged(KnownBag.bag.mcap(packing, hasChecksums: false)))
        #expect(plain.frames.count == 4 && plain.diagnostics.isEmpty)
    }

    @Test("Data without chunks that do not match their checksum are reported, and read")
    func dataChecksum() throws {
        let bytes = try KnownBag.bag.mcap(isChunked: false, hasDataChecksum: true)
        #expect(try openedBag(bytes).diagnostics.isEmpty)
        let recording = try openedBag(Self.damaged(bytes))
        #expect(recording.frames.count == 4)
        #expect(recording.diagnostics.map(\.code) == ["damaged"])
        // Chunks have their own checksums.
        let wrong = try KnownBag.bag.mcap(hasDataChecksum: true)
        var other = wrong
        other[30] ^= 1
        #expect(try openedBag(wrong).diagnostics.isEmpty && openedBag(other).diagnostics.isEmpty)
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
        for index in recording.frames.indices { _ = try? recording.decodedFrame(at: index) }
    }
}
