import Foundation
import TestSupport
import Testing

/// `TestImages/Malformed/`: every file breaks a rule, and a table there gives the expected outcome.
@Suite("Malformed files")
struct MalformedFileTests {
    private let folder = TemporaryFolder()

    /// A line of the table.
    struct Row: CustomStringConvertible {
        var file: String
        /// `0`, `1` where data is lost, or the error code of `info`.
        var info: String
        var extractStatus: Int
        var words: String

        var description: String { file }
    }

    private static let table: [Row] = {
        let text =
            (try? String(contentsOfFile: TestImages.path("Malformed/README.md"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map {
                $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
            }
            guard cells.count == 5, let status = Int(cells[3]) else { return nil }
            return Row(file: cells[0], info: cells[2], extractStatus: status, words: cells[4])
        }
    }()

    private static let files: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: TestImages.path("Malformed"))) ?? []
        return names.filter { $0 != "README.md" }.sorted().map { TestImages.path("Malformed/" + $0) }
            + SampleFolder.photos.files(in: "malformed").map(SampleFolder.photos.path)
    }()

    private func run(_ verb: [String], _ path: String, in folder: TemporaryFolder) throws -> Tool.Run {
        // Two seconds of processor time, more with a sanitizer; a run that waits ends after a minute.
        let seconds = Tool.isSanitized ? 20 : 2
        let script = #"ulimit -t \#(seconds); exec timeout 60 "$0" "$@""#
        return try Tool.shell(script, verb + [path], folder: folder.path)
    }

    @Test(
        "A malformed file ends every subcommand with status 0, 1 or 3 and a reason within two seconds",
        arguments: files)
    func outcome(path: String) throws {
        for verb in [
            ["info", "--json"], ["extract", "--plane", "all", "-o", "out/"],
            ["composite", "--background", "red", "-o", "c.png"], ["cloud", "-o", "c.ply"],
        ] {
            let run = try run(verb, path, in: folder)
            #expect([0, 1, 3].contains(run.status), "\(verb[0]): \(run.status), \(run.messages)")
            guard run.status != 0, verb[0] != "info" else { continue }
            let lines = run.messages.split(separator: "\n")
            #expect(lines.last?.hasPrefix("isobath: \(path): ") == true, "\(verb[0]): \(run.messages)")
        }
    }

    @Test("Each malformed file has the outcome in its table", arguments: table)
    func row(_ row: Row) throws {
        let path = TestImages.path("Malformed/" + row.file)
        let info = try run(["info", "--json"], path, in: folder)
        let record = try #require(try info.objects().first)
        #expect(info.status == (row.info == "0" ? 0 : 1))
        #expect(record.object("error").text("code") ?? "\(info.status)" == row.info)
        let extract = try run(["extract", "--plane", "all", "-o", "out/"], path, in: folder)
        #expect(extract.status == row.extractStatus)
        let said =
            record.texts("warnings").joined() + (record.object("error").text("message") ?? "")
            + extract.messages
        #expect(row.words.isEmpty || said.contains(row.words), "\(said)")
    }

    @Test("Every malformed file in the table exists")
    func complete() {
        #expect(Self.table.count >= 50)
        #expect(Self.table.allSatisfy { Self.files.contains(TestImages.path("Malformed/" + $0.file)) })
    }
}
