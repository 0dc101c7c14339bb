import Bytes
import Codecs
import DepthMaps
import DepthTypes
import Foundation
import RasterFormats
import Scenes
import TestSupport
import Testing

/// A map with every kind of value: negative, tiny, infinite and unknown.
let oddMeters: [Float] = [1, 2.5, -1.25, 0, 0x1p-140, .infinity, .nan, 3e38, 0.1, 7, 8, 9]

/// Writes a map of 4 × 3 samples to a file.
func file(_ format: RasterFormat, _ meters: [Float] = oddMeters, in folder: TemporaryFolder) throws -> String
{
    let path = folder.file("map.\(format.rawValue)")
    let raster = Raster(width: 4, height: 3, samples: .float(meters))
    try OutputFile(path: path, replacesExisting: true).write { (descriptor) throws(WriteError) in
        try raster.write(as: format, to: descriptor)
    }
    return path
}

@Suite struct RoundTripTests {
    private let folder = TemporaryFolder()

    @Test("Floats are read bit for bit", arguments: [RasterFormat.tiff, .exr, .pfm, .npy])
    func floats(format: RasterFormat) throws {
        var reading = ReadingOptions()
        reading.noData = .nothing
        let input = try DepthScene(storedIn: file(format, in: folder), reading: reading)
        let map = try input.depth()
        #expect(input.description.file?.format == format.rawValue)
        #expect((map.width, map.height, map.scale) == (4, 3, .unknown))
        #expect(map.meters.map(\.bitPattern) == oddMeters.map(\.bitPattern))
    }

    @Test(
        "Floats are converted between formats bit for bit", arguments: [RasterFormat.tiff, .exr, .pfm, .npy])
    func converted(format: RasterFormat) throws {
        let source = try file(.npy, in: folder)
        let output = folder.file("out.\(format.rawValue)")
        try Tool.run("extract \(source) -o \(output) --quiet --no-data none")
        var reading = ReadingOptions()
        reading.noData = .nothing
        let meters = try DepthScene(storedIn: output, reading: reading).depth().meters
        #expect(meters.map(\.bitPattern) == oddMeters.map(\.bitPattern))
    }

    @Test("The camera survives OpenEXR")
    func camera() throws {
        let (source, output) = (try file(.npy, in: folder), folder.file("out.exr"))
        try Tool.run("extract \(source) -o \(output) --camera 3.5,1.25,-2")
        let camera = try #require(try DepthScene(storedIn: output).depth().calibration)
        #expect((camera.focalLengthX, camera.focalLengthY) == (3.5, 3.5))
        #expect((camera.principalPointX, camera.principalPointY) == (1.25, -2))
    }

    @Test("The record in a PNG restores values and unknown samples")
    func record() throws {
        let meters: [Float] = [1, 2, 3, 4, .nan, 6, 7, 8, 9, 10, 11, 12]
        let (source, output) = (try file(.npy, meters, in: folder), folder.file("out.png"))
        try Tool.run("extract \(source) -o \(output)")
        let input = try DepthScene(storedIn: output)
        let found = try input.depth().meters
        // 65,534 steps over 11 m: half a step is 0.084 mm.
        for (value, wanted) in zipEqual(found, meters) {
            #expect(value.isNaN == wanted.isNaN && !(abs(value - wanted) > 0.000085))
        }
        let again = folder.file("again.png")
        try Tool.run("extract \(output) -o \(again)")
        #expect(try Data(contentsOf: URL(filePath: output)) == Data(contentsOf: URL(filePath: again)))
    }

    @Test(
        "Truncated rasters are errors, and damaged ones are read or refused",
        arguments: [RasterFormat.tiff, .exr, .pfm, .npy, .png])
    func truncated(format: RasterFormat) throws {
        let path =
            format == .png
            ? try { () throws -> String in
                let png = folder.file("map.png")
                let raster = Raster(width: 4, height: 3, samples: .gray16(Array(1...12)))
                try OutputFile(path: png, replacesExisting: true).write {
                    (descriptor) throws(WriteError) in
                    try raster.writePNG(to: descriptor)
                }
                return png
            }() : try file(format, in: folder)
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        for count in 0..<bytes.count {
            let source = MemorySource(Array(bytes.prefix(count)))
            // No sample is stored at the end of a PNG file or of a TIFF directory.
            let mayPass = format == .png ? count >= bytes.count - 16 : format == .tiff
            let result = Result { try DepthScene(storedIn: source).depth() }
            if case .success = result { #expect(mayPass, "\(count) of \(bytes.count) bytes") }
        }
        var random = SplitMix(seed: 99)
        var mutants = MutantCount()
        for _ in 0..<2000 {
            var changed = bytes
            random.damage(&changed, changes: 2)
            var limits = DecodingLimits()
            limits[.pixels] = 1 << 20
            mutants.add { _ = try DepthScene(storedIn: MemorySource(changed), limits: limits).depth() }
        }
        mutants.expectBoth()
    }
}

@Suite struct ColorRasterTests {
    @Test("A picture keeps its color profile", arguments: [RasterFormat.png, .tiff])
    func profile(format: RasterFormat) throws {
        let folder = TemporaryFolder()
        let photo = folder.file("photo.\(format.rawValue)")
        try Tool.run("extract {portrait.heic} --plane photo -o \(photo)")
        let wanted = try DepthPhoto(contentsOf: TestImages.path("portrait.heic")).image()
        let found = try #require(try DepthScene(storedIn: photo).picture(atLeast: nil))
        #expect(!wanted.colorProfile.isEmpty && found.colorProfile == wanted.colorProfile)
        guard case .uint8(let pixels) = found.pixels, case .uint8(let same) = wanted.pixels else {
            Issue.record("both have 8 bits")
            return
        }
        #expect(pixels == same)
    }
}
