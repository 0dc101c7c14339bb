import Foundation
import TestSupport
import Testing

@testable import Commands

@Suite("Flags of former versions")
struct RemovedFlagTests {
    @Test(
        "A flag that is gone is answered with what to use instead, in every form of the command line",
        arguments: RemovedFlags.instead.sorted { $0.key < $1.key })
    func commandLine(name: String, advice: String) {
        let words = name.split(separator: " ").map(String.init)
        let forms = [["--\(words[0])"] + words.dropFirst(), ["--" + words.joined(separator: "=")]]
        for form in forms {
            #expect(
                RemovedFlags.problem(in: ["x.heic", "-o", "y.jpg"] + form) == "'--\(name)' is gone; \(advice)"
            )
        }
    }

    @Test("A name of the table after -- is a file, and no flag of today is in it")
    func files() throws {
        let folder = TemporaryFolder()
        try folder.write(TestImages.bytes("portrait.heic"), to: "--serve")
        try folder.run("info -- --serve")
        try folder.run("view {portrait.heic} --serve", status: 64, says: "'--serve' is gone; ")
        let help = try Tool.run("--experimental-dump-help").text
        #expect(help.contains("\"name\" : \"recursive\""))
        for name in RemovedFlags.instead.keys where !name.contains(" ") {
            #expect(!help.contains("\"name\" : \"\(name)\""), "\(name)")
        }
    }

    @Test("An option of a request that is gone is answered with what to use instead")
    func request() throws {
        let request = #"{"id": 1, "verb": "extract", "path": "a", "options": {"serve": true}}"#
        let run = try Tool.run("worker", input: Data("\(request)\n".utf8))
        #expect(run.text.contains("'serve' is gone; use 'isobath view FOLDER -o album/'"))
    }
}
