import Bytes
import TestSupport
import Testing

@testable import Movies

/// Structures of files by hand, without pictures.
@Suite("What a movie declares of its length")
struct MovieExtentTests {
    private func extent(_ bytes: [UInt8]) -> MovieExtent { MovieExtent(of: MemorySource(bytes)) }

    private static func box(_ name: String, _ size: Int, declaring declared: Int? = nil) -> [UInt8] {
        bigEndian(declared ?? size) + Array(name.utf8) + [UInt8](repeating: 0, count: size - 8)
    }

    @Test("Boxes reach the end of the file")
    func boxes() {
        let start = Self.box("ftyp", 16) + Self.box("moov", 40)
        #expect(extent(start + Self.box("mdat", 100)).cut == nil)
        #expect(
            extent(start + Self.box("mdat", 60, declaring: 100)).cut
                == "box 'mdat' at byte 56 declares 100 bytes, 60 follow")
        // 0: to the end of the file.
        #expect(extent(start + Self.box("mdat", 60, declaring: 0)).cut == nil)
        // 1: the size follows, in 64 bits.
        let long =
            Array("\0\0\0\u{1}mdat".utf8) + [0, 0, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0, count: 10)
        #expect(extent(start + long).cut == "box 'mdat' at byte 56 declares 256 bytes, 26 follow")
        // Record3D puts its description behind the last box.
        #expect(extent(start + Array(#"{"intrinsicMatrix": [1, 0, 0]}"#.utf8)).cut == nil)
    }

    @Test("Matroska's Segment reaches the end of the file")
    func matroska() {
        let header: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 0x83, 1, 2, 3, 0x18, 0x53, 0x80, 0x67]
        let body = [UInt8](repeating: 0, count: 20)
        #expect(extent(header + [0x94] + body).cut == nil)
        #expect(extent(header + [0x95] + body).cut == "the Segment at byte 8 declares 21 bytes, 20 follow")
        #expect(
            extent(header + [0x01, 0, 0, 0, 0, 0, 1, 0] + body).cut
                == "the Segment at byte 8 declares 256 bytes, 20 follow")
        // Unknown, as where a recorder could not go back.
        #expect(extent(header + [0x01, 255, 255, 255, 255, 255, 255, 255] + body).cut == nil)
    }

    @Test("An animated PNG ends with IEND, and declares its frames")
    func png() {
        func chunk(_ name: String, _ data: [UInt8], declaring size: UInt8? = nil) -> [UInt8] {
            [0, 0, 0, size ?? UInt8(data.count)] + Array(name.utf8) + data + [0, 0, 0, 0]
        }
        let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let control = chunk("acTL", [0, 0, 0, 7, 0, 0, 0, 0])
        #expect(extent(start + control + chunk("IEND", [])).frames == 7)
        #expect(extent(start + control + chunk("IEND", [])).cut == nil)
        #expect(extent(start + control).cut == "there is no IEND chunk")
        #expect(
            extent(start + control + chunk("fdAT", [1, 2, 3], declaring: 9)).cut
                == "chunk 'fdAT' at byte 28 declares 21 bytes, 15 follow")
    }

    @Test("A GIF ends with its trailer")
    func gif() {
        // A screen of 1 × 1 with two colors, an extension, and a picture in one block.
        let start = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        let picture: [UInt8] =
            [0x21, 0xF9, 4, 0, 0, 0, 0, 0] + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
        #expect(extent(start + picture + picture + [0x3B]).cut == nil)
        #expect(extent(start + picture).cut == "there is no trailer (0x3B) at the end")
        #expect(
            extent(start + picture + [UInt8](repeating: 0, count: 50)).cut
                == "there is no trailer (0x3B), but 0 at byte 42")
        #expect(extent(start + picture.prefix(12)).cut != nil)
    }

    @Test("RIFF chunks of AVI reach the end of the file")
    func avi() {
        let start = Array("RIFF".utf8)
        let body = Array("AVI ".utf8) + [UInt8](repeating: 0, count: 16)
        #expect(extent(start + [20, 0, 0, 0] + body).cut == nil)
        #expect(
            extent(start + [30, 0, 0, 0] + body).cut == "RIFF chunk at byte 0 declares 30 bytes, 20 follow")
        // A recorder that did not finish.
        #expect(extent(start + [0, 0, 0, 0] + body).cut == nil)
    }

    @Test("Any bytes are looked at without harm")
    func anything() {
        var random = SystemRandomNumberGenerator()
        let starts: [[UInt8]] = [
            [0x1A, 0x45, 0xDF, 0xA3], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], Array("GIF89a".utf8),
            Array("RIFF\0\0\0\0AVI ".utf8), Array("\0\0\0\u{10}ftyp".utf8), Array("\0\0\0\u{1}mdat".utf8),
        ]
        for start in starts {
            for _ in 0..<500 {
                let rest = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                _ = extent(start + rest)
            }
        }
    }
}
