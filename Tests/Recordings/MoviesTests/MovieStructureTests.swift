import Bytes
import DepthMaps
import DepthTypes
import Foundation
import MovieWriting
import TestFrames
import TestSupport
import Testing

@testable import Movies
@testable import Scenes

/// Boxes by hand, without pictures.
@Suite("What a movie's boxes declare")
struct MovieStructureTests {
    private static func full(_ name: String, _ content: [UInt8]) -> [UInt8] {
        box(name, bigEndian(0) + content)
    }

    private static func track(
        _ number: Int, _ handler: String, _ entry: String, _ boxes: [UInt8] = [], user: [UInt8]? = nil
    ) -> [UInt8] {
        let header = full("tkhd", bigEndian(0) + bigEndian(0) + bigEndian(number))
        let handlers = full("hdlr", bigEndian(0) + Array(handler.utf8) + [UInt8](repeating: 0, count: 12))
        let entry = box(entry, [UInt8](repeating: 0, count: 78) + boxes)
        let table = box("stbl", full("stsd", bigEndian(1) + entry))
        // QuickTime has another handler here, that of data references.
        let references = full("hdlr", Array("dhlralis".utf8))
        let userData = user.map { box("udta", $0) } ?? []
        return box("trak", header + box("mdia", handlers + box("minf", references + table)) + userData)
    }

    private static func eyes(_ flags: UInt8) -> [UInt8] {
        let parts =
            full("stri", [flags]) + full("hero", [1]) + box("cams", full("blin", bigEndian(19_240)))
            + box("cmfy", full("dadj", bigEndian(-200)))
        return box("vexu", box("eyes", parts) + box("proj", full("prji", Array("rect".utf8))))
    }

    private static let angle = box("hfov", bigEndian(63_400))

    private func structure(_ moov: [UInt8], before: [UInt8] = []) throws -> MovieStructure {
        let start = box("ftyp", Array("qt  ".utf8) + bigEndian(0)) + before
        return try MovieStructure(
            of: MemorySource(start + box("moov", moov)), limits: DecodingLimits())
    }

    @Test("Eyes of MV-HEVC: which, how far apart, field of view")
    func spatial() throws {
        let boxes = Self.angle + box("lhvC", []) + Self.eyes(3)
        let found = try structure(
            Self.track(1, "soun", "mp4a") + Self.track(2, "vide", "hvc1", boxes),
            before: box("mdat", [1]))
        let track = try #require(found.spatialTrack)
        #expect(track.number == 2 && track.isLayered && track.hasLeft && track.hasRight)
        var expected = RecordedEyes()
        (expected.hero, expected.baseline, expected.horizontalFieldOfView) = (.left, 0.01924, 63.4)
        (expected.disparityAdjustment, expected.projection, expected.isLayered) = (-0.02, "rect", true)
        #expect(track.eyes == expected)
        #expect(found.depthTrack == nil && found.rightEyeTrack == nil && !found.saysCinematic)
    }

    @Test("The first layer may be the right eye", arguments: [(3, false), (11, true), (1, false), (2, true)])
    func order(flags: UInt8, isRight: Bool) throws {
        let found = try structure(Self.track(1, "vide", "hvc1", Self.eyes(flags)))
        #expect(found.spatialTrack?.eyes?.firstIsRight == isRight)
    }

    @Test("Leia's movies have a track for each eye")
    func twoTracks() throws {
        let found = try structure(
            Self.track(1, "vide", "hvc1", Self.eyes(1)) + Self.track(7, "vide", "hvc1", Self.eyes(2)))
        #expect(found.rightEyeTrack?.number == 7)
    }

    @Test("Depth of Cinematic mode is an auxiliary track of HEVC", arguments: ["dish", "deph"])
    func cinematic(entry: String) throws {
        let found = try structure(Self.track(1, "vide", "hvc1") + Self.track(2, "auxv", entry))
        let depth = try #require(found.depthTrack)
        #expect(depth.number == 2 && depth.entry.description == entry)
        // Another auxiliary track, a matte, is none.
        let matte = try structure(Self.track(2, "auxv", "hvc1"))
        #expect(matte.depthTrack == nil && found.auxiliaryNumbers == [2])
    }

    @Test(
        "A matte's kind is a tag, with or without the header of a FullBox and a terminator",
        arguments: [
            ("person", PlaneKind.matte), ("skin", .skin), ("sky", .sky), ("depth", nil), ("persons", nil),
        ])
    func matte(name: String, kind: PlaneKind?) throws {
        let text = Array("com.apple.quicktime.video-map.\(name)".utf8)
        let zero = bigEndian(0)
        for tag in [text, text + [0], zero + text, zero + text + [0]] {
            for terminator in [[], zero] {
                let data =
                    box("name", [1]) + box("tagc", Array("other".utf8)) + box("tagc", tag)
                let track = try structure(Self.track(4, "auxv", "hvc1", user: data + terminator)).tracks[0]
                #expect(track.matteKind == kind && track.userDataError == nil)
                let picture = try structure(Self.track(4, "vide", "hvc1", user: data))
                #expect(picture.tracks[0].matteKind == nil && picture.auxiliaryNumbers == [])
            }
        }
    }

    @Test("User data that is cut off is an error of its track alone")
    func damagedUserData() throws {
        let cut = bigEndian(40) + Array("tagccom.apple.quicktime".utf8)
        let found = try structure(Self.track(1, "auxv", "hvc1", user: cut) + Self.track(2, "vide", "hvc1"))
        #expect(found.tracks.map { $0.userDataError == nil } == [false, true])
        #expect(found.auxiliaryNumbers == [1])
    }

    @Test("Offsets are those of the codes in the file")
    func offsets() throws {
        let bytes = box("moov", Self.track(1, "auxv", "dish"))
        let found = try MovieStructure(of: MemorySource(bytes), limits: DecodingLimits())
        let depth = try #require(found.depthTrack)
        #expect(bytes[depth.handlerOffset..<depth.handlerOffset + 4] == ArraySlice("auxv".utf8))
        #expect(bytes[depth.entryOffset..<depth.entryOffset + 4] == ArraySlice("dish".utf8))
    }

    @Test("Names of metadata, in QuickTime's form and in that of ISO", arguments: [true, false])
    func keys(isFull: Bool) throws {
        let name = "com.apple.quicktime.cinematic-video"
        let key = bigEndian(name.utf8.count + 8) + Array(("mdta" + name).utf8)
        let parts = Self.full("hdlr", Array("    mdta".utf8)) + Self.full("keys", bigEndian(1) + key)
        let found = try structure(isFull ? Self.full("meta", parts) : box("meta", parts))
        #expect(found.keys == [name] && found.saysCinematic)
    }

    @Test("Damaged boxes are errors, and other files have no tracks")
    func damage() throws {
        let short = bigEndian(60) + Array("vexu".utf8)
        #expect(throws: ContainerError.self) {
            try structure(Self.track(1, "vide", "hvc1", short + Self.eyes(3)))
        }
        let count = box("meta", Self.full("keys", bigEndian(0x7FFF_FFFF)))
        #expect(throws: ContainerError.self) { try structure(count) }
        var nested = Self.full("stri", [3])
        for _ in 0..<40 { nested = box("eyes", nested) }
        #expect(throws: ContainerError.self) {
            try structure(Self.track(1, "vide", "hvc1", box("vexu", nested)))
        }
        let empty = try structure(box("free", []))
        #expect(empty.tracks.isEmpty)
        let other = try MovieStructure(
            of: MemorySource(Array("RIFF1234AVI ".utf8)), limits: DecodingLimits())
        #expect(other.tracks.isEmpty)
    }
}

/// Movies of the folder `ISOBATH_MOVIES`.
@Suite(
    "Spatial and Cinematic movies",
    .needsMovies, .needsFFmpeg)
struct MovieSampleTests {
    private func frames(_ name: String, _ planes: Set<PlaneID>) throws -> [TestFrame] {
        let source = try MovieSource(contentsOf: SampleFolder.movies.path(name), limits: DecodingLimits())
        var frames: [TestFrame] = []
        while try source.advance() != nil {
            var frame = TestFrame()
            try source.read(planes, into: &frame)
            frames.append(frame)
        }
        return frames
    }

    /// The mean distance of brightness to frames of 192 × 128 in yuv420p, in codes.
    private func distance(_ planes: [FramePlane<RGB<UInt8>>], to name: String) throws -> [Double] {
        let truth = [UInt8](try Data(contentsOf: URL(filePath: SampleFolder.movies.path(name))))
        return planes.enumerated().map { index, plane in
            let sum = plane.samples.enumerated().reduce(0.0) { sum, sample in
                // Rec. 601, 16 to 235.
                let (red, green, blue) = (
                    Double(sample.1.red), Double(sample.1.green), Double(sample.1.blue)
                )
                let luma = 16 + (65.738 * red + 129.057 * green + 25.064 * blue) / 256
                return sum + abs(luma - Double(truth[index * 36_864 + sample.0]))
            }
            return sum / 24_576
        }
    }

    @Test("Both eyes are those of the truth, where FFmpeg decodes both")
    func eyes() throws {
        let frames = try frames("spatial.mov", [.picture, .eye(.right)])
        #expect(frames.count == 8)
        // x265 lost 2.5 codes; the other eye is 12 codes away.
        let left = try distance(frames.map(\.color), to: "l.yuv")
        #expect(left.allSatisfy { $0 < 4 })
        let version = try #require(MovieLibrary.version)
        guard version.compare("7.1", options: .numeric) != .orderedAscending else {
            #expect(!frames.contains { !$0.right.isEmpty })
            return
        }
        let right = try distance(frames.map(\.right), to: "r.yuv")
        #expect(right.allSatisfy { $0 < 4 })
    }

    @Test("The depth track of Cinematic mode has the codes of the same track under its usual name")
    func cinematic() throws {
        let usual = try frames("g10.mov", [.depth])
        let cinematic = try frames("dish.mov", [.depth])
        #expect(usual.count == 30 && cinematic.count == 30)
        for (usual, cinematic) in zip(usual, cinematic) {
            let isNearer = zip(usual.depth.samples, cinematic.depth.samples).allSatisfy { code, distance in
                // Larger codes are nearer: 1024 / (code + 1).
                abs(1024 / distance - ((code.isNaN ? 0 : code) + 1)) < 0.01
            }
            #expect(isNearer)
        }
    }
}
