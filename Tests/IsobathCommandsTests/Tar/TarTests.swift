import Foundation
import TestSupport
import Testing

/// `extract --tar-input --tar-output`, with tar files that GNU tar writes and reads.
@Suite("Tar files in and out")
struct TarTests {
    /// A folder with a tar file `in.tar` that `script` makes there; `$1` is the pictures' folder.
    private func folder(_ script: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let run = try Tool.shell("set -e; \(script)", [TestImages.path("")], folder: folder.path)
        #expect(run.status == 0, "\(run.messages)")
        return folder
    }

    private func extract(_ folder: TemporaryFolder, _ flags: [String] = []) throws -> Tool.Run {
        try Tool.shell(
            #""$0" extract --tar-input - --tar-output - "$@" < in.tar > out.tar && rm -rf out && mkdir out && tar -xf out.tar -C out"#,
            flags, folder: folder.path)
    }

    private func members(_ folder: TemporaryFolder) throws -> [String] {
        try Tool.shell("LC_ALL=C tar -tf out.tar", [], folder: folder.path).text.split(separator: "\n").map(
            String.init)
    }

    private static let photos = """
        cp "$1/portrait.heic" 000001.heic; cp "$1/absolute-depth.jpg" 000002.jpg; cp "$1/portrait.jpg" 000003.jpg
        echo caption > 000001.txt; echo '{}' > 000002.json; cp "$1/pair_depth.png" 000003.other.png
        """

    @Test(
        "Photos come out under their keys, with the planes that extract writes",
        arguments: [[], ["--isolate"], ["--jobs", "1"]], ["gnu", "pax", "ustar", "v7"])
    func planes(flags: [String], format: String) throws {
        let folder = try folder(Self.photos + "\ntar --format=\(format) -cf in.tar 0*")
        let run = try extract(folder, flags + ["--format", "npy"])
        #expect(
            run.status == 0 && run.messages.contains("3 inputs: 3 read, 3 written, 0 failed"),
            "\(run.messages)")
        #expect(
            try members(folder) == [
                "000001.disparity.npy", "000001.json", "000002.depth.npy", "000002.json",
                "000003.disparity.npy",
                "000003.json",
            ])
        for (name, kind) in [
            ("000001.heic", "disparity"), ("000002.jpg", "depth"), ("000003.jpg", "disparity"),
        ] {
            let alone = try Tool.run(["extract", folder.file(name), "-o", "-", "--format", "npy", "--quiet"])
            #expect(try folder.bytes(of: "out/\(name.prefix(6)).\(kind).npy") == [UInt8](alone.output))
            let record = try folder.object(in: "out/\(name.prefix(6)).json")
            #expect(record.text("schema") == "isobath.extract/1" && record.text("path") == name)
        }
    }

    @Test("The same tar file gives the same bytes with any number of jobs, isolated or not")
    func sameBytes() throws {
        let folder = try folder(Self.photos + "\ntar -cf in.tar 0*")
        var found: Set<[UInt8]> = []
        for flags in [[], ["--jobs", "1"], ["--jobs", "7"], ["--isolate"]] {
            #expect(try extract(folder, flags + ["--plane", "all", "--quiet"]).status == 0)
            found.insert(try folder.bytes(of: "out.tar"))
        }
        #expect(found.count == 1)
    }

    @Test("Long names and folders stay, in every format of tar", arguments: ["gnu", "pax"])
    func longNames(format: String) throws {
        let name = String(repeating: "long-", count: 40)
        let folder = try folder(
            """
            mkdir -p "\(name)/b.c"; cp "$1/portrait.heic" "\(name)/b.c/ä.heic"; cp "$1/portrait.heic" "\(name)/b.c/x-\(name).heic"
            tar --format=\(format) -cf in.tar \(name)
            """)
        #expect(try extract(folder, ["--quiet"]).status == 0)
        #expect(
            try members(folder).sorted()
                == [
                    "\(name)/b.c/x-\(name).disparity.png", "\(name)/b.c/x-\(name).json",
                    #"\#(name)/b.c/\303\244.disparity.png"#, #"\#(name)/b.c/\303\244.json"#,
                ].sorted())
    }

    /// GNU's and POSIX's records keep the first 100 bytes of a long name in the header.
    @Test(
        "A long name whose 100th byte is a slash is the name of a file", arguments: ["gnu", "pax", "ustar"])
    func slash(format: String) throws {
        let parent = String(repeating: "aaaaaaaaa/", count: 10)
        let folder = try folder(
            "mkdir -p \(parent); cp \"$1/portrait.heic\" \(parent)photo.heic; tar --format=\(format) -cf in.tar \(parent)photo.heic"
        )
        #expect(try extract(folder, ["--quiet"]).status == 0)
        #expect(try members(folder) == ["\(parent)photo.disparity.png", "\(parent)photo.json"])
    }

    @Test("A key that an earlier photo has is an error, and another form of the same photo is passed over")
    func keys() throws {
        let folder = try folder(
            """
            for n in a b; do cp "$1/portrait.heic" $n.heic; done; cp a.heic a.jpg
            tar -cf in.tar a.heic a.jpg b.heic; tar -rf in.tar a.heic; tar -rf in.tar b.heic a.jpg
            """)
        let run = try extract(folder)
        #expect(
            try Tool.shell("tar -tf out.tar", [], folder: folder.path).text
                == "a.disparity.png\na.json\nb.disparity.png\nb.json\n")
        let lines = run.messages.split(separator: "\n").filter { $0.contains("an earlier photo has the key") }
        #expect(lines.map { $0.prefix(16) } == ["isobath: a.heic:", "isobath: b.heic:", "isobath: a.jpg: "])
        #expect(lines[0].contains("key 'a'"))
    }

    @Test("A tar file without members or photos is a remark, and one without an end an error")
    func ends() throws {
        let folder = try folder(
            """
            cp "$1/portrait.heic" a.heic; cp a.heic b.heic; cp a.heic IMG.1.heic; echo x > c.txt
            tar -cf empty.tar -T /dev/null; tar -cf text.tar c.txt IMG.1.heic; tar -cf a.tar a.heic; tar -cf b.tar b.heic
            cat a.tar b.tar > two.tar; : > nothing.tar; size=$(( (512 + $(stat -c %s a.heic) + 511) / 512 * 512 ))
            head -c $size a.tar > cut.tar; (cat cut.tar; head -c 512 /dev/zero) > one.tar
            """)
        let cases: [(name: String, status: Int, text: String, members: Int)] = [
            ("empty", 0, "the tar file has no members", 0),
            ("text", 0, "2 members, and no photo", 0), ("a", 0, "1 written", 2),
            ("one", 0, "1 written", 2),
            ("nothing", 1, "the tar file is empty", 0),
            ("cut", 1, "ends after 1 member, without the zeros that mark its end", 2),
            ("two", 1, "data after the zeros that mark the end", 2),
        ]
        for item in cases {
            let run = try Tool.shell(
                #""$0" extract --tar-input $1.tar --tar-output out.tar --force"#, [item.name],
                folder: folder.path)
            let isRead = run.messages.contains(item.text) || item.text == "1 written"
            #expect(run.status == item.status && isRead, "\(item.name): \(run.messages)")
            #expect(try members(folder).count == item.members, "\(item.name)")
        }
    }

    @Test("Sparse files in GNU's and POSIX's form are refused alone", arguments: ["gnu", "pax"])
    func sparse(format: String) throws {
        // Twenty parts: more than fit in GNU's header.
        let folder = try folder(
            """
            cp "$1/portrait.heic" z.heic; truncate -s 20M a.heic
            for n in $(seq 0 19); do printf x | dd of=a.heic bs=1 seek=$((n * 1000000)) conv=notrunc status=none; done
            tar --format=\(format) -S -cf in.tar a.heic z.heic
            """)
        let run = try Tool.shell(
            #""$0" extract --tar-input in.tar --tar-output out.tar"#, [], folder: folder.path)
        #expect(run.status == 1 && run.messages.contains("the member is a sparse file"), "\(run.messages)")
        #expect(try members(folder) == ["z.disparity.png", "z.json"])
    }

    @Test("A photo that fails costs itself, and its error is its record")
    func failures() throws {
        let folder = try folder(
            Self.photos
                + "\nhead -c 3000 000001.heic > 000000.heic; cp \"$1/plain.jpg\" 000004.jpg; tar -cf in.tar 0*; : > empty"
        )
        let run = try Tool.shell(
            #""$0" extract --tar-input in.tar --tar-output out.tar; status=$?; mkdir out; tar -xf out.tar -C out; exit $status"#,
            [], folder: folder.path)
        #expect(run.status == 1)
        #expect(run.messages.contains("isobath: 000000.heic: "))
        #expect(run.messages.hasSuffix("5 inputs: 4 read, 3 written, 1 without the plane, 1 failed\n"))
        #expect(try folder.object(in: "out/000000.json").objects("errors").count == 1)
        #expect(try folder.object(in: "out/000004.json").objects("errors").first?.text("code") == "no-plane")
        #expect(try folder.object(in: "out/000001.json").objects("errors").isEmpty)
    }

    @Test("Links, devices and names that lead elsewhere are refused, and the rest is written")
    func refused() throws {
        let folder = try folder(
            """
            cp "$1/portrait.heic" a.heic; ln -s /etc/passwd b.heic; ln a.heic c.heic; mkfifo d.heic
            mkdir sub; cp a.heic sub/e.heic; cp a.heic z.heic
            tar -cf in.tar -P --transform 's,^sub/e,../e,' a.heic b.heic c.heic d.heic sub/e.heic
            tar -rf in.tar -P --transform 's,^z,/tmp/z,' z.heic; cp a.heic y.heic; tar -rf in.tar y.heic
            """)
        let run = try Tool.shell(
            #""$0" extract --tar-input in.tar --tar-output out.tar"#, [], folder: folder.path)
        #expect(run.status == 1)
        for (name, words) in [
            ("b.heic", "the member is a link"), ("c.heic", "the member is a link"),
            ("d.heic", "the member is a device or a pipe"),
            ("../e.heic", "leads out of the tar file's folder"),
            ("/tmp/z.heic", "leads out of the tar file's folder"),
        ] {
            #expect(
                run.messages.split(separator: "\n").contains {
                    $0.hasPrefix("isobath: \(name): ") && $0.contains(words)
                }, "\(run.messages)")
        }
        #expect(try members(folder) == ["a.disparity.png", "a.json", "y.disparity.png", "y.json"])
    }

    @Test(
        "A tar file cut short gives what is complete, and an error",
        arguments: [100, 600, 60_000, 100_000, 300_000])
    func truncated(count: Int) throws {
        let folder = try folder(
            "for n in 1 2 3 4 5 6; do cp \"$1/portrait.heic\" $n.heic; done; tar -cf all.tar ?.heic; head -c \(count) all.tar > in.tar"
        )
        let run = try Tool.shell(
            #""$0" extract --tar-input - --tar-output - < in.tar > out.tar"#, [], folder: folder.path)
        #expect(run.status == 1 && run.messages.contains("isobath: standard input: "))
        let size = try TestImages.bytes("portrait.heic").count
        let complete = count / (512 + (size + 511) / 512 * 512)
        #expect(try members(folder).count == 2 * complete)
    }

    @Test("What is not a tar file is an error, and never a crash")
    func mutants() throws {
        let folder = try folder(Self.photos + "\ntar --format=pax -cf in.tar 0*")
        let original = try folder.bytes(of: "in.tar")
        var count = MutantCount()
        for seed in 0..<40 {
            var random = SplitMix(seed: UInt64(seed))
            var bytes = original
            random.damage(&bytes, changes: 4, within: seed % 2 == 0 ? 512 : nil)
            try folder.write(bytes, to: "in.tar")
            let run = try Tool.shell(
                #""$0" extract --tar-input in.tar --tar-output - --quiet > out.tar"#, [], folder: folder.path)
            #expect(run.status == 0 || run.status == 1 || run.status == 3, "seed \(seed): \(run.status)")
            count.add { if run.status == 1 { throw CocoaError(.fileReadCorruptFile) } }
            #expect(try Tool.shell("tar -tf out.tar", [], folder: folder.path).status == 0)
        }
        count.expectBoth()
    }

    @Test("An existing tar file is refused without --force, and the input is never written")
    func existing() throws {
        let folder = try folder(Self.photos + "\ntar -cf in.tar 0*; echo old > out.tar")
        let arguments = ["extract", "--tar-input", "in.tar", "--quiet", "--tar-output"]
        #expect(try Tool.run(arguments + ["out.tar"], folder: folder.path).status == 1)
        #expect(try folder.bytes(of: "out.tar") == Array("old\n".utf8))
        #expect(try Tool.run(arguments + ["in.tar", "--force"], folder: folder.path).status == 1)
        #expect(try Tool.run(arguments + ["out.tar", "--force"], folder: folder.path).status == 0)
        #expect(try members(folder).count == 6)
    }

    @Test("Wrong usage has status 64")
    func usage() throws {
        for flags in [
            ["--tar-input", "-"], ["--tar-output", "-"], ["--tar-input", "-", "--tar-output", "-", "a.heic"],
            ["--tar-input", "-", "--tar-output", "-", "-o", "x.png"],
            ["--tar-input", "-", "--tar-output", "-", "--json"],
        ] {
            #expect(try Tool.run(["extract"] + flags).status == 64)
        }
    }
}
