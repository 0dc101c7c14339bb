import Foundation
import TestSupport
import Testing

/// Folders as phones and computers leave them: files beside photos, and photos that share a name.
@Suite("Folders of phones")
struct PhoneFolderTests {
    /// A folder as a Mac copies it from a phone to a stick. `IMG_0002.JPG` has no depth.
    private func phone() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        for name in ["100APPLE", "101APPLE"] {
            try folder.folder(name)
        }
        let (heic, jpg) = (try TestImages.bytes("portrait.heic"), try TestImages.bytes("portrait.jpg"))
        let movie: [UInt8] = [0, 0, 0, 20] + Array("ftypqt  \0\0\0\0qt  ".utf8)
        let files: [(String, [UInt8])] = [
            ("100APPLE/.DS_Store", [0, 0, 0, 1]), ("100APPLE/._IMG_0001.HEIC", [0, 5, 0x16, 7, 0, 2, 0, 0]),
            ("100APPLE/IMG_0001.AAE", Array("<?xml version=\"1.0\"?><plist/>".utf8)),
            ("100APPLE/IMG_0001.HEIC", heic), ("100APPLE/IMG_0001.JPG", jpg),
            ("100APPLE/IMG_0001.MOV", movie),
            ("100APPLE/IMG_0001.html", Array("<!DOCTYPE html><title>a</title>".utf8)),
            ("100APPLE/IMG_0002.AAE", Array("bplist00".utf8)), ("100APPLE/IMG_0002.HEIC", heic),
            ("100APPLE/IMG_0002.JPG", try TestImages.bytes("plain.jpg")),
            ("100APPLE/Thumbs.db", [0xD0, 0xCF]),
            ("101APPLE/IMG_0001.HEIC", heic),
        ]
        for (name, bytes) in files { try folder.write(bytes, to: name) }
        return folder
    }

    private func run(_ script: String, _ flags: [String], in folder: TemporaryFolder) throws -> Tool.Run {
        try Tool.shell(script, flags, folder: folder.path)
    }

    @Test(
        "extract * writes every photo's depth once, and skips what is not a photo",
        arguments: [[], ["--isolate"], ["--jobs", "1"], ["--jobs", "8"]])
    func extract(flags: [String]) throws {
        let folder = try phone()
        let script = #""$0" extract 100APPLE/* 100APPLE/.[D_]* 101APPLE/* -o out/ "$@""#
        let run = try run(script, flags, in: folder)
        // One photo has no depth.
        #expect(run.status == 3)
        #expect(
            run.messages.hasSuffix(
                "12 inputs: 5 read, 4 written, 7 skipped, 1 without the plane, 0 failed\n"), "\(run.messages)"
        )
        let names = try folder.contents(of: "out")
        #expect(
            names == [
                "101APPLE-IMG_0001-disparity.png", "IMG_0001-disparity.png", "IMG_0001-jpg-disparity.png",
                "IMG_0002-disparity.png",
            ])
        let lines = run.messages.split(separator: "\n").map(String.init)
        #expect(
            lines.filter { $0.contains("skipped: it is") } == [
                "isobath: 100APPLE/IMG_0001.AAE: note: skipped: it is a list of edits (AAE), as is another input",
                "isobath: 100APPLE/IMG_0001.MOV: note: skipped: it is the movie of a Live Photo",
                "isobath: 100APPLE/IMG_0001.html: note: skipped: it is a web page",
                "isobath: 100APPLE/Thumbs.db: note: skipped: it is data of a file browser, as is another input",
                "isobath: 100APPLE/._IMG_0001.HEIC: note: skipped: it is attributes that macOS keeps (AppleDouble)",
            ])
        // The same run again finds the same names.
        let again = try self.run(script + " --skip-existing", flags, in: folder)
        #expect(again.status == 3)
        #expect(try folder.contents(of: "out") == names)
    }

    @Test("info takes the same files, and finds them in the folder")
    func info() throws {
        let folder = try phone()
        let named = try run(#""$0" info --json 100APPLE/* 100APPLE/.[D_]* 101APPLE/*"#, [], in: folder)
        #expect(named.status == 0)
        #expect(named.messages.hasSuffix("12 inputs: 5 read, 7 skipped, 0 failed\n"), "\(named.messages)")
        let found = try run(#""$0" info --json -r ."#, [], in: folder)
        #expect(found.status == 0 && found.messages.hasSuffix("12 inputs: 5 read, 7 skipped, 0 failed\n"))
        #expect(try found.objects().count == 5 && named.objects().count == 5)
    }

    @Test("An album of the folder has its photos")
    func album() throws {
        let folder = try phone()
        let run = try run(#""$0" view . -o "$1/""#, [folder.file("album")], in: folder)
        #expect(run.status == 0, "\(run.messages)")
    }

    @Test(
        "A broken photo does not claim a name, and each kind of file is an error where it is the only input")
    func broken() throws {
        let folder = try phone()
        try folder.write(TestImages.bytes("portrait.heic").prefix(3000), to: "a.heic")
        try folder.write(TestImages.bytes("portrait.jpg"), to: "a.jpg")
        let run = try run(#""$0" extract a.* -o out/"#, [], in: folder)
        #expect(run.status == 1)
        #expect(
            try folder.contents(of: "out") == ["a-disparity.png"])
        for name in ["IMG_0001.AAE", "._IMG_0001.HEIC", "Thumbs.db", "IMG_0001.html"] {
            try folder.run("info 100APPLE/\(name)", status: 1)
        }
        // Named like one, and something else.
        try folder.write(TestImages.bytes("portrait.jpg"), to: "._b.jpg")
        let other = try self.run(#""$0" extract ._b.jpg a.jpg -o two/"#, [], in: folder)
        #expect(other.status == 0 && other.messages.contains("2 read, 2 written"))
    }
}
