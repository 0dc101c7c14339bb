import Bytes
import DepthMaps
import DepthTypes
import MovieWriting
import TestFrames
import TestSupport
import Testing

@testable import Movies
@testable import Scenes

@Suite("Mattes in movies of Live Photos", .needsFFmpeg)
struct MovieMatteTests {
    private let folder = TemporaryFolder()
    private static let picture = PixelSize(width: 64, height: 48)
    private static let matte = PixelSize(width: 32, height: 24)

    /// Frames of which every sample differs from its neighbors, from those of other frames and of other seeds.
    private static func frames(_ size: PixelSize, _ count: Int, seed: Int = 0) -> [[UInt8]] {
        (0..<count).map { index in
            (0..<size.width * size.height).map { place in
                let (x, y) = (place % size.width, place / size.width)
                return UInt8((x * 7 + y * 3 + index * 41 + seed * 89) % 256)
            }
        }
    }

    private static func pictureTrack(_ count: Int = 6) -> LivePhotoMovie.Track {
        .init(width: picture.width, height: picture.height, frames: frames(picture, count))
    }

    private static func matteTrack(
        _ name: String, _ count: Int = 3, seed: Int = 1, size: PixelSize = matte
    ) -> LivePhotoMovie.Track {
        .init(
            matte: name, width: size.width, height: size.height, frames: frames(size, count, seed: seed))
    }

    private static func open(
        _ bytes: [UInt8], _ folder: TemporaryFolder, limits: DecodingLimits = DecodingLimits()
    ) throws -> MovieSource {
        try MovieSource(contentsOf: folder.write(bytes, to: "live.mov"), limits: limits)
    }

    /// All frames, with all planes.
    private static func read(_ source: MovieSource) throws -> [TestFrame] {
        var frames: [TestFrame] = []
        while try source.advance() != nil {
            var frame = TestFrame()
            try source.read(.everything, into: &frame)
            frames.append(frame)
        }
        return frames
    }

    private static func read(_ tracks: [LivePhotoMovie.Track]) throws -> [TestFrame] {
        let folder = TemporaryFolder()
        return try read(open(LivePhotoMovie(tracks).bytes, folder))
    }

    @Test("Three mattes of half the picture's rate: each holds until the next one")
    func three() throws {
        let names = ["sky", "person", "skin"]
        let mattes = names.indices.map { Self.matteTrack(names[$0], seed: $0 + 1) }
        // The order of tracks is not that of the kinds.
        let source = try Self.open(
            LivePhotoMovie([mattes[0], Self.pictureTrack(), mattes[1], mattes[2]]).bytes, folder)
        #expect(source.description.mattes == [.matte, .skin, .sky])
        #expect(source.description.colorSize == Self.picture && source.description.depth == nil)
        let frames = try Self.read(source)
        #expect(frames.count == 6 && source.diagnostics.map(\.code) == ["movie-mattes"])
        for (index, frame) in frames.enumerated() {
            #expect(frame.color.samples.map(\.red) == Self.frames(Self.picture, 6)[index])
            #expect(frame.matte.size == Self.matte && frame.skin.size == Self.matte)
            #expect(frame.sky.samples == mattes[0].frames[index / 2])
            #expect(frame.matte.samples == mattes[1].frames[index / 2])
            #expect(frame.skin.samples == mattes[2].frames[index / 2])
        }
    }

    @Test("A matte is turned as the picture is", arguments: 0..<4)
    func turned(turns: Int) throws {
        var picture = Self.pictureTrack(1)
        picture.turns = turns
        let frame = try #require(try Self.read([picture, Self.matteTrack("person", 1)]).first)
        let stored = Self.frames(Self.matte, 1, seed: 1)[0]
        let (width, height) = (Self.matte.width, Self.matte.height)
        try #require(frame.matte.width == (turns % 2 == 1 ? height : width))
        for place in stored.indices {
            let (x, y) = (place % width, place / width)
            let (column, row) =
                switch turns {
                case 1: (height - 1 - y, x)
                case 2: (width - 1 - x, height - 1 - y)
                case 3: (y, width - 1 - x)
                default: (x, y)
                }
            guard frame.matte.samples[row * frame.matte.width + column] == stored[place] else {
                Issue.record("a sample is not at its place after \(turns) turns")
                return
            }
        }
    }

    /// 16 and less are 0, 235 and more 255, and (code − 16) · 255 / 219 between them.
    @Test("Codes of 16 to 235 become 0 to 255 unless the parameter sets declare full range")
    func range() throws {
        let codes = (0..<256).map { UInt8($0) }
        func coverage(_ range: LivePhotoMovie.Range) throws -> [UInt8] {
            var matte = LivePhotoMovie.Track(matte: "person", width: 16, height: 16, frames: [codes])
            matte.range = range
            return try #require(try Self.read([Self.pictureTrack(1), matte]).first).matte.samples
        }
        #expect(try coverage(.full) == codes)
        let limited = codes.map { UInt8(min(max((Double($0) - 16) * 255 / 219, 0), 255).rounded()) }
        #expect(try coverage(.limited) == limited)
        // HEVC infers it (ITU-T H.265 §E.3.1).
        #expect(try coverage(.undeclared) == limited)
    }

    @Test("A matte without a subject is empty, and not missing")
    func empty() throws {
        var matte = Self.matteTrack("person", 1)
        matte.frames = [[UInt8](repeating: 0, count: Self.matte.width * Self.matte.height)]
        let frame = try #require(try Self.read([Self.pictureTrack(1), matte]).first)
        #expect(frame.matte.samples == matte.frames[0])
    }

    @Test("A matte may be larger than the picture")
    func large() throws {
        let size = PixelSize(width: 160, height: 120)
        let frame = try #require(
            try Self.read([Self.pictureTrack(1), Self.matteTrack("sky", 1, size: size)]).first)
        #expect(frame.sky.size == size && frame.sky.samples == Self.frames(size, 1, seed: 1)[0])
    }

    @Test(
        "Other auxiliary tracks are neither picture nor matte",
        arguments: [
            "", ".depth", ".smart-style-delta-map", ".person\u{1B}[2J", ".Person",
        ])
    func others(tag: String) throws {
        var other = Self.matteTrack("person", 6)
        other.tags = [Array("com.apple.quicktime.video-map\(tag)".utf8)]
        let source = try Self.open(LivePhotoMovie([other, Self.pictureTrack()]).bytes, folder)
        #expect(source.description.colorSize == Self.picture && source.description.mattes.isEmpty)
        #expect(try Self.read(source).count == 6 && source.diagnostics.isEmpty)
        // Without a picture there is nothing to show.
        #expect(throws: MovieError.self) {
            try Self.open(LivePhotoMovie([other]).bytes, TemporaryFolder())
        }
        #expect(throws: MovieError.self) {
            try Self.open(LivePhotoMovie([Self.matteTrack("person")]).bytes, TemporaryFolder())
        }
    }

    @Test("Damaged user data is reported, and the picture is read")
    func damaged() throws {
        var matte = Self.matteTrack("person")
        (matte.tags, matte.rest) = ([], bigEndian(60) + Array("tagccom.apple".utf8))
        let source = try Self.open(LivePhotoMovie([Self.pictureTrack(), matte]).bytes, folder)
        #expect(source.description.mattes.isEmpty && source.diagnostics.count == 1)
        #expect("\(source.diagnostics)".contains("udta"))
        #expect(try Self.read(source).count == 6)
    }

    @Test("A matte beyond the limits is not read, and its movie is")
    func limits() throws {
        var limits = DecodingLimits()
        limits[.pixels] = Self.picture.width * Self.picture.height
        let size = PixelSize(width: 160, height: 120)
        let tracks = [Self.pictureTrack(), Self.matteTrack("sky", size: size), Self.matteTrack("skin")]
        let source = try Self.open(LivePhotoMovie(tracks).bytes, folder, limits: limits)
        #expect(source.description.mattes == [.skin])
        #expect(source.diagnostics.map(\.code) == ["movie-mattes", "unread-matte"])
        #expect(try Self.read(source).allSatisfy { !$0.skin.isEmpty && $0.sky.isEmpty })
    }

    /// More pictures than wait for their reader while a matte is searched for.
    @Test("A matte that ends early costs no picture, and holds for half a second")
    func early() throws {
        let size = PixelSize(width: 16, height: 16)
        let picture = LivePhotoMovie.Track(width: 16, height: 16, frames: Self.frames(size, 250))
        let frames = try Self.read([picture, Self.matteTrack("person", 2, size: size)])
        #expect(frames.count == 250)
        #expect(frames.map { $0.color.samples[0].red } == picture.frames.map { $0[0] })
        // The second one starts at frame 2, and 15 frames are half a second.
        #expect(frames.map(\.matte.isEmpty) == (0..<250).map { $0 > 2 + 15 })
    }

    @Test("A movie that is cut off has mattes up to its end")
    func cut() throws {
        let mattes = [Self.matteTrack("person", 10, seed: 1), Self.matteTrack("sky", 10, seed: 2)]
        let bytes = LivePhotoMovie([Self.pictureTrack(20)] + mattes).bytes
        let source = try Self.open(Array(bytes.prefix(bytes.count * 6 / 10)), folder)
        let frames = try Self.read(source)
        #expect(frames.count > 5 && frames.count < 20)
        #expect(source.diagnostics.contains { "\($0)".contains("cut off") })
        for (index, frame) in frames.dropLast().enumerated() {
            #expect(frame.matte.samples == mattes[0].frames[index / 2])
        }
    }
}
