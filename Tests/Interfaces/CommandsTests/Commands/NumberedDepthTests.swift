import Foundation
import TestSupport
import Testing

@Suite("Numbered depth images on the command line")
struct NumberedDepthTests {
    private let folder = TemporaryFolder()

    /// Depth of 40 × 30 samples, 2 m away, in three files.
    private static func write(_ folder: borrowing TemporaryFolder) throws {
        try RecordingTests.write(folder, frames: 3)
        for index in 0..<3 {
            try FileManager.default.moveItem(
                atPath: folder.file("frame-00000\(index).depth.png"),
                toPath: folder.file("f_000\(index + 1).png"))
        }
    }

    @Test("sequence takes the pattern that info and cloud take")
    func sequence() throws {
        let (folder, output) = (TemporaryFolder(), TemporaryFolder())
        try Self.write(folder)
        try folder.run(
            "extract f_%04d.png --scale 1000 --values millimeters -o \(output.file("d-%d.png"))")
        #expect(output.contents == ["d-0.png", "d-1.png", "d-2.png"])
        let raster = try RasterFile(output.file("d-1.png"))
        #expect(raster.width == 40 && raster.samples.allSatisfy { $0 == 2000 })
        let follow = try Tool.run([
            "follow", folder.file("f_%04d.png"), "--box", "0.2,0.2,0.5,0.5", "-o", output.file("a.csv"),
        ])
        // There are no pictures to follow an object in; the pattern itself is valid.
        #expect(follow.status == 1 && follow.messages.contains("no picture"), "\(follow.messages)")
        try folder.run(
            "extract g_%04d.png -o \(output.file("e-%d.png"))", status: 1,
            says: "there are no files of this pattern")
    }

    @Test("Files of a pattern are never replaced")
    func inputs() throws {
        try Self.write(folder)
        let before = try folder.bytes(of: "f_0001.png")
        try folder.run("extract f_%04d.png -o f_%04d.png --force", status: 1)
        #expect(try folder.bytes(of: "f_0001.png") == before)
    }

    @Test(
        "Distances without a code in 16 bits are counted, as extract does",
        arguments: [
            ("d-%d.png", "2 samples beyond 65.535 m are written as 0"), ("-", nil),
        ] as [(String, String?)])
    func beyond(output name: String, remark: String?) throws {
        // 2 m, 65.535 m, 65.5356 m and 70 m.
        let meters: [Float] = [2, 65.535, 65.5356, 70]
        let flags = [
            "extract", try folder.write(littleEndian(meters), to: "d.raw"), "--raw-depth", "grayf32le,4x1",
            "--values", "millimeters", "-o", name == "-" ? "-" : folder.file(name),
        ]
        let run = try Tool.run("\(flags) \(name == "-" ? ["--format", "grayf32le"] : [])")
        #expect(run.messages.contains(remark ?? "beyond") == (remark != nil), "\(run.messages)")
    }
}
