import DepthTypes
import Foundation
import PhotoBuilders
import PhotoWriting
import TestSupport
import Testing

@Suite("Names of extracted files")
struct ExtractNamingTests {
    @Test("One plane is written to the path given with -o")
    func file() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(["extract", TestImages.path("portrait.jpg"), "-o", folder.file("depth.png")])
        #expect(run.status == 0)
        #expect(folder.contents == ["depth.png"])
        #expect(run.output.isEmpty)
        let path = TestImages.path("portrait.jpg")
        let remark = "disparity 192 × 144, 0.04999 to 0.709 1/m, relative"
        #expect(run.messages == "isobath: \(path): \(remark) → \(folder.file("depth.png"))\n")
    }

    @Test("All planes are named after input and kind")
    func all() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run([
            "extract", TestImages.path("portrait.heic"), "--plane", "all", "-o", folder.path,
        ])
        #expect(run.status == 0)
        let kinds = ["disparity", "gain-map", "glasses", "hair", "matte", "skin", "sky", "teeth"]
        #expect(folder.contents == kinds.map { "portrait-\($0).png" })
    }

    @Test("Several inputs are written to a folder, which is created")
    func several() throws {
        let folder = try TemporaryFolder()
        let inputs = ["portrait.heic", "absolute-depth.jpg"].map(TestImages.path)
        let run = try Tool.run(
            ["extract"] + inputs + ["-o", folder.file("x/y/"), "--format", "tiff"])
        #expect(run.status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("x/y")).sorted()
        #expect(names == ["absolute-depth-depth.tiff", "portrait-disparity.tiff"])
    }

    @Test("A converted plane is named after its new quantity")
    func converted() throws {
        let folder = try TemporaryFolder()
        _ = try Tool.run([
            "extract", TestImages.path("portrait.jpg"), "--as", "depth", "-o", folder.path,
        ])
        #expect(folder.contents == ["portrait-depth.png"])
    }

    @Test("Planes of one unknown kind are numbered, and raw types never become file names")
    func numbered() throws {
        let folder = try TemporaryFolder()
        var file = DepthFile()
        file.change = { file in
            for urn in ["urn:mpeg:hevc:2015:auxid:2", "../../evil", "urn:x:\u{1B}[31m"] {
                guard let coded = try? CodedPlane.hevc(.disparity),
                    let type = try? ItemProperty.auxiliaryType(urn)
                else { return }
                let extra = file.add(DepthFile.item(coded, [type]))
                file.addReference(.auxiliary, from: extra, to: [DepthFile.photo])
            }
        }
        let path = try folder.write(try file.heic(), to: "in.heic")
        let run = try Tool.run(["extract", path, "--plane", "all", "-o", folder.file("out/")])
        #expect(run.status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("out")).sorted()
        #expect(
            names == [
                "in-depth.png", "in-disparity.png", "in-matte.png", "in-unknown-2.png", "in-unknown.png",
            ])
        let info = try Tool.run(["info", path])
        #expect(!info.text.unicodeScalars.contains { $0.value == 0x1B })
    }

    @Test("Two planes of one kind get different numbers")
    func twins() throws {
        let folder = try TemporaryFolder()
        var file = DepthFile()
        file.change = { file in
            guard let coded = try? CodedPlane.hevc(.matte),
                let type = try? ItemProperty.auxiliaryType(
                    "urn:com:apple:photo:2018:aux:portraiteffectsmatte")
            else { return }
            let extra = file.add(DepthFile.item(coded, [type]))
            file.addReference(.auxiliary, from: extra, to: [DepthFile.photo])
        }
        let path = try folder.write(try file.heic(), to: "in.heic")
        _ = try Tool.run(["extract", path, "--plane", "all", "-o", folder.file("out/")])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("out")).sorted()
        #expect(names == ["in-disparity.png", "in-matte-2.png", "in-matte.png"])
    }

    @Test(
        "- reads standard input, and outputs are named stdin", arguments: ["portrait.heic", "portrait.jpg"])
    func standardInput(name: String) throws {
        let folder = try TemporaryFolder()
        let input = Data(try TestImages.bytes(name))
        let run = try Tool.run(["extract", "-", "-o", folder.path], input: input)
        #expect(run.status == 0)
        #expect(run.messages.hasPrefix("isobath: standard input: disparity"))
        #expect(folder.contents == ["stdin-disparity.png"])
    }

    @Test("-o - writes to standard output", arguments: [("png", [0x89, 0x50]), ("tiff", [0x49, 0x49])])
    func standardOutput(format: String, start: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let arguments = ["extract", TestImages.path("portrait.jpg"), "--format", format]
        let run = try Tool.run(arguments + ["-o", "-"])
        #expect(run.status == 0)
        #expect(run.output.starts(with: start))
        _ = try Tool.run(arguments + ["-o", folder.file("same.\(format)")])
        #expect(try folder.bytes(of: "same.\(format)") == Array(run.output))
    }

    @Test("--quiet prints nothing")
    func quiet() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(["extract", TestImages.path("portrait.jpg"), "-q", "-o", folder.file("d.png")])
        #expect(run.messages == "")
    }
}
