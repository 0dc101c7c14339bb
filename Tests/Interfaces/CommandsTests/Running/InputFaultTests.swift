import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Inputs with unusual names, of unusual kinds, and unreadable ones")
struct InputFaultTests {
    private let folder = TemporaryFolder()

    private func photo(named name: String, in folder: TemporaryFolder) throws -> String {
        try folder.write(TestImages.bytes("portrait.jpg"), to: name)
    }

    @Test(
        "File names are shown without control characters",
        arguments: [
            "a\nb", "\u{1B}[31mred\u{1B}]0;title\u{7}", "'\"$(id)`;%s%n", "\u{9B}31m\u{202E}gpj",
        ])
    func names(name: String) throws {
        let input = try photo(named: name + ".jpg", in: folder)
        let missing = folder.file(name + ".png")
        for arguments in [
            ["info", input], ["extract", input, "-o", folder.path],
            ["info", missing],
            ["info", "--\(name)", input], ["extract", input, "--plane", name, "-o", folder.file("d.png")],
        ] {
            let run = try Tool.run("\(arguments)", status: nil)
            let scalars = (run.text + run.messages).unicodeScalars.filter { $0 != "\n" }
            #expect(
                !scalars.contains {
                    $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) || $0.value == 0x202E
                })
        }
        #expect(folder.contents.contains("\(name)-disparity.png"))
    }

    @Test("Names of the maximum length work, and longer ones are errors")
    func long() throws {
        for letter in ["a", "👨‍👩‍👧"] {
            let stem = String(repeating: letter, count: 251 / letter.utf8.count)
            let name = stem + String(repeating: "z", count: 251 - stem.utf8.count) + ".png"
            let input = TestImages.path("portrait.jpg")
            for _ in 0..<2 {
                try folder.run("extract \(input) --force -o \(name)")
            }
            #expect(folder.contents == [name])
            let longer = try folder.run("extract \(input) -o \(folder.file("z" + name))", status: 1)
            #expect(longer.messages.hasSuffix("cannot be written: File name too long\n"))
            // This name fits, but names derived from it do not, so nothing is written.
            for (output, arguments) in [
                (name.replacing(".png", with: ".obj"), ["cloud", "--mesh", "--stride", "4"])
            ] {
                let run = try folder.run("\(arguments) \(input) -o \(output)", status: 1)
                #expect(run.messages.hasSuffix("cannot be written: File name too long\n"))
                #expect(folder.contents == [name])
            }
            try folder.remove(name)
        }
    }

    @Test(
        "Names that are not UTF-8 are read, written and listed like others, and shown escaped",
        arguments: [[], ["--isolate"]])
    func bytes(flags: [String]) throws {
        let input = try photo(named: "a.jpg", in: folder)
        let script = """
            set -e; mkdir in; cp "$1" "in/$(printf 'x\\377y.jpg')"; shift; cd in
            "$0" extract "$@" *.jpg -o "$(printf '../o\\376')/" 2> ../one
            find . -name '*.jpg' -print0 | "$0" extract "$@" --files0-from - -o ../out/ 2> ../two
            # Replacing goes by way of a hidden file in that folder.
            "$0" extract "$@" *.jpg --force -o "$(printf '../o\\376')/" 2> ../six
            "$0" cloud "$@" *.jpg --mesh -o "$(printf '../c\\200.obj')" 2> ../three
            "$0" info "$@" -r . > ../four; "$0" info "$@" --json *.jpg > ../five
            cd ..; ls "$(printf 'o\\376')" out *.obj *.jpg | od -An -c | tr -d ' \\n'
            """
        let run = try Tool.shell(script, [input] + flags, folder: folder.path)
        #expect(run.status == 0, "\(run.messages)")
        #expect(
            run.text.contains(#"c200.obj"#) && run.text.contains(#"x377y-disparity.png\n"#), "\(run.text)")
        let shown = try ["one", "two", "three", "four"].map {
            try folder.text(of: $0)
        }
        #expect(
            shown[0].hasPrefix(#"isobath: x\xffy.jpg: disparity"#)
                && shown[0].contains(#"→ ../o\xfe/x\xffy-disparity.png"#))
        #expect(shown[1].hasPrefix(#"isobath: ./x\xffy.jpg: disparity"#))
        #expect(shown[2].contains(#"→ ../c\x80.obj"#))
        #expect(shown[3].hasPrefix(#"./x\xffy.jpg: JPEG"#))
        #expect(try folder.object(in: "five").text("path") == "x\u{10FFFF}y.jpg")
    }

    @Test("An empty name is shown in quotes")
    func empty() throws {
        #expect(
            try Tool.run("info \("")", status: 1).messages
                == "isobath: '': error: cannot be read: No such file or directory\n")
    }

    @Test("A named pipe is refused with a hint to standard input, and --recursive skips it")
    func pipe() throws {
        try #require(unsafe mkfifo(folder.file("p.jpg"), 0o600) == 0)
        let run = try folder.run("info p.jpg", status: 1)
        #expect(run.messages.hasSuffix("it is a pipe, not a regular file; - reads standard input\n"))
        let script = #"cat "$1" > "$2/p.jpg" & "$0" extract - -o "$2/d.png" < "$2/p.jpg""#
        #expect(try Tool.shell(script, [TestImages.path("portrait.jpg"), folder.path]).status == 0)
        #expect(try RasterFile(folder.file("d.png")).width == 192)
        let search = try Tool.run("info --recursive \(folder.path)")
        #expect(search.messages.isEmpty, "\(search.messages)")
    }

    @Test("Links are followed, and a circular or dangling link is an error of one line")
    func links() throws {
        for (name, target) in [
            ("a.jpg", TestImages.path("portrait.jpg")), ("loop.jpg", "loop.jpg"), ("gone.jpg", "no"),
        ] {
            try FileManager.default.createSymbolicLink(atPath: folder.file(name), withDestinationPath: target)
        }
        try folder.run("info a.jpg")
        for (name, words) in [
            ("loop.jpg", "Too many levels of symbolic links"), ("gone.jpg", "No such file or directory"),
        ] {
            let run = try folder.run("info \(name)", status: 1)
            #expect(run.messages == "isobath: \(name): error: cannot be read: \(words)\n")
        }
    }

    @Test("Control characters in a camera's name never reach the terminal")
    func metadata() throws {
        var bytes = try TestImages.bytes("portrait.jpg")
        let (model, evil) = (Array("Analytic Scene".utf8), Array("\u{1B}[2J\u{1B}]0;\u{7}\n\ri".utf8))
        let evilModel = evil + [UInt8](repeating: 0x7F, count: model.count - evil.count)
        let places = bytes.indices.filter { bytes[$0...].starts(with: model) }
        #expect(!places.isEmpty)
        for place in places { bytes.replaceSubrange(place..<place + model.count, with: evilModel) }
        let input = try folder.write(bytes, to: "evil.jpg")
        for arguments in [
            ["info", input], ["info", "--json", input], ["cloud", input, "-o", folder.file("a.ply")],
        ] {
            let run = try Tool.run("\(arguments)", status: nil)
            let scalars = (run.text + run.messages).unicodeScalars
            #expect(!scalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x7F })
        }
    }

    @Test(
        "A read error of the disk is reported for its file by every subcommand",
        .needsFaults,
        arguments: ["portrait.jpg", "samsung-dualshot.jpg"])
    func failingDisk(name: String) throws {
        let input = try folder.write(TestImages.bytes(name), to: name)
        // Only reads of this file fail: first every read from one on, then only that one.
        for place in [1, 3] {
            for (count, arguments) in [("+", "info \"$1\""), ("", "extract \"$1\" -o \"$1.png\"")] {
                let run = try Tool.shell(
                    #"\#(SystemTools.strace) -f -qq -o /dev/null -P "$1" -e inject=pread64:error=EIO:when=\#(place)\#(count) "$0" \#(arguments)"#,
                    [input])
                #expect(run.status == 1)
                #expect(run.messages == "isobath: \(input): error: cannot be read: Input/output error\n")
                #expect(run.text.isEmpty && folder.contents == [name])
            }
        }
    }

    @Test(
        "A folder that fails while it is listed is an error",
        .needsFaults)
    func failingFolder() throws {
        _ = try photo(named: "in.jpg", in: folder)
        let run = try Tool.shell(
            #"\#(SystemTools.strace) -f -qq -o /dev/null -P "$1" -e inject=getdents64:error=EIO "$0" info --recursive "$1""#,
            [folder.path])
        #expect(run.status == 1)
        #expect(run.messages == "isobath: \(folder.path): error: cannot be read: Input/output error\n")
    }
}
