import Bytes
import Foundation
import Glibc
import Testing

@Suite("Patterns of numbered files")
struct FramePatternTests {
    @Test(
        "Numbers are written as printf does, and found again",
        arguments: ["/a/f%d.png", "f-%04d.jpg", "a/%06d", "%02d-x.png", "/%d"],
        [0, 1, 9, 10, 99, 9999, 10_000, 1_234_567])
    func printf(pattern: String, number: Int) throws {
        let frames = try #require(FramePattern(pattern))
        let path = frames.path(number: number)
        #expect(path == String(format: pattern, number))
        #expect(frames.number(in: path.lastPathComponent) == number)
        #expect(frames.folder == path.folderPath)
    }

    @Test(
        "A path without a single place for a number is not a pattern",
        arguments: [
            "a.png", "%.png", "%s.png", "%4d.png", "%-4d.png", "%004d", "%d%d.png", "f%d/a.png", "%xd",
        ])
    func none(path: String) {
        #expect(FramePattern(path) == nil)
        #expect(FramePattern.hasSeveralPlaces(path) == (path == "%d%d.png"))
    }

    @Test(
        "A name that the pattern does not write has no number",
        arguments: [
            "f-1.png", "f-00001.png", "f-12a4.png", "f--123.png", "g-0001.png", "f-0001.jpg", "f-.png",
            "f-٠٠٠١.png",
        ])
    func foreign(name: String) throws {
        #expect(try #require(FramePattern("f-%04d.png")).number(in: name) == nil)
    }
}
