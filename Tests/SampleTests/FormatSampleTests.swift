import Bytes
import Embedded
import Isobath
import PhotoFormats
import TestSupport
import Testing

/// A plane of a sample and its decoded values in other programs.
struct FormatTruth {
    var file: String
    var kind: PlaneKind
    var type: String
    var source: String
    var size: [Int]
    var bitDepth: Int
    var minimum, maximum: Int
    var mean: Double
    var zeros: Int
}

@Suite(
    "AVIF, HEIF alpha, JPEG XL and pairs",
    .needsSamples)
struct FormatSampleTests {
    /// Statistics by imagecodecs 2026.3.6 (libavif 1.4.0, libjxl 0.11.2) and pillow-heif 1.8.1:
    /// `a = avif_decode(…)[..., 3]`, `open_heif(f, convert_hdr_to_8bit=False)`; `a.min(), a.max(), a.mean(), (a == 0).sum()`.
    /// pillow-heif returns Nokia's alpha as coded, 16…235; `clip(((a − 16)·255 + 109) // 219, 0, 255)` expands it.
    static let planes: [FormatTruth] = {
        let alpha = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"
        return [
            FormatTruth(
                file: "avif/alpha-item-inverted.avif", kind: .alpha, type: alpha, source: "heif-auxiliary",
                size: [3840, 2160], bitDepth: 8, minimum: 47, maximum: 255, mean: 234.9022, zeros: 0),
            FormatTruth(
                file: "avif/animated-alpha-track.avif", kind: .alpha, type: alpha, source: "heif-auxiliary",
                size: [150, 150], bitDepth: 8, minimum: 128, maximum: 128, mean: 128, zeros: 0),
            // libavif does not read depth; the file equals the one above except for the type.
            FormatTruth(
                file: "avif/animated-depth-track.avif", kind: .depth,
                type: "urn:mpeg:mpegB:cicp:systems:auxiliary:depth", source: "heif-auxiliary",
                size: [150, 150], bitDepth: 8, minimum: 128, maximum: 128, mean: 128, zeros: 0),
            FormatTruth(
                file: "heif-alpha/nokia-alpha-c006.heic", kind: .alpha, type: "urn:mpeg:hevc:2015:auxid:1",
                source: "heif-auxiliary", size: [1280, 720], bitDepth: 8, minimum: 0, maximum: 255,
                mean: 128.0062, zeros: 1440),
            FormatTruth(
                file: "heif-alpha/nokia-alpha-cicp-c052.heic", kind: .alpha, type: alpha,
                source: "heif-auxiliary",
                size: [1280, 720], bitDepth: 8, minimum: 0, maximum: 255, mean: 128.0062, zeros: 1440),
            FormatTruth(
                file: "heif-alpha/rgba-10bit.heif", kind: .alpha, type: "urn:mpeg:hevc:2015:auxid:1",
                source: "heif-auxiliary", size: [128, 128], bitDepth: 10, minimum: 4, maximum: 1020,
                mean: 511.7307, zeros: 0),
            FormatTruth(
                file: "jxl/spot-3-extra-channels.jxl", kind: .alpha, type: "alpha",
                source: "jxl-extra-channel",
                size: [600, 400], bitDepth: 16, minimum: 65535, maximum: 65535, mean: 65535, zeros: 0),
        ]
    }()

    /// pillow-heif 1.8.1 (libheif 1.23.6), Pillow 13.0.0: `len(p := Image.open(f).info.get("icc_profile") or b"")` and
    /// `hashlib.sha256(p).hexdigest()[:12]`.
    static let profiles: [(file: String, byteCount: Int, hash: String)] = [
        ("apple-heic/imageio-written-disparity.heic", 0, ""),
        ("apple-heic/iphone13pro-pug-depth-gainmap.heic", 536, "20789fdbea98"),
        ("apple-heic/iphone14-portrait-all-mattes.heic", 536, "20789fdbea98"),
        ("apple-heic/iphonex-holo-depth-1820.heic", 548, "e468e89239fc"),
        ("apple-spatial/iphone15promax-spatial-depth-gainmap.heic", 536, "0ff6958f9868"),
        ("apple-spatial/nokia-stereo-1200x800.heic", 0, ""),
        ("apple-spatial/visionpro-spatial-photo.heic", 536, "20789fdbea98"),
        ("gainmap/apple-iphone13promax-gainmap.heic", 548, "e468e89239fc"),
        ("gainmap/heic-tmap-yuv400.heic", 536, "20789fdbea98"),
        ("gainmap/samsung-s25ultra-aux-ycbcr.heic", 632, "d77bd8c4008f"),
        ("samsung/samsung-motion-seft.heic", 0, ""),
    ]

    @Test("Color profiles of HEIF files are those that libheif finds", arguments: profiles.indices)
    func profile(index: Int) throws {
        let truth = Self.profiles[index]
        let photo = try DepthPhoto(contentsOf: SampleFolder.photos.path(truth.file))
        // At an eighth of its size, which is quicker and has the same profile.
        let image = try photo.opaqueImage(atLeast: PixelSize(width: 8, height: 8))
        #expect(image.colorProfile.count == truth.byteCount)
        #expect(truth.hash.isEmpty || SHA256(image.colorProfile).hexadecimal.hasPrefix(truth.hash))
    }

    /// libavif writes the first frame once: `iloc` gives item 1 the bytes 7287 to 7325, and `stco` and `stsz` the same.
    @Test("Without its still picture, a sequence is the picture of its first frame")
    func sequence() throws {
        let path = SampleFolder.photos.path("avif/animated-depth-track.avif")
        let still = try DepthPhoto(contentsOf: path).image()
        let source = try FileSource(path: path, limits: DecodingLimits())
        var bytes = try source.read(0..<source.byteCount)
        #expect(Array(bytes[48..<52]) == Array("meta".utf8))
        bytes.replaceSubrange(48..<52, with: Array("free".utf8))
        let photo = try DepthPhoto(MemorySource(bytes))
        #expect(photo.diagnostics.map(\.code) == ["first-frame"])
        let frame = try photo.image()
        #expect((frame.width, frame.height) == (150, 150))
        guard case .uint8(let a) = still.pixels, case .uint8(let b) = frame.pixels else { return }
        #expect(a == b)
    }

    @Test("Planes are listed and decoded as in other programs", arguments: planes.indices)
    func plane(index: Int) throws {
        let truth = Self.planes[index]
        let photo = try DepthPhoto(contentsOf: SampleFolder.photos.path(truth.file))
        let plane = try #require(photo.describe().storedPlane(truth.kind))
        #expect([plane.width, plane.height] == truth.size)
        #expect(plane.bitDepth == truth.bitDepth)
        #expect([plane.type, plane.source] == [truth.type, truth.source])
        #expect(plane.mapping?.isDeclared != true && plane.accuracy == .unknown)
        let codes = try photo.codes(of: plane, frame: .stored)
        #expect([codes.width, codes.height, codes.bitDepth] == truth.size + [truth.bitDepth])
        let found = CodeStatistics(codes)
        #expect([found.minimum, found.maximum, found.zeros] == [truth.minimum, truth.maximum, truth.zeros])
        // The mean was rounded to four decimals.
        #expect(abs(found.mean - truth.mean) <= 0.00005001)
    }

    @Test(
        "Unknown JPEG XL extra channels are listed by type, and premultiplied alpha is named")
    func extraChannels() throws {
        // jxlinfo -v: Alpha, Spotcolor, Spotcolor, each of 16 bits; and Alpha of 16 bits, premultiplied.
        let spot = try DepthPhoto(contentsOf: SampleFolder.photos.path("jxl/spot-3-extra-channels.jxl"))
        #expect(spot.planes.map(\.type) == ["alpha", "spot-color", "spot-color"])
        #expect(spot.planes.map(\.kind) == [.alpha, .unknown, .unknown])
        let premultiplied = try DepthPhoto(contentsOf: SampleFolder.photos.path("jxl/alpha-12bit.jxl"))
        #expect(premultiplied.planes.map(\.type) == ["alpha (premultiplied)"])
        #expect([premultiplied.description.width, premultiplied.description.height] == [1024, 1024])
    }

    @Test("A ProRAW sky mask is listed, and its truncation is an error")
    func rawMask() throws {
        let file = SampleFolder.photos.path("apple-dng/proraw-semantic-masks.dng")
        let photo = try DepthPhoto(contentsOf: file)
        #expect(photo.format == .dng)
        #expect([photo.description.width, photo.description.height] == [4032, 3024])
        #expect(photo.description.orientation.rawValue == 6)
        #expect([photo.description.make, photo.description.model] == ["Apple", "iPhone 12 Pro"])
        let sky = try #require(photo.describe().storedPlane(.sky))
        #expect(photo.planes.count == 1)
        #expect([sky.width, sky.height, sky.bitDepth] == [2016, 1512, 8])
        #expect(
            [sky.type, sky.source] == ["urn:com:apple:photo:2020:aux:semanticskymatte", "dng-semantic-mask"])
        let error = #expect(throws: ContainerError.self) { try photo.codes(of: sky) }
        #expect(error?.code == "truncated")
    }

    @Test("Photo and depth side by side are separated")
    func sideBySide() throws {
        var reading = ReadingOptions()
        reading.layout = .right
        let input = try DepthScene(
            storedIn: SampleFolder.photos.path("rgbd-side-by-side/beeflower-rgbd.jpg"), reading: reading)
        let photo = try #require(input.source as? DepthPhoto)
        let plane = try #require(photo.describe().storedPlane(.disparity))
        #expect(plane.mapping?.isDeclared == false)
        // Pillow: numpy.asarray(Image.open(file).convert("L"))[:, 984:]. Colors are gray up to the rounding of luma.
        let found = CodeStatistics(try photo.codes(of: plane))
        #expect([found.minimum, found.maximum] == [0, 255])
        #expect(abs(found.mean - 181.1811) < 0.01)
        let image = try photo.image()
        #expect([image.width, image.height] == [984, 897])
    }

    @Test("A separate depth image uses the photo given with --color")
    func pair() throws {
        let folder = TemporaryFolder()
        try folder.run(
            """
            extract \(SampleFolder.photos.path("depth-pair-jpg/depthy-flowers-depth.jpg")) --layout whole --color
            \(SampleFolder.photos.path("depth-pair-jpg/depthy-flowers-image.jpg")) -o depth.png
            """, says: "assuming white = near, no unit; use --quantity depth if white = far")
    }

    @Test("Damaged AVIF files are read or refused, some of each")
    func damaged() {
        var mutants = MutantCount()
        for file in SampleFolder.photos.files(in: "malformed") where file.hasSuffix("avif") {
            mutants.add {
                let photo = try DepthPhoto(contentsOf: SampleFolder.photos.path(file))
                for plane in photo.planes { _ = try? photo.codes(of: plane) }
                _ = try photo.image()
            }
        }
        mutants.expectBoth()
    }
}
