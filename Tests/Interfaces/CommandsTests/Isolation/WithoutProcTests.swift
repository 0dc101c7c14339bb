import Foundation
import TestSupport
import Testing

/// Runs of the tool where `/proc` is not mounted, as in a plain chroot.
@Suite(
    "Without /proc", .needsMounts,
    .disabled(if: Tool.isSanitized, "sanitizers read /proc"))
struct WithoutProcTests {
    private let folder: TemporaryFolder
    private let photo = repositoryRoot + "/TestImages/portrait.heic"

    init() throws { folder = TemporaryFolder() }

    /// A script that mounts an empty folder at `/proc`, then runs this one.
    private static func hidden(_ script: String) -> String {
        #"exec unshare --mount --map-root-user sh -c 'mount -t tmpfs none /proc && \#(script)' "$0" "$@""#
    }

    private func run(_ arguments: String...) throws -> Tool.Run {
        try Tool.shell(Self.hidden(#"exec "$0" "$@""#), arguments, folder: folder.path)
    }

    @Test("The tool reads its arguments, and writes what it writes elsewhere")
    func extract() throws {
        #expect(try run("--version").status == 0)
        #expect(try run("info", photo).text.contains("portrait.heic"))
        for arguments in [
            ["extract", photo, "-o", "depth.png"], ["blur", photo, "-o", "soft.jpg"],
            ["animate", photo, "--size", "160", "--seconds", "0.2", "-o", "moving.gif"],
        ] {
            let hidden = try Tool.shell(
                Self.hidden(#"exec "$0" "$@""#), arguments, folder: folder.path)
            #expect(hidden.status == 0, "\(hidden.messages)")
            let output = try #require(arguments.last)
            let bytes = try Data(contentsOf: URL(filePath: folder.file(output)))
            try folder.run("\(arguments) --force")
            #expect(try Data(contentsOf: URL(filePath: folder.file(output))) == bytes)
        }
    }

    @Test("A file name that is not UTF-8 stays as it is")
    func fileName() throws {
        let script = Self.hidden(
            #"name=$(printf "d\351pth.heic"); cp "$1" "$name"; exec "$0" extract "$name""#)
        #expect(try Tool.shell(script, [photo], folder: folder.path).status == 0)
        let check = #"test -s "$(printf 'd\351pth-disparity.png')""#
        #expect(try Tool.shell(check, [], folder: folder.path).status == 0)
    }

    @Test("A worker answers requests")
    func worker() throws {
        let script = Self.hidden(#"echo "$2" | exec "$0" worker"#)
        let request = #"{"verb": "info", "path": "\#(photo)"}"#
        let run = try Tool.shell(script, [photo, request], folder: folder.path)
        #expect(run.status == 0, "\(run.messages)")
        #expect(run.text.contains("portrait.heic"))
    }

    @Test("Only --isolate needs /proc, and says so")
    func isolation() throws {
        let isolated = try run("extract", "--isolate", photo, "-o", "isolated.png")
        #expect(isolated.status == 1)
        #expect(isolated.messages.contains("isolated processes need /proc, which is not mounted"))
    }
}
