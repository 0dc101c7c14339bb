import Foundation
import Isobath
import TestSupport
import Testing

@Suite("--limit-NAME")
struct LimitTests {
    /// The names of all limits.
    static let names = DecodingLimits.Name.allCases.map(\.rawValue)

    /// Limit, value and picture where `info` meets it.
    private static let inInfo: [(String, Int, String)] = [
        ("pixels", 1000, "portrait.heic"), ("pixels", 1000, "portrait.jpg"),
        ("metadata-bytes", 100, "portrait.heic"),
        ("items", 5, "portrait.heic"), ("properties", 3, "portrait.heic"), ("extents", 0, "portrait.heic"),
        ("references", 3, "portrait.heic"), ("nesting", 0, "portrait.heic"), ("segments", 2, "portrait.jpg"),
        ("images", 1, "portrait.jpg"), ("directory-entries", 1, "portrait.jpg"),
        ("directory-entries", 1, "portrait.heic"), ("coded-bytes", 100, "portrait.heic"),
        ("xmp-bytes", 100, "portrait.heic"), ("xmp-bytes", 100, "portrait.jpg"),
        ("xml-depth", 2, "portrait.jpg"),
        ("xml-nodes", 5, "portrait.heic"),
    ]

    @Test("the message names limit, value and flag", arguments: inInfo)
    func info(name: String, value: Int, picture: String) throws {
        let run = try Tool.run(["info", "--json", "--limit-\(name)", "\(value)", TestImages.path(picture)])
        let record = try #require(try run.objects().first)
        let words = "exceed the limit of \(value); raise it with --limit-\(name)"
        if let message = record.object("error").text("message") {
            #expect(message.hasSuffix(words))
            #expect(record.object("error").text("code") == "limit-exceeded")
            #expect(run.status == 1)
        } else {
            #expect(record.texts("warnings").contains { $0.contains(words) })
            #expect(run.status == 0)
        }
    }

    /// What only decoding meets.
    @Test(
        "decoding keeps to limits, too, and leaves no file",
        arguments: [
            ("tiles", 2, "portrait.heic"), ("coded-bytes", 100, "portrait.jpg"),
            ("metadata-bytes", 100, "portrait.jpg"),
            ("nesting", 0, "portrait.heic"),
        ])
    func photo(name: String, value: Int, picture: String) throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run([
            "extract", "--limit-\(name)", "\(value)", TestImages.path(picture), "--plane", "photo", "-o",
            folder.file("p.png"),
        ])
        #expect(run.status == 1)
        #expect(run.messages.contains("exceed the limit of \(value); raise it with --limit-\(name)"))
        #expect(folder.contents == [])
    }

    @Test("standard input is held in memory, so it has a limit")
    func standardInput() throws {
        let input = Data(try TestImages.bytes("portrait.jpg"))
        let run = try Tool.run(["info", "--limit-input-bytes", "1000", "-"], input: input)
        #expect(run.status == 1)
        #expect(run.messages.contains("exceed the limit of 1000; raise it with --limit-input-bytes"))
        #expect(
            try Tool.run(["info", "--limit-input-bytes", "\(input.count)", "-"], input: input).status == 0)
    }

    @Test("every limit has a test here, and a flag that takes its default")
    func complete() throws {
        #expect(
            Set(Self.inInfo.map { $0.0 } + ["tiles", "input-bytes", "memory-bytes", "seconds"])
                == Set(Self.names))
        let flags = DecodingLimits.Name.allCases.flatMap { ["--limit-\($0.rawValue)", "\($0.defaultValue)"] }
        let run = try Tool.run(["info", TestImages.path("portrait.heic")] + flags)
        #expect(run.status == 0)
    }
}
