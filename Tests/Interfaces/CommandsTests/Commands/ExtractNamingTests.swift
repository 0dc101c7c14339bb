import DepthTypes
import Foundation
import PhotoBuilders
import PhotoWriting
import TestSupport
import Testing

@Suite("Names of extracted files")
struct ExtractNamingTests {
    private let folder = TemporaryFolder()

    @Test("All planes are named after input and kind")
    func all() throws {
        try Tool.run("extract {portrait.heic} --plane all -o \(folder.path)")
        let kinds = ["disparity", "gain-map", "glasses", "hair", "matte", "skin", "sky", "teeth"]
        #expect(folder.contents == kinds.map { "portrait-\($0).png" })
    }

    @Test("Several inputs are written to a folder, which is created")
    func several() throws {
        let inputs = ["portrait.heic", "absolute-depth.jpg"].map(TestImages.path)
        try folder.run("extract \(inputs) -o x/y/ --format tiff")
        #expect(try folder.contents(of: "x/y") == ["absolute-depth-depth.tiff", "portrait-disparity.tiff"])
    }

    @Test("A converted plane is named after its new quantity")
    func converted() throws {
        try Tool.run("extract {portrait.jpg} --as depth -o \(folder.path)")
        #expect(folder.contents == ["portrait-depth.png"])
    }

    /// A photo with more planes of these types.
    private func photo(_ kind: PlaneKind, _ types: [String]) throws -> String {
        let coded = try CodedPlane.hevc(kind)
        let properties = try types.map { try ItemProperty.auxiliaryType($0) }
        var file = DepthFile()
        file.change = { file in
            for type in properties {
                let extra = file.add(DepthFile.item(coded, [type]))
                file.addReference(.auxiliary, from: extra, to: [DepthFile.photo])
            }
        }
        return try folder.write(try file.heic(), to: "in.heic")
    }

    @Test("Planes of one unknown kind are numbered, and raw types never become file names")
    func numbered() throws {
        let path = try photo(.disparity, ["urn:mpeg:hevc:2015:auxid:2", "../../evil", "urn:x:\u{1B}[31m"])
        try folder.run("extract \(path) --plane all -o out/")
        #expect(
            try folder.contents(of: "out") == [
                "in-depth.png", "in-disparity.png", "in-matte.png", "in-unknown-2.png", "in-unknown.png",
            ])
        let info = try Tool.run("info \(path)")
        #expect(!info.text.unicodeScalars.contains { $0.value == 0x1B })
    }

    @Test("Two planes of one kind get different numbers")
    func twins() throws {
        let path = try photo(.matte, ["urn:com:apple:photo:2018:aux:portraiteffectsmatte"])
        try folder.run("extract \(path) --plane all -o out/")
        #expect(try folder.contents(of: "out") == ["in-disparity.png", "in-matte-2.png", "in-matte.png"])
    }

    @Test(
        "- reads standard input, and outputs are named stdin", arguments: ["portrait.heic", "portrait.jpg"])
    func standardInput(name: String) throws {
        let input = Data(try TestImages.bytes(name))
        let run = try Tool.run("extract - -o \(folder.path)", input: input)
        #expect(run.messages.hasPrefix("isobath: standard input: disparity"))
        #expect(folder.contents == ["stdin-disparity.png"])
    }

    @Test("-o - writes to standard output", arguments: [("png", [0x89, 0x50]), ("tiff", [0x49, 0x49])])
    func standardOutput(format: String, start: [UInt8]) throws {
        let arguments = ["extract", TestImages.path("portrait.jpg"), "--format", format]
        let run = try Tool.run("\(arguments) -o -")
        #expect(run.output.starts(with: start))
        try folder.run("\(arguments) -o same.\(format)")
        #expect(try folder.bytes(of: "same.\(format)") == Array(run.output))
    }

    @Test("--quiet prints nothing")
    func quiet() throws {
        let run = try folder.run("extract {portrait.jpg} -q -o d.png")
        #expect(run.messages == "")
    }
}
