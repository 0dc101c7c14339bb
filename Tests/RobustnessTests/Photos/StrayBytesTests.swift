import Isobath
import PhotoFormats
import TestSupport
import Testing

@Suite("Stray bytes between JPEG segments")
struct StrayBytesTests {
    private let folder = TemporaryFolder()

    /// Where the segments of the file's first image start. The first is excluded, because bytes before it would change
    /// the signature.
    private static func gaps(_ bytes: [UInt8]) -> [Int] {
        var gaps: [Int] = []
        var place = 2
        while bytes[place + 1] != 0xDA {
            place += 2 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
            gaps.append(place)
        }
        return gaps
    }

    /// The 8-bit pixels of a photo, as bytes.
    private static func pixels(_ photo: DepthPhoto) throws -> [UInt8] {
        guard case .uint8(let pixels) = try photo.image().pixels else { return [] }
        return pixels.flatMap { [$0.red, $0.green, $0.blue] }
    }

    /// FF 00 is not a marker, and FF may fill the space before one (both ITU-T T.81 §B.1.1.2): it is not stray
    /// if a marker follows.
    private static let insertions = [
        Insertion([0], "1 stray byte between marker segments is skipped"),
        Insertion([1, 2, 3], "3 stray bytes between marker segments are skipped"),
        Insertion([7, 0xFF, 0x00, 9], "4 stray bytes between marker segments are skipped"),
        Insertion([0xFF, 0xFF, 0x00], "3 stray bytes between marker segments are skipped"),
        Insertion([5, 0xFF, 0xFF], "1 stray byte between marker segments is skipped"),
        Insertion(
            Array(repeating: 0x20, count: 70_000), "70000 stray bytes between marker segments are skipped"),
    ]

    /// Bytes inserted between segments, and the warning about them.
    struct Insertion: CustomTestStringConvertible {
        var bytes: [UInt8]
        var warning: String

        init(_ bytes: [UInt8], _ warning: String) { (self.bytes, self.warning) = (bytes, warning) }

        var testDescription: String { "\(bytes.count) bytes: \(bytes.prefix(4))" }
    }

    @Test(
        "Stray bytes before any segment leave planes and photo unchanged", arguments: insertions,
        ["portrait.jpg", "plain.jpg", "gdepth-portrait.jpg", "stereo.mpo"])
    func between(_ insertion: Insertion, name: String) throws {
        let whole = try TestImages.bytes(name)
        let expected = try DepthPhoto(MemorySource(whole))
        let codes = try expected.planes.map { try expected.codes(of: $0) }
        let image = try Self.pixels(expected)
        let gaps = Self.gaps(whole)
        #expect(gaps.count >= 9)
        for gap in gaps {
            let photo = try DepthPhoto(MemorySource(whole[..<gap] + insertion.bytes + whole[gap...]))
            #expect(photo.planes.map(\.kind) == expected.planes.map(\.kind), "at \(gap)")
            #expect(photo.planes.map(\.source) == expected.planes.map(\.source), "at \(gap)")
            #expect(photo.planes.map(\.mapping) == expected.planes.map(\.mapping), "at \(gap)")
            if gap == gaps[1] || gap == gaps.last {  // decoding takes long
                #expect(try photo.planes.map { try photo.codes(of: $0) } == codes, "at \(gap)")
            }
            #expect(photo.description.make == expected.description.make, "at \(gap)")
            #expect((photo.description.stereo == nil) == (expected.description.stereo == nil), "at \(gap)")
            #expect(photo.metadata().blocks == expected.metadata().blocks, "at \(gap)")
            let warnings = photo.diagnostics.map(\.description)
            #expect(warnings.last == "\(insertion.warning) (JPEG at byte \(gap))", "at \(gap)")
        }
        let photo = try DepthPhoto(MemorySource(whole[..<gaps[4]] + insertion.bytes + whole[gaps[4]...]))
        #expect(try Self.pixels(photo) == image)
    }

    @Test("Fill bytes before a marker are allowed and give no warning")
    func fillBytes() throws {
        let whole = try TestImages.bytes("plain.jpg")
        for gap in Self.gaps(whole) {
            let photo = try DepthPhoto(MemorySource(whole[..<gap] + [0xFF, 0xFF] + whole[gap...]))
            #expect(photo.diagnostics == [])
            #expect(photo.description.width == 960)
        }
    }

    @Test("Stray bytes in a plane's own stream give a warning and leave its samples unchanged")
    func inPlane() throws {
        let whole = try TestImages.bytes("portrait.jpg")
        let expected = try DepthPhoto(MemorySource(whole))
        guard case .jpegStream(let range) = expected.depthPlane?.location else {
            Issue.record("the depth plane is not a JPEG stream")
            return
        }
        let gap = range.lowerBound + Self.gaps(Array(whole[range]))[1]
        let photo = try DepthPhoto(MemorySource(whole[..<gap] + [1, 0xFF, 0, 2] + whole[gap...]))
        #expect(
            try photo.codes(of: photo.describe().requirePlane(nil))
                == expected.codes(of: expected.describe().requirePlane(nil)))
        #expect(
            photo.diagnostics.map(\.description).contains(
                "4 stray bytes between marker segments are skipped (JPEG at byte \(gap))"))
    }

    @Test("Stray bytes at several offsets give one warning that names the first")
    func several() throws {
        let whole = try TestImages.bytes("plain.jpg")
        let gaps = Self.gaps(whole)
        var bytes = whole
        for gap in gaps.reversed() { bytes.insert(contentsOf: [0, 0], at: gap) }
        let photo = try DepthPhoto(MemorySource(bytes))
        #expect(
            photo.diagnostics.map(\.description) == [
                "\(2 * gaps.count) stray bytes between marker segments are skipped (JPEG at byte \(gaps[0]))"
            ])
        let expected = try DepthPhoto(MemorySource(whole))
        #expect(try Self.pixels(photo) == Self.pixels(expected))
    }

    @Test("More than a mebibyte of stray bytes, or than the metadata limit, is an error")
    func bounds() throws {
        let whole = try TestImages.bytes("plain.jpg")
        let gap = Self.gaps(whole)[2]
        func photo(_ count: Int, _ limits: DecodingLimits = DecodingLimits()) throws -> DepthPhoto {
            let stray = [UInt8](repeating: 0x55, count: count)
            return try DepthPhoto(MemorySource(whole[..<gap] + stray + whole[gap...]), limits: limits)
        }
        #expect(try photo(1 << 20).diagnostics.count == 1)
        let error = #expect(throws: ContainerError.self) { try photo(1 << 20 + 1) }
        #expect(error?.code == "malformed")
        #expect(error?.message == "more than 1048576 stray bytes between marker segments")
        var limits = DecodingLimits()
        limits[.metadataBytes] = 600
        #expect(try photo(600, limits).diagnostics.count == 1)
        #expect(throws: ContainerError.self) { try photo(601, limits) }
    }

    @Test("The tool writes the planes of a photo with stray bytes and warns once")
    func tool() throws {
        let whole = try TestImages.bytes("portrait.jpg")
        let gap = Self.gaps(whole)[3]
        let path = try folder.write(whole[..<gap] + [1, 2, 0xFF, 0] + whole[gap...], to: "stray.jpg")
        try folder.run(
            "extract \(path) -o d.png", says: "warning: 4 stray bytes between marker segments are skipped")
        #expect(try RasterFile(folder.file("d.png")).width == 192)
        let record = try #require(try Tool.run("info --json \(path)").objects().first)
        #expect(
            record.texts("warnings").contains(
                "4 stray bytes between marker segments are skipped (JPEG at byte \(gap))"))
    }

    @Test("A photo with stray bytes is used with the depth image beside it")
    func pair() throws {
        let whole = try TestImages.bytes("pair.jpg")
        let gap = Self.gaps(whole)[1]
        let path = try folder.write(whole[..<gap] + [1, 2] + whole[gap...], to: "pair.jpg")
        try folder.write(TestImages.bytes("pair_depth.png"), to: "pair_depth.png")
        try folder.run("extract \(path) -o d.png")
    }
}
