import Foundation
import TestSupport
import Testing

@Suite("Existing files")
struct OverwriteTests {
    private let picture = TestImages.path("portrait.jpg")

    @Test("An existing file is not replaced without --force")
    func existing() throws {
        let folder = try TemporaryFolder()
        let output = try folder.write("mine".utf8, to: "d.png")
        let run = try Tool.run(["extract", picture, "-o", output])
        #expect(run.status == 1)
        #expect(run.messages == "isobath: \(output): error: the file exists; --force replaces it\n")
        #expect(try folder.bytes(of: "d.png") == Array("mine".utf8))
        #expect(folder.contents == ["d.png"])
    }

    @Test("--force replaces an existing file and leaves nothing else", arguments: ["--force", "-f"])
    func forced(flag: String) throws {
        let folder = try TemporaryFolder()
        let output = try folder.write([UInt8](repeating: 7, count: 1 << 20), to: "d.png")
        #expect(try Tool.run(["extract", picture, flag, "-o", output]).status == 0)
        #expect(try RasterFile(output).width == 192)
        #expect(folder.contents == ["d.png"])
    }

    @Test(
        "A replaced file keeps its permissions, a new one has the usual ones", arguments: [[], ["--isolate"]])
    func permissions(flags: [String]) throws {
        let folder = try TemporaryFolder()
        func mode(_ name: String) throws -> Int? {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
            return (attributes[.posixPermissions] as? NSNumber)?.intValue
        }
        for (name, bits) in [("a.png", 0o600), ("b.png", 0o640), ("c.png", 0o444)] {
            try folder.write("mine".utf8, to: name)
            try FileManager.default.setAttributes([.posixPermissions: bits], ofItemAtPath: folder.file(name))
            let run = try Tool.run(
                ["extract", picture, "--force", "-o", folder.file(name)] + flags)
            #expect(run.status == 0, "\(run.messages)")
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
        let folder = try TemporaryFolder()
        try folder.write("mine".utf8, to: "portrait-matte.png")
        let run = try Tool.run(["extract", picture, "--plane", "all", "-o", folder.path])
        #expect(run.status == 1)
        #expect(folder.contents == ["portrait-disparity.png", "portrait-matte.png"])
        #expect(try folder.bytes(of: "portrait-matte.png") == Array("mine".utf8))
    }

    @Test("The input is never overwritten under any name", arguments: ["same", "symbolic link", "hard link"])
    func input(way: String) throws {
        let folder = try TemporaryFolder()
        let bytes = try TestImages.bytes("portrait.jpg")
        let input = try folder.write(bytes, to: "in.png")
        let output = way == "same" ? input : folder.file("out.png")
        if way == "symbolic link" {
            try FileManager.default.createSymbolicLink(atPath: output, withDestinationPath: "in.png")
        } else if way == "hard link" {
            try FileManager.default.linkItem(atPath: input, toPath: output)
        }
        for plane in ["disparity", "photo"] {
            let run = try Tool.run(["extract", input, "--plane", plane, "--force", "-o", output])
            #expect(run.status == 1)
            #expect(run.messages == "isobath: \(output): error: the output would replace an input\n")
        }
        #expect(try folder.bytes(of: "in.png") == bytes)
    }

    @Test("The depth image beside a photo is never overwritten")
    func depthImage() throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(try TestImages.bytes("pair.jpg"), to: "pair.jpg")
        let bytes = try TestImages.bytes("pair_depth.png")
        let depth = try folder.write(bytes, to: "pair_depth.png")
        for verb in [["extract"], ["composite", "--background", "white"], ["blur"]] {
            let run = try Tool.run(verb + [photo, "--force", "-o", depth])
            #expect(run.status == 1)
            #expect(run.messages == "isobath: \(depth): error: the output would replace an input\n")
        }
        #expect(try folder.bytes(of: "pair_depth.png") == bytes)
    }

    @Test("Files named by flags and standard input are never overwritten")
    func otherSources() throws {
        let folder = try TemporaryFolder()
        let depth = try folder.write(try TestImages.bytes("pair_depth.png"), to: "depth.png")
        let photo = try TestImages.bytes("pair.jpg")
        for flag in ["--color", "--camera"] {
            let output = try folder.write(photo, to: "out.jpg")
            for verb in ["composite --background white", "blur", "extract --format png"] {
                let arguments = verb.split(separator: " ").map(String.init)
                let run = try Tool.run(arguments + [depth, flag, output, "--force", "-o", output])
                #expect(run.status == 1)
                #expect(run.messages == "isobath: \(output): error: the output would replace an input\n")
            }
            #expect(try folder.bytes(of: "out.jpg") == photo)
        }
        for (verb, name) in [("extract", "in.png"), ("blur", "in.jpg"), ("cloud", "in.ply")] {
            let input = try folder.write(try TestImages.bytes("portrait.jpg"), to: name)
            let run = try Tool.shell(#""$0" \#(verb) - --force -o "$1" < "$1""#, [input])
            #expect(run.status == 1)
            #expect(run.messages == "isobath: \(input): error: the output would replace an input\n")
        }
        let names = try folder.write((picture + "\0").utf8, to: "portrait-disparity.png")
        let run = try Tool.run([
            "extract", "--files0-from", names, "-o", folder.path, "--force",
        ])
        #expect(run.messages == "isobath: \(names): error: the output would replace an input\n")
    }

    @Test("No other input is overwritten either")
    func otherInput() throws {
        let folder = try TemporaryFolder()
        let bytes = try TestImages.bytes("portrait.heic")
        try folder.write(try TestImages.bytes("portrait.jpg"), to: "x.jpg")
        try folder.write(bytes, to: "x-disparity.png")
        let run = try Tool.run([
            "extract", folder.file("x.jpg"), folder.file("x-disparity.png"), "-o",
            folder.path, "--force",
        ])
        #expect(run.status == 1)
        #expect(run.messages.contains("x-disparity.png: error: the output would replace an input\n"))
        #expect(try folder.bytes(of: "x-disparity.png") == bytes)
    }

    @Test("A device is never replaced")
    func device() throws {
        let run = try Tool.run(["extract", picture, "--force", "-o", "/dev/null", "--format", "png"])
        #expect(run.status == 1)
        #expect(run.messages.contains("isobath: /dev/null: error: it is not a regular file"))
        let kind = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
        #expect(kind == .typeCharacterSpecial)
    }

    @Test("/dev/stdout is not called a file that may be replaced, even where it leads to one")
    func openFile() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.shell(
            #""$0" extract "$1" --format png -o /dev/stdout > out"#, [picture], folder: folder.path)
        #expect(run.status == 1)
        #expect(run.messages.contains("/dev/stdout: error: it is not a regular file; -o - writes"))
        #expect(try folder.bytes(of: "out").isEmpty)
    }

    @Test("A full disk behind standard output gives one line")
    func fullOutput() throws {
        for verb in [["extract", "-o", "-"], ["info"], ["info", "--json"]] {
            let run = try Tool.shell(#""$0" "$@" > /dev/full"#, verb + [picture, "--quiet"])
            #expect(run.status == 1)
            #expect(
                run.messages
                    == "isobath: standard output: error: cannot be written: No space left on device\n")
        }
    }

    @Test("Closed standard streams are never written to as files")
    func closedStreams() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.shell(
            #""$0" extract "$@" <&- >&-"#, [picture, "-o", folder.file("d.png")])
        #expect(run.status == 0)
        #expect(folder.contents == ["d.png"])
    }

    @Test("An impossible output gives one line and leaves nothing", arguments: [["--force"], []])
    func impossible(flags: [String]) throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.file("d.png"), withIntermediateDirectories: true)
        try folder.write("mine".utf8, to: "file")
        for (output, word) in [
            ("none/d.png", "No such file"), ("file/d.png", "Not a directory"),
        ] {
            let run = try Tool.run(["extract", picture, "-o", folder.file(output)] + flags)
            #expect(run.status == 1)
            #expect(run.messages.hasPrefix("isobath: \(folder.file(output)): error: "))
            #expect(run.messages.contains(word))
            #expect(run.messages.split(separator: "\n").count == 1)
        }
        #expect(folder.contents == ["d.png", "file"])
    }

    @Test("A folder that cannot be created is an error")
    func folder() throws {
        let folder = try TemporaryFolder()
        try folder.write("mine".utf8, to: "file")
        let run = try Tool.run(["extract", picture, "-o", folder.file("file/")])
        #expect(run.status == 1)
        #expect(run.messages == "isobath: \(folder.file("file/")): error: it is not a folder\n")
    }

    @Test("A failed run leaves nothing behind")
    func failure() throws {
        let folder = try TemporaryFolder()
        let cut = try folder.write(try TestImages.bytes("portrait.jpg").dropLast(20_000), to: "cut.jpg")
        let run = try Tool.run(["extract", cut, "--plane", "matte", "-o", folder.file("m.png")])
        #expect(run.status == 1)
        #expect(folder.contents == ["cut.jpg"])
    }
}
