import Bytes
import Testing

@testable import Recordings

@Suite("Lines of lists")
struct TextLinesTests {
    private func lines(_ text: String, limits: DecodingLimits = DecodingLimits()) throws -> [TextLines.Line] {
        var reader = TextLines(MemorySource(Array(text.utf8)), limits: limits)
        var lines: [TextLines.Line] = []
        while let line = try reader.next() { lines.append(line) }
        return lines
    }

    @Test("Comments and blank lines are passed over, and lines keep their numbers")
    func comments() throws {
        let lines = try lines("# a\n\n1 2\r\n  # b\n3,4 , 5\n6")
        #expect(lines.map(\.number) == [3, 5, 6])
        #expect(lines.map(\.numbers) == [[1, 2], [3, 4, 5], [6]])
    }

    @Test(
        "Words that are not finite numbers make a line none of numbers",
        arguments: ["nan", "inf", "0x10", "1e999", "a"])
    func words(word: String) throws {
        #expect(try lines("1 \(word) 2")[0].numbers == nil)
    }

    @Test("Lines of files larger than a part of them are whole")
    func parts() throws {
        let count = 40_000
        let found = try lines((0..<count).map { "\($0) 1.5\n" }.joined())
        #expect(found.count == count)
        #expect(found.enumerated().allSatisfy { $0.element.numbers == [Double($0.offset), 1.5] })
    }

    @Test("A line without end is an error, and so are too many lines")
    func limits() throws {
        #expect(throws: ContainerError.self) { try lines(String(repeating: "1", count: 300_000)) }
        var limits = DecodingLimits()
        limits[.frames] = 2
        let error = try #require(throws: ContainerError.self) { try lines("1\n2\n3\n", limits: limits) }
        #expect(error.code == "limit-exceeded")
    }
}
