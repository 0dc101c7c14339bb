import Bytes
import Codecs
import DepthMaps
import DepthTypes
import Embedded
import Scenes
import TestSupport
import Testing

/// Which samples of a raster are unknown.
@Suite struct UnknownSampleTests {
    private let folder = TemporaryFolder()

    /// Zero, a negative, an infinite and an unknown value among eight others.
    private let values: [Float] = [0, -1, .infinity, .nan, 1, 2, 3, 4, 5, 6, 7, 8]

    private func input(_ format: RasterFormat, _ reading: ReadingOptions) throws -> DepthScene {
        let folder = TemporaryFolder()
        return try DepthScene(storedIn: file(format, values, in: folder), reading: reading)
    }

    @Test(
        "Depth that is 0, negative or not finite is unknown, and counted",
        arguments: [RasterFormat.tiff, .exr, .pfm, .npy])
    func depth(format: RasterFormat) throws {
        let input = try input(format, ReadingOptions())
        #expect(!input.diagnostics.contains { $0.code == "no-data-samples" })
        let meters = try input.depth().meters
        #expect(meters[..<4].allSatisfy(\.isNaN) && meters[4...] == [1, 2, 3, 4, 5, 6, 7, 8])
        let reciprocals = try input.disparity().reciprocalMeters
        #expect(reciprocals[..<4].allSatisfy(\.isNaN) && reciprocals[5] == 0.5)
        let remark = try #require(input.diagnostics.first { $0.code == "no-data-samples" })
        #expect(remark.message == "4 of 12 stored samples mean unknown (0, negative, not finite)")
    }

    @Test("Disparity that is negative or not finite is unknown, and 0 is infinitely far")
    func disparity() throws {
        var reading = ReadingOptions()
        reading.quantity = .disparity
        let input = try input(.npy, reading)
        let disparity = try input.disparity().reciprocalMeters
        #expect(disparity[0] == 0 && disparity[1..<4].allSatisfy(\.isNaN) && disparity[4...] == values[4...])
        #expect(try input.depth().meters[0] == .infinity)
        let remark = try #require(input.diagnostics.first { $0.code == "no-data-samples" })
        #expect(remark.message == "3 of 12 stored samples mean unknown (negative, not finite)")
    }

    @Test("A value that was named is unknown, too", arguments: [ReadingOptions.Quantity.depth, .disparity])
    func given(quantity: ReadingOptions.Quantity) throws {
        var reading = ReadingOptions()
        (reading.quantity, reading.noData) = (quantity, .value(3))
        let input = try input(.pfm, reading)
        let found =
            quantity == .depth ? try input.depth().meters : try input.disparity().reciprocalMeters
        #expect(found.count(where: \.isNaN) == (quantity == .depth ? 5 : 4) && found[6].isNaN)
    }

    @Test("With none, no sample but nan is unknown")
    func none() throws {
        var reading = ReadingOptions()
        reading.noData = .nothing
        let input = try input(.npy, reading)
        #expect(try input.depth().meters.map(\.bitPattern) == values.map(\.bitPattern))
        #expect(!input.diagnostics.contains { $0.code == "no-data-samples" })
    }

    @Test(
        "The flag takes a number or none",
        arguments: [
            ("none", ReadingOptions.NoData.nothing), ("-32768", .value(-32768)), ("x", nil), ("", nil),
        ] as [(String, ReadingOptions.NoData?)])
    func spelling(text: String, wanted: ReadingOptions.NoData?) {
        #expect(ReadingOptions.NoData(text) == wanted)
    }

    @Test(
        "GDAL's no-data value of a TIFF is unknown, as text with spaces as well",
        arguments: ["7", "7 ", "7.0"])
    func gdal(text: String) throws {
        var tiff = HandMadeTIFF(width: 4, height: 3, values: values)
        tiff.texts[42113] = text
        let meters = try DepthScene(storedIn: MemorySource(tiff.bytes)).depth().meters
        #expect(meters.count(where: \.isNaN) == 5 && meters[10].isNaN && meters[11] == 8)
        var reading = ReadingOptions()
        reading.noData = .nothing
        #expect(try DepthScene(storedIn: MemorySource(tiff.bytes), reading: reading).depth().meters[10] == 7)
    }

    @Test(
        "A no-data attribute of an OpenEXR file is unknown",
        arguments: [EXRAttribute.Value.number(8), .text("8")])
    func attribute(value: EXRAttribute.Value) throws {
        let path = folder.file("z.exr")
        try OutputFile(path: path, replacesExisting: true).write { (descriptor) throws(WriteError) in
            let channel = EXRChannel(name: "Z", samples: values, isHalf: false)
            try LayeredEXR(
                width: 4, height: 3, channels: [channel],
                attributes: [EXRAttribute(name: "noData", value: value)]
            ).write(to: descriptor)
        }
        let meters = try DepthScene(storedIn: path).depth().meters
        #expect(meters.count(where: \.isNaN) == 5 && meters[11].isNaN)
    }

    @Test("Heights keep their values but for the no-data value, and have no disparity and no cloud")
    func heights() throws {
        // -32768, -40, 0 and 5 m.
        var tiff = HandMadeTIFF(width: 2, height: 2, samples: [0x00, 0x80, 0xD8, 0xFF, 0, 0, 5, 0])
        (tiff.bits, tiff.sampleFormat, tiff.isGeoreferenced, tiff.texts[42113]) = (16, 2, true, "-32768")
        let source = MemorySource(tiff.bytes)
        let input = try DepthScene(storedIn: source)
        let values = try input.depth().meters
        #expect(values[0].isNaN && values[1...] == [-40, 0, 5])
        #expect(throws: SceneError.heights) { _ = try input.disparity() }
        #expect(throws: SceneError.heights) { _ = try input.matched.cloud() }
        #expect(input.diagnostics.contains { $0.code == "heights" })
        // They stay heights in files of Isobath.
        try folder.write(tiff.bytes, to: "heights.tif")
        for name in ["h.tiff", "h.png", "h.exr"] {
            try folder.run("extract heights.tif -o \(name)")
            let again = try DepthScene(storedIn: folder.file(name))
            let found = try again.depth().meters
            #expect(found[0].isNaN && abs(found[1] + 40) < 0.001 && abs(found[2]) < 0.001)
            #expect(throws: SceneError.heights) { _ = try again.disparity() }
        }
        // High is bright: 1 is the lowest sample, as 0 is unknown.
        let export = PlaneExport(format: .png, pngStyle: .preview)
        let exported = try input.export(input.description.requirePlane(nil), as: export)
        guard case .gray8(let shades) = exported.raster.samples else {
            Issue.record("a preview is gray")
            return
        }
        #expect(shades[0] == 0 && shades[1] == 1 && shades[3] == 255 && shades[2] > 200)
        var reading = ReadingOptions()
        reading.quantity = .depth
        let distances = try DepthScene(storedIn: source, reading: reading).depth().meters
        #expect(distances[..<3].allSatisfy(\.isNaN) && distances[3] == 5)
    }

    @Test("Filling fills what is unknown by the rule, and the record counts what is left")
    func filled() throws {
        let source = try file(.pfm, values, in: folder)
        for (flags, unknown) in [([], 4), (["--fill-holes"], 0)] as [([String], Int)] {
            let run = try folder.run(
                "extract \(source) -o o.tiff --json -f \(flags)",
                says: "4 of 12 stored samples mean unknown (0, negative, not finite); --no")
            let plane = try #require(try run.objects().first?.objects("outputs").first?.object("plane"))
            #expect(plane.integer("unknownSamples") == unknown)
            #expect(run.messages.contains("4 of 12 samples were unknown and are filled") == (unknown == 0))
            #expect(run.messages.contains(", 4 unknown → ") == (unknown == 4))
            let known = try RasterFile(folder.file("o.tiff")).samples.count { $0 >= 1 && $0 <= 8 }
            #expect(known == 12 - unknown)
        }
        let kept = try folder.run("extract \(source) -o n.npy --no-data none")
        #expect(!kept.messages.contains("unknown ("), "\(kept.messages)")
    }

    // The hole covers columns 10 to 19 of 32; the photo shows that the box begins at column 13.
    @Test("Filling follows the edges of the photo that --color names, and reports it")
    func filledAlongPhoto() throws {
        let samples = (0..<32 * 24).map { index -> Float in
            let column = index % 32
            return (10..<20).contains(column) ? .nan : column < 13 ? 8 : 40
        }
        let raster = Raster(width: 32, height: 24, samples: .float(samples))
        try OutputFile(path: folder.file("h.pfm"), replacesExisting: true).write {
            (descriptor) throws(WriteError) in
            try raster.write(as: .pfm, to: descriptor)
        }
        // The photo is twice as large.
        let pixels = (0..<64 * 48).flatMap { $0 % 64 < 26 ? [30, 60, 90] : [200, 180, 40] as [UInt8] }
        try folder.write(Array("P6 64 48 255\n".utf8) + pixels, to: "photo.ppm")
        try folder.write(Array("P6 64 24 255\n".utf8) + pixels.prefix(64 * 24 * 3), to: "wide.ppm")
        func run(_ flags: [String]) throws -> (status: Int, messages: String) {
            let run = try Tool.run(
                ["extract", "h.pfm", "--quantity", "disparity", "--scale", "1", "--fill-holes", "-f"] + flags,
                folder: folder.path)
            return (Int(run.status), run.messages)
        }
        for (flags, edge, message) in [
            ([], 20, "240 of 768 samples were unknown and are filled\n"),
            (
                ["--color", "photo.ppm"], 13,
                "240 of 768 samples were unknown and are filled, along the edges of the photo"
            ),
        ] as [([String], Int, String)] {
            let run = try run(flags + ["-o", "o.tiff"])
            #expect(run.status == 0 && run.messages.contains(message), "\(run.messages)")
            let filled = try RasterFile(folder.file("o.tiff")).samples
            #expect(filled.indices.allSatisfy { filled[$0] == ($0 % 32 < edge ? 8 : 40) })
        }
        #expect(try run(["--color", "wide.ppm", "-o", "s.tiff"]).status == 1)
    }
}

/// Files that were misread; their counts and ranges were computed with NumPy and tifffile.
@Suite(.needsWildFiles)
struct WildRasterTests {
    private func values(_ name: String) throws -> (known: [Float], unknown: Int, remarks: [String]) {
        let input = try DepthScene(storedIn: SampleFolder.wild.path(name))
        let values = try input.depth().meters
        return (
            values.filter { !$0.isNaN }, values.count(where: \.isNaN), input.diagnostics.map(\.message)
        )
    }

    @Test("Zeros of a PFM are unknown") func zeros() throws {
        let (known, unknown, remarks) = try values("mvsgs-depth_map_0000.pfm")
        #expect(unknown == 6555 && known.count == 20480 - 6555 && known.allSatisfy { $0 > 0 })
        #expect(remarks.contains("6555 of 20480 stored samples mean unknown (0)"))
    }

    @Test("GDAL's no-data value and heights are known") func heights() throws {
        let (known, unknown, remarks) = try values("coastal-sedime-nodata-32768.tif")
        #expect(unknown == 209946 && known.min() == 30 && known.max() == 5000)
        #expect(remarks.contains("209946 of 980000 stored samples mean unknown (-32768)"))
        let sea = try values("resplotlib-bathymetry.tif")
        #expect(sea.unknown == 342086 && sea.known.min() == -40.57 && sea.known.max() == 3.23)
    }

    @Test(
        "Files without depth have none, and the message says what they are",
        arguments: [
            ("cornellBox_CryptoWildcard.0001.exr", "no channel holds depth"),
            ("cnes-left_disparity_grid.tif", "disparity grid (row and column"),
            ("exrs-crow_dwa.exr", "compression DWAA, which the OpenEXR C library lacks, is not supported"),
            ("exiftool-Lytro.lfp", "a Lytro LFP file"),
            ("hypersim-frame.0000.depth_meters.hdf5", "an HDF5 file"),
        ])
    func refused(name: String, words: String) throws {
        let folder = TemporaryFolder()
        let extracted = try Tool.run(["extract", SampleFolder.wild.path(name), "-o", folder.file("o.png")])
        #expect(extracted.status != 0 && extracted.messages.contains(words), "\(extracted.messages)")
        let info = try Tool.run("info \(SampleFolder.wild.path(name))", status: nil)
        #expect((info.text + info.messages).contains(words))
    }
}
