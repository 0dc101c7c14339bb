import DepthMaps
import Foundation
import Testing

@testable import Movies
@testable import Scenes

@Suite("Animated GIF")
struct GIFTests {
    /// Decodes blocks of LZW as appendix F of the GIF89a specification describes it: a table of strings, built while reading.
    private func decoded(_ blocks: [UInt8]) -> [UInt8] {
        var (bits, place): ([UInt8], Int) = ([], 0)
        while place < blocks.count, blocks[place] > 0 {
            bits += blocks[place + 1...place + Int(blocks[place])]
            place += 1 + Int(blocks[place])
        }
        #expect(place == blocks.count - 1)
        var (position, size): (Int, Int) = (0, 9)
        func code() -> Int {
            var value = 0
            for bit in 0..<size where position + bit < bits.count * 8 {
                value |= Int(bits[(position + bit) / 8] >> UInt8((position + bit) % 8) & 1) << bit
            }
            position += size
            return value
        }
        var (table, samples): ([[UInt8]], [UInt8]) = ([], [])
        var last: [UInt8] = []
        while true {
            let next = code()
            if next == 256 {
                table = (0..<256).map { [UInt8($0)] } + [[], []]
                (size, last) = (9, [])
            } else if next == 257 {
                return samples
            } else {
                let string = next < table.count ? table[next] : last + [last[0]]
                samples += string
                if !last.isEmpty, table.count < 4096 { table.append(last + [string[0]]) }
                last = string
                if table.count == 1 << size, size < 12 { size += 1 }
            }
        }
    }

    @Test(
        "Samples come back, over all sizes of codes and full tables",
        arguments: [0, 1, 2, 255, 256, 5000, 300_000])
    func compression(count: Int) {
        var compression = GIFCompression()
        let samples = (0..<count).map { (index: Int) -> UInt8 in
            UInt8(truncatingIfNeeded: index % 97 &* 31 ^ index >> 5)
        }
        #expect(decoded(compression.blocks(of: samples)) == samples)
        let flat = [UInt8](repeating: 7, count: count)
        #expect(decoded(compression.blocks(of: flat)) == flat)
    }

    @Test("A picture of few colors keeps each within the width of a bin, dithered to its mean")
    func palette() {
        let colors: [RGB<UInt8>] = [
            RGB(red: 200, green: 30, blue: 40), RGB(red: 10, green: 120, blue: 250),
            RGB(red: 250, green: 250, blue: 240),
        ]
        let picture = (0..<96 * 64).map { colors[$0 % 96 / 32] }
        let palette = GIFPalette(of: [picture])
        let indices = palette.indices(of: picture, width: 96)
        for (index, pixel) in zip(indices, picture) {
            let found = palette.colors[Int(index)]
            #expect(abs(Int(found.red) - Int(pixel.red)) <= 8 && abs(Int(found.blue) - Int(pixel.blue)) <= 8)
        }
    }

    @Test("The colors of all pictures that a palette is made of are in it")
    func severalPictures() {
        let colors: [RGB<UInt8>] = [
            RGB(red: 200, green: 30, blue: 40), RGB(red: 10, green: 120, blue: 250),
            RGB(red: 250, green: 250, blue: 240), RGB(red: 20, green: 200, blue: 20),
        ]
        let palette = GIFPalette(of: colors.map { Array(repeating: $0, count: 64) })
        for color in colors {
            let least = palette.colors.map {
                abs(Int($0.red) - Int(color.red)) + abs(Int($0.green) - Int(color.green))
                    + abs(Int($0.blue) - Int(color.blue))
            }.min()
            #expect((least ?? 255) <= 12)
        }
    }

    @Test("A file has a header, a loop, a delay for each frame that adds up to its length, and an end")
    func file() throws {
        let url = FileManager.default.temporaryDirectory.appending(
            path: "isobath-\(UInt64.random(in: 0...(.max))).gif")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data().write(to: url)
        let handle = try FileHandle(forUpdating: url)
        let sink = GIFSink(descriptor: handle.fileDescriptor, rate: 15)
        for index in 0..<15 {
            var frame = RenderedFrame()
            frame.picture = FramePlane(
                width: 8, height: 4,
                samples: (0..<32).map { RGB(red: UInt8($0 * 8), green: UInt8(index), blue: 9) })
            try sink.write(&frame)
        }
        try sink.finish()
        try handle.close()
        let bytes = [UInt8](try Data(contentsOf: url))
        #expect(Array(bytes.prefix(10)) == Array("GIF89a".utf8) + [8, 0, 4, 0])
        #expect(bytes.last == 0x3B)
        // Graphic control extensions begin with 21 F9 04; the delay is in hundredths of a second.
        var delays: [Int] = []
        for place in 0..<bytes.count - 6 where Array(bytes[place..<place + 3]) == [0x21, 0xF9, 4] {
            delays.append(Int(bytes[place + 4]) | Int(bytes[place + 5]) << 8)
        }
        #expect(delays.count == 15 && delays.reduce(0, +) == 100)
    }
}
