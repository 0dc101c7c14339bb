import ByteParsing
import Foundation
import TestSupport
import Testing

/// Lines of paths and a few flags are read without ArgumentParser; a flag that changes nothing leaves them to it.
@Suite("Plain command lines")
struct PlainLineTests {
    /// A run, and the files that it left.
    private struct Outcome: Equatable {
        var status: Int
        var output: [UInt8]
        var messages: String
        var files: [String: Data?]

        init(_ line: String, _ other: [String] = []) throws {
            let folder = try TemporaryFolder()
            for name in [
                "portrait.heic", "portrait.jpg", "plain.jpg", "pair_depth.png", "portrait-rotated.heic",
            ] {
                try FileManager.default.copyItem(atPath: TestImages.path(name), toPath: folder.file(name))
            }
            try Data("no picture".utf8).write(to: URL(fileURLWithPath: folder.file("text.heic")))
            let run = try Tool.run(line.split(separator: " ").map(String.init) + other, folder: folder.path)
            (status, output, messages) = (run.status, Array(run.output), run.messages)
            files = folder.contents.reduce(into: [:]) { files, name in
                files[name] = FileManager.default.contents(atPath: folder.file(name))
            }
        }
    }

    @Test(
        "do what ArgumentParser reads in them",
        arguments: [
            "info portrait.heic", "info --json portrait.heic plain.jpg text.heic", "info -q text.heic",
            "info --recursive --json .", "info -r .", "info .", "info missing.jpg",
            "extract portrait.heic -o d.png", "extract -o d.exr --as depth portrait.jpg --json",
            "extract portrait.heic --plane matte --output m.png -q", "extract pair_depth.png -o d.npy",
            "extract portrait.heic -o portrait.jpg", "extract portrait.heic -o portrait.jpg --force",
            "extract portrait.heic -o d.tiff -f --quiet", "extract plain.jpg -o d.png",
            "extract portrait.heic --plane depth -o d.png", "extract portrait.heic --plane portrait -o d.pfm",
            "extract text.heic -o d.png", "extract missing.heic -o d.png", "extract . -o d.png",
            "extract portrait.heic -o missing/d.png", "extract portrait.heic -o d.png --force",
            "composite portrait.heic --background #20a0ff -o c.png",
            "composite -b plain.jpg portrait-rotated.heic -o c.jpg --json",
            "composite portrait.heic -b none -o c.tiff --no-refine --no-decontaminate",
            "composite portrait.heic -b white --matte depth -o c.png -q",
            "composite portrait.heic -b missing.jpg -o c.jpg", "composite plain.jpg -b white -o c.jpg",
            "composite portrait.heic -b portrait.jpg --matte pair_depth.png -o c.jpg",
            "blur portrait.heic -o b.jpg", "blur portrait.jpg --focus 0.5,0.4 --aperture 2.8 -o b.png --json",
            "cloud portrait.heic -o c.ply", "cloud portrait.jpg -o c.las --json",
            "cloud pair_depth.png -o c.pcd",
            "cloud portrait.heic -o c.xyz -q", "cloud portrait.heic -o c.obj", "cloud portrait.heic -o c.glb",
            "cloud plain.jpg -o c.ply",
        ])
    func same(line: String) throws {
        let plain = try Outcome(line)
        #expect(try Outcome(line, ["--limit=items=\(DecodingLimits()[.items])"]) == plain)
    }

    @Test(
        "leave what is wrong with them to ArgumentParser",
        arguments: [
            "info", "info --json", "info --quiet --quiet", "extract portrait.heic", "extract -o d.png",
            "extract portrait.heic -o", "extract portrait.heic -o d.bmp",
            "extract portrait.heic portrait.jpg -o d.png",
            "extract portrait.heic --plane all -o d.png",
            "extract portrait.heic --plane matte --as depth -o d.png",
            "extract portrait.heic --plane nose -o d.png", "extract portrait.heic --as matte -o d.png",
            "extract portrait.heic -o d.png --recursive", "extract portrait.heic -o d.png --background red",
            "composite portrait.heic -o c.png", "composite portrait.heic -b none -o c.jpg",
            "composite portrait.heic -b #12345 -o c.jpg", "composite portrait.heic -b . -o c.jpg",
            "blur portrait.heic --focus 2,2 -o b.jpg", "blur portrait.heic --aperture 0 -o b.jpg",
            "blur portrait.heic --aperture inf -o b.jpg", "blur portrait.heic -o b.heic",
            "cloud portrait.heic -o c.usdz", "cloud portrait.heic -o c.txt",
        ])
    func wrong(line: String) throws {
        let plain = try Outcome(line)
        #expect(plain.status == 64)
        #expect(try Outcome(line, ["--limit=items=\(DecodingLimits()[.items])"]) == plain)
    }
}
