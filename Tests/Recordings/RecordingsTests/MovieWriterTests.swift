import Bytes
import DepthMaps
import DepthTypes
import Foundation
import MovieWriting
import Recordings
import Scenes
import TestSupport
import Testing

@Suite("Writing movies")
struct MovieWriterTests {
    private let folder = TemporaryFolder()

    /// A gray picture; an even size keeps all of it where chroma has half the size.
    private func picture(_ gray: UInt8, width: Int = 16, height: Int = 8) -> Picture {
        let pixel = RGB(red: gray, green: gray, blue: gray)
        return Picture(
            ColorImage(
                width: width, height: height,
                pixels: .uint8(.init(repeating: pixel, count: width * height)), colorProfile: []))
    }

    /// GIF89a: the size of the screen is at byte 6, least significant byte first, and 0x3B ends the file.
    @Test("A GIF has the size of its pictures and an image for each")
    func gif() throws {
        try MovieWriter.write(to: folder.file("a.gif"), rate: 10) { movie in
            for gray in [UInt8](arrayLiteral: 10, 100, 200) { try movie.append(picture(gray)) }
            #expect(movie.frameCount == 3)
        }
        let file = try folder.bytes(of: "a.gif")
        #expect(file.starts(with: Array("GIF89a".utf8) + [16, 0, 8, 0]) && file.last == 0x3B)
        // A graphic control extension before each image: 10 hundredths of a second.
        let control: [UInt8] = [0x21, 0xF9, 4, 4, 10, 0, 0, 0, 0x2C]
        #expect(file.ranges(of: control).count == 3)
    }

    /// y4m: a line of text, then for each frame `FRAME`, luma, and twice a quarter of it.
    @Test("A y4m file has its rate in the first line and each frame behind its mark")
    func y4m() throws {
        try MovieWriter.write(to: folder.file("a.y4m"), rate: 29.97) { movie in
            try movie.append(picture(10))
            try movie.append(picture(200))
        }
        let file = try folder.bytes(of: "a.y4m")
        let line = try #require(file.firstIndex(of: 0x0A))
        #expect(String(decoding: file[..<line], as: UTF8.self).hasPrefix("YUV4MPEG2 W16 H8 F30000:1001 "))
        #expect(file.count == line + 1 + 2 * (6 + 128 + 2 * 32))
    }

    @Test(
        "A movie is read back with its frames and their times",
        .needsFFmpeg, arguments: ["a.mp4", "a.mkv"])
    func movie(name: String) throws {
        try MovieWriter.write(to: folder.file(name), rate: 30) { movie in
            for (gray, time) in [(UInt8(10), 5.0), (100, 5.25), (200, 6)] {
                try movie.append(picture(gray, width: 64, height: 48), at: time)
            }
        }
        let recording = try Recording(contentsOf: folder.file(name))
        #expect(recording.frameCount == 3)
        let times = recording.frames().map { $0.description.time ?? -1 }
        #expect(zip(times, [0, 0.25, 1]).allSatisfy { abs($0 - $1) < 0.002 }, "\(times)")
        #expect(recording.times == times && recording.poses == [nil, nil, nil])
        let color = try recording.scene(at: 2).color()
        #expect((color.width, color.height) == (64, 48))
    }

    @Test("A movie that cannot be written leaves no file")
    func refused() throws {
        func fails(_ name: String = "a.gif", rate: Double = 10, _ body: (MovieWriter) throws -> Void) {
            #expect(throws: OutputError.self) {
                try MovieWriter.write(to: folder.file(name), rate: rate, body)
            }
        }
        fails { _ in }
        fails {
            try $0.append(picture(1)); try $0.append(picture(1, width: 8))
        }
        fails {
            try $0.append(picture(1), at: 1); try $0.append(picture(2), at: 1)
        }
        fails { try $0.append(picture(1), at: .nan) }
        fails {
            let clear = Matte(width: 16, height: 8, coverage: .init(repeating: 0, count: 128))
            try $0.append(Picture(picture(1).color, alpha: clear))
        }
        fails(rate: 0) { try $0.append(picture(1)) }
        fails("a.jpg") { try $0.append(picture(1)) }
        #expect(throws: CancellationError.self) {
            try MovieWriter.write(to: folder.file("a.y4m"), rate: 10) { _ in throw CancellationError() }
        }
        #expect(folder.contents.isEmpty)
        try MovieWriter.write(to: folder.file("a.gif"), rate: 10) { try $0.append(picture(1)) }
        fails { try $0.append(picture(1)) }
    }
}
