import Codecs
import DepthMaps
import Foundation
import Scenes
import TestSupport
import Testing

/// The plane that `extract --json` describes.
private func plane(_ run: Tool.Run) throws -> [String: Any] {
    try #require(try run.objects().first?.objects("outputs").first?.object("plane"))
}

/// What stored values mean on the command line, in photos, rasters and frames.
@Suite struct StoredValueTests {
    private let folder = TemporaryFolder()

    /// A JPEG of 32 rows like this one, in gray.
    private static func jpeg(_ row: [UInt8]) throws -> [UInt8] {
        let pixels = (0..<32).flatMap { _ in row.map { RGB(red: $0, green: $0, blue: $0) } }
        let image = ColorImage(width: row.count, height: 32, pixels: .uint8(pixels), colorProfile: [])
        return try Picture(image).encoded(as: .jpeg, quality: 100)
    }

    @Test(
        "Nothing was hit at the greatest value of 16 bits, in a raster and in frames, with and without a unit"
    )
    func misses() throws {
        let codes = [1000, 1500, 2000, 65535]
        for index in 0..<2 { try folder.write(pgm(codes + codes, width: 4), to: "num/depth-000\(index).pgm") }
        for scale in [["--scale", "1000"], []] {
            let run = try folder.run(
                "extract num/depth-0000.pgm -o a.tiff --json -f \(scale)", says: "nothing was hit")
            let plane = try plane(run)
            #expect(plane.object("sampleKinds").integer("nothingHit") == 2)
            #expect(plane.integer("unknownSamples") == 2)
            #expect(plane.number("maximum") == (scale.isEmpty ? 2000 : 2))
            let frames = try folder.run("extract num -o w-%d.png --json -f \(scale)", says: "nothing was hit")
            #expect(try frames.objects().first?.object("sampleKinds").integer("nothingHit") == 4)
            // 1000 and 2000 are the ends of the range, which codes from 1 or 0 to 65535 span.
            let written = try RasterFile(folder.file("w-1.png")).samples
            #expect(written[2] == 65535 && written[3] == 0 && abs(written[1] - 32768) < 2)
        }
    }

    @Test("Without a known sample nothing is written: a raster, a photo, a recording")
    func none() throws {
        for name in ["a.pgm", "num/depth-0000.pgm", "num/depth-0001.pgm"] {
            try folder.write(pgm([0, 0, 0, 0], width: 2), to: name)
        }
        let half = [UInt8](repeating: 200, count: 32) + [UInt8](repeating: 0, count: 32)
        try folder.write(Self.jpeg(half), to: "pair.jpg")
        let pair = ["pair.jpg", "--layout", "right"]
        for arguments in [
            ["extract", "a.pgm", "-o", "o.png"], ["cloud", "a.pgm", "--camera", "4", "-o", "o.ply"],
            ["extract"] + pair + ["-o", "o.png"], ["cloud"] + pair + ["-o", "o.ply"],
            ["blur"] + pair + ["-o", "o.png"], ["convert"] + pair + ["--to", "gdepth", "-o", "o.jpg"],
            ["extract", "num", "--scale", "1000", "-o", "o.mp4"],
            ["extract", "num", "--scale", "1000", "-o", "o-%d.png"],
        ] {
            try folder.run("\(arguments)", status: 1, says: "no sample is known")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!left.contains { $0.hasPrefix("o") })
    }

    @Test(
        "Code 0 of a picture of depth is unknown as in a raster, with a remark, unless --no-data none keeps it"
    )
    func pair() throws {
        // Blocks of 8 × 8 keep their shade.
        let row = [UInt8](repeating: 200, count: 32) + (0..<32).map { UInt8($0 / 8 * 80) }
        try folder.write(Self.jpeg(row), to: "pair.jpg")
        let extract = [
            "extract", "pair.jpg", "--layout", "right", "--quantity", "depth", "-o", "a.tiff", "--json", "-f",
        ]
        let run = try folder.run("\(extract)", says: "256 of 1024 stored samples mean unknown (0); --no-data")
        #expect(try plane(run).integer("unknownSamples") == 256)
        #expect(try plane(run).object("sampleKinds").integer("zero") == 256)
        let kept = try folder.run("\(extract) --no-data none")
        #expect(!kept.messages.contains("mean unknown"), "\(kept.messages)")
        #expect(try plane(kept).integer("unknownSamples") == 0)
    }
}

/// Files whose values were misread once; the values are from the `README` of each case.
@Suite(
    "Values that were misread", .needsCases)
struct CaseValueTests {
    private let folder = TemporaryFolder()

    @Test(
        "Samples that nothing was hit at are unknown, and cloud drops them",
        arguments: [
            ("a05-exr-1e10/exr-V-background1e10.exr", [], 8),
            ("a07-exr-half-65504/exr-half-65504.exr", [], nil),
            ("a16-65535-missing/stanford2d3d-512.png", ["--scale", "512"], 8),
        ] as [(String, [String], Int?)])
    func misses(name: String, flags: [String], count: Int?) throws {
        let run = try folder.run("extract \(SampleFolder.cases.path(name)) -o a.tiff --json \(flags)")
        let plane = try plane(run)
        let found = try #require(plane.object("sampleKinds").integer("nothingHit"))
        #expect(found > 0 && (count == nil || found == count))
        #expect((plane.number("maximum") ?? .infinity) < 1000)
        #expect(run.messages.contains("nothing was hit"))
    }

    @Test("Zeros of disparity are unknown, and filled")
    func zeros() throws {
        let depth = SampleFolder.cases.path("b08-kitti-zeros/disp_occ_0.png")
        let base = [
            "extract", depth, "--camera", SampleFolder.cases.path("b08-kitti-zeros/calib.txt"), "--as",
            "depth",
            "--json",
            "-o", folder.file("a.tiff"), "-f",
        ]
        let stored = try RasterFile(depth).samples
        let zeros = stored.count { $0 == 0 }
        let run = try Tool.run("\(base) --scale 256")
        let plane = try plane(run)
        #expect(plane.integer("unknownSamples") == zeros && zeros > 0)
        #expect(plane.object("sampleKinds").integer("infinite") == 0)
        try Tool.run(
            "\(base) --scale 256 --fill-holes --color \(SampleFolder.cases.path("b08-kitti-zeros/img.png"))",
            says: "\(zeros) of \(stored.count) samples were unknown")
    }

    @Test("A range that is known gives 0.5 to 4 m")
    func range() throws {
        let run = try folder.run(
            """
            extract \(SampleFolder.cases.path("v6-known-range/inverse8-0.5to4m.png")) --quantity disparity --range
            0.5,4 --as depth -o a.tiff --json
            """)
        let plane = try plane(run)
        #expect(
            abs((plane.number("minimum") ?? 0) - 0.5) < 1e-5 && abs((plane.number("maximum") ?? 0) - 4) < 1e-4
        )
    }

    @Test(
        "Packed samples are named",
        arguments: [
            ("a13-android-depth16/android-depth16.png", "& 0x1FFF"),
            ("a12-sunrgbd-rotated/sunrgbd-rotated.png", "--scale 8000"),
        ])
    func packed(name: String, way: String) throws {
        try folder.run(
            "extract \(SampleFolder.cases.path(name)) --scale 1000 -o a.tiff", says: "warning: ", way)
    }

    @Test(
        "The factor of transforms.json is that of every form of depth",
        arguments: ["unit001-npy", "unit1-png"])
    func nerfstudio(name: String) throws {
        let run = try folder.run(
            "extract \(SampleFolder.cases.path("s20-nerfstudio-unit/\(name)")) --frame 0 -o a.tiff --json")
        let plane = try plane(run)
        #expect(plane.number("minimum") == 2 && plane.number("maximum") == 2)
        #expect(plane.text("unit") == "m" && plane.text("accuracy") == "absolute")
    }
}
