import Foundation
import TestSupport
import Testing

@Suite("Processing of maps")
struct TreatmentTests {
    private let folder = TemporaryFolder()

    /// The file that `extract` writes.
    private func extract(
        _ name: String, _ options: [String], to file: String = "d.tiff",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> RasterFile {
        let folder = TemporaryFolder()
        try folder.run(
            "extract {\(name)} -o \(file) \(options)", sourceLocation: sourceLocation)
        return try RasterFile(folder.file(file))
    }

    @Test("An upsampled plane follows the orientation")
    func upsampleTurned() throws {
        let upright = try extract("portrait.heic", ["--upsample"], to: "d.png")
        let turned = try extract("portrait-rotated.heic", ["--upsample"], to: "d.png")
        #expect(turned.width == upright.width && turned.height == upright.height)
        let stored = try extract(
            "portrait-rotated.heic", ["--upsample", "--stored-orientation"], to: "d.png")
        #expect(stored.width == 720 && stored.height == 960)
    }

    @Test("The camera in the record fits the upsampled plane")
    func upsampledCamera() throws {
        let run = try folder.run("extract {portrait.heic} --upsample --json -o d.png")
        let outputs = try #require(run.objects().first?["outputs"] as? [[String: Any]])
        let intrinsics = try #require(outputs.first).object("plane").object("calibration").object(
            "intrinsics")
        #expect(intrinsics.number("width") == 960)
        #expect(intrinsics.number("fx") == 1200)
    }

    @Test("--fill-holes says when nothing is known behind, and puts the border eight times as far")
    func unknownBackground() throws {
        let samples = (0..<64 * 64).map { index -> UInt8 in
            (22..<42).contains(index % 64) && (22..<42).contains(index / 64) ? 50 : 0
        }
        try folder.write(Array("P5 64 64 255\n".utf8) + samples, to: "body.pgm")
        try folder.run(
            "extract body.pgm --scale 50 --fill-holes -o d.tiff", says: "nothing is known behind what is near"
        )
        let written = try RasterFile(folder.file("d.tiff")).samples
        #expect(abs(written[0] - 8) < 1e-4 && written[32 * 64 + 32] == 1)
    }

    @Test(
        "Every subcommand treats depth before it uses it",
        arguments: [
            ["cloud"], ["blur", "--picture", "photo"], ["composite", "-b", "white", "--matte", "depth"],
        ])
    func everywhere(command: [String]) throws {
        let output = folder.file(command[0] == "cloud" ? "c.ply" : "c.png")
        func bytes(_ flags: [String]) throws -> [UInt8] {
            try Tool.run("\(command) {absolute-depth.heic} -o \(output) -f \(flags)")
            return try folder.bytes(of: String(output.split(separator: "/").last ?? ""))
        }
        let plain = try bytes([])
        #expect(try bytes(["--smooth"]) != plain)
        // There are no holes to fill, and nothing changes.
        #expect(try bytes(["--fill-holes"]) == plain)
        try Tool.run(
            "\(command) {absolute-depth.heic} -o \(output) -f --min-confidence 1", status: 1,
            says: "there is no confidence plane")
    }
}
