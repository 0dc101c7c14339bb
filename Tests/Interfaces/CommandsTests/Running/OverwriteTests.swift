import Foundation
import TestSupport
import Testing

@Suite("Existing files")
struct OverwriteTests {
    private let folder = TemporaryFolder()
    private let picture = TestImages.path("portrait.jpg")

    @Test(
        "A replaced file keeps its permissions, a new one has the usual ones", arguments: [[], ["--isolate"]])
    func permissions(flags: [String]) throws {
        func mode(_ name: String) throws -> Int? {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
            return (attributes[.posixPermissions] as? NSNumber)?.intValue
        }
        for (name, bits) in [("a.png", 0o600), ("b.png", 0o640), ("c.png", 0o444)] {
            try folder.write(text: "mine", to: name)
            try FileManager.default.setAttributes([.posixPermissions: bits], ofItemAtPath: folder.file(name))
            try folder.run("extract \(picture) --force -o \(name) \(flags)")
            #expect(try mode(name) == bits)
            #expect(try folder.bytes(of: name).starts(with: [0x89, 0x50]))
        }
        let run = try Tool.shell(
            #"umask 022; "$0" extract "$@""#,
            [picture, "--force", "-o", folder.file("a.png")] + flags)
        #expect(run.status == 0)
        #expect(try mode("a.png") == 0o600)
        let new = try Tool.shell(
            #"umask 022; "$0" extract "$@""#, [picture, "--force", "-o", folder.file("new.png")] + flags)
        #expect(new.status == 0)
        #expect(try mode("new.png") == 0o644)
    }

    @Test("One existing file does not prevent the others")
    func several() throws {
        try folder.write(text: "mine", to: "portrait-matte.png")
        try Tool.run("extract \(picture) --plane all -o \(folder.path)", status: 1)
        #expect(folder.contents == ["portrait-disparity.png", "portrait-matte.png"])
        #expect(try folder.bytes(of: "portrait-matte.png") == Array("mine".utf8))
    }

    @Test("The input is never overwritten under any name", arguments: ["same", "symbolic link", "hard link"])
    func input(way: String) throws {
        let bytes = try TestImages.bytes("portrait.jpg")
        let input = try folder.write(bytes, to: "in.png")
        let output = way == "same" ? input : folder.file("out.png")
        if way == "symbolic link" {
            try FileManager.default.createSymbolicLink(atPath: output, withDestinationPath: "in.png")
        } else if way == "hard link" {
            try FileManager.default.linkItem(atPath: input, toPath: output)
        }
        for plane in ["disparity", "photo"] {
            let run = try Tool.run("extract \(input) --plane \(plane) --force -o \(output)", status: 1)
            #expect(run.messages == "isobath: \(output): error: the output would replace an input\n")
        }
        #expect(try folder.bytes(of: "in.png") == bytes)
    }

    @Test("The depth image beside a photo is never overwritten")
    func depthImage() throws {
        let photo = try folder.write(TestImages.bytes("pair.jpg"), to: "pair.jpg")
        let bytes = try TestImages.bytes("pair_depth.png")
        let depth = try folder.write(bytes, to: "pair_depth.png")
        for verb in [["extract"], ["composite", "--background", "white"], ["blur"]] {
            let run = try Tool.run("\(verb) \(photo) --force -o \(depth)", status: 1)
            #expect(run.messages == "isobath: \(depth): error: the output would replace an input\n")
        }
        #expect(try folder.bytes(of: "pair_depth.png") == bytes)
    }

    @Test("Files named by flags and standard input are never overwritten")
    func otherSources() throws {
        let depth = try folder.write(TestImages.bytes("pair_depth.png"), to: "depth.png")
        let photo = try TestImages.bytes("pair.jpg")
        for flag in ["--color", "--camera"] {
            let output = try folder.write(photo, to: "out.jpg")
            for verb in ["composite --background white", "blur", "extract --format png"] {
                let arguments = verb.split(separator: " ").map(String.init)
                let run = try Tool.run(
                    "\(arguments) \(depth) \(flag) \(output) --force -o \(output)", status: 1)
                #expect(run.messages == "isobath: \(output): error: the output would replace an input\n")
            }
            #expect(try folder.bytes(of: "out.jpg") == photo)
        }
        for (verb, name) in [("extract", "in.png"), ("blur", "in.jpg"), ("cloud", "in.ply")] {
            let input = try folder.write(TestImages.bytes("portrait.jpg"), to: name)
            let run = try Tool.shell(#""$0" \#(verb) - --force -o "$1" < "$1""#, [input])
            #expect(run.status == 1)
            #expect(run.messages == "isobath: \(input): error: the output would replace an input\n")
        }
        let names = try folder.write((picture + "\0").utf8, to: "portrait-disparity.png")
        let run = try Tool.run("extract --files0-from \(names) -o \(folder.path) --force", status: 1)
        #expect(run.messages == "isobath: \(names): error: the output would replace an input\n")
    }

    @Test("No other input is overwritten either")
    func otherInput() throws {
        let bytes = try TestImages.bytes("portrait.heic")
        try folder.write(TestImages.bytes("portrait.jpg"), to: "x.jpg")
        try folder.write(bytes, to: "x-disparity.png")
        try folder.run(
            "extract x.jpg x-disparity.png -o \(folder.path) --force", status: 1,
            says: "x-disparity.png: error: the output would replace an input\n")
        #expect(try folder.bytes(of: "x-disparity.png") == bytes)
    }

    @Test("/dev/stdout is not called a file that may be replaced, even where it leads to one")
    func openFile() throws {
        let run = try Tool.shell(
            #""$0" extract "$1" --format png -o /dev/stdout > out"#, [picture], folder: folder.path)
        #expect(run.status == 1)
        #expect(run.messages.contains("/dev/stdout: error: it is not a regular file; -o - writes"))
        #expect(try folder.bytes(of: "out").isEmpty)
    }

    @Test("Closed standard streams are never written to as files")
    func closedStreams() throws {
        let run = try Tool.shell(
            #""$0" extract "$@" <&- >&-"#, [picture, "-o", folder.file("d.png")])
        #expect(run.status == 0)
        #expect(folder.contents == ["d.png"])
    }
}
