import Bytes
import DepthMaps
import DepthTypes
import Foundation
import TestFrames
import Testing

@testable import Movies
@testable import Scenes

@Suite("Pipes")
struct PipeTests {
    /// Calls `body` with a file that holds bytes, open for reading and writing.
    private func withFile<Value>(_ bytes: [UInt8] = [], _ body: (Int32) throws -> Value) throws -> Value {
        let url = FileManager.default.temporaryDirectory.appending(
            path: "isobath-pipe-\(UInt64.random(in: 0...(.max)))")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data(bytes).write(to: url)
        let file = try FileHandle(forUpdating: url)
        defer { try? file.close() }
        return try body(file.fileDescriptor)
    }

    private func frames(_ source: any SceneSequence) throws -> [TestFrame] {
        var frames: [TestFrame] = []
        while try source.advance() != nil {
            var frame = TestFrame()
            try source.read(.measured, into: &frame)
            frames.append(frame)
        }
        return frames
    }

    private func source(
        _ bytes: [UInt8], color: RawPixels<RawColorFormat>? = nil,
        depth: RawPixels<RawDepthFormat>? = nil, reading: ReadingOptions = ReadingOptions()
    ) throws -> (frames: [TestFrame], diagnostics: [Diagnostic], description: SceneDescription) {
        try withFile(bytes) { descriptor in
            let source = try PipeSource(
                StreamReader(descriptor: descriptor), color: color, depth: depth, reading: reading,
                limits: DecodingLimits())
            return (try frames(source), source.diagnostics, source.description)
        }
    }

    /// `ffmpeg -f lavfi -i color=c=red:s=4x2:r=25 -frames:v 1 -pix_fmt yuv420p -f yuv4mpegpipe -`
    private static let red =
        Array("YUV4MPEG2 W4 H2 F25:1 Ip A1:1 C420jpeg XYSCSS=420JPEG XCOLORRANGE=LIMITED\nFRAME\n".utf8)
        + [81, 81, 81, 81, 81, 81, 81, 81, 90, 90, 240, 240]

    @Test("A frame of y4m by ffmpeg has its color")
    func y4m() throws {
        let (frames, _, description) = try source(Self.red)
        try withFile(Self.red) { descriptor in
            let source = try PipeSource(
                StreamReader(descriptor: descriptor), limits: DecodingLimits())
            #expect(source.extent.rate == 25)
        }
        #expect(description.colorSize == PixelSize(width: 4, height: 2))
        let pixel = try #require(frames.first?.color.samples.first)
        #expect(pixel.red >= 252 && pixel.green <= 2 && pixel.blue <= 2)
        #expect(frames.count == 1)
    }

    @Test("Layouts of y4m give the colors that the recommendations give", arguments: ["444", "422", "mono"])
    func layouts(name: String) throws {
        // Y 120, U 90, V 150 of Rec. 601: R = 1.164·104 + 1.596·22, G = … − 0.392·(−38) − 0.813·22, B = … + 2.017·(−38).
        let chroma: [UInt8] =
            switch name {
            case "444": Array(repeating: 90, count: 8) + Array(repeating: 150, count: 8)
            case "422": Array(repeating: 90, count: 4) + Array(repeating: 150, count: 4)
            default: []
            }
        let bytes =
            Array("YUV4MPEG2 W4 H2 F30:1 C\(name)\nFRAME\n".utf8) + Array(repeating: 120, count: 8) + chroma
        let pixel = try #require(try source(bytes).frames.first?.color.samples.last)
        let expected = name == "mono" ? [121, 121, 121] : [156, 118, 44]
        let found = [Int(pixel.red), Int(pixel.green), Int(pixel.blue)]
        #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 1 }, "\(found)")
    }

    @Test("A stream that ends in a frame gives the frames before it, and a warning")
    func cutOff() throws {
        let (frames, diagnostics, _) = try source(Self.red + Self.red.suffix(18).dropLast(3))
        #expect(frames.count == 1)
        #expect(diagnostics.map(\.code) == ["cut-off"])
    }

    @Test(
        "A stream that is followed by another one gives the frames before it, and a warning",
        arguments: ["YUV4MPEG2 W2 H2 F25:1 C444\nFRAME\n", "junk\n"])
    func another(rest: String) throws {
        let (frames, diagnostics, _) = try source(
            Self.red + Array(rest.utf8) + [UInt8](repeating: 0, count: 12))
        #expect(frames.count == 1)
        #expect(diagnostics.map(\.code) == ["cut-off"])
    }

    @Test(
        "Broken headers are errors",
        arguments: [
            "", "YUV4MPEG2\n", "YUV4MPEG2 W0 H2\n", "YUV4MPEG2 W4 H2 C420p10\n", "YUV4MPEG2 W4 H2 It\n",
            "RIFF\n",
            "YUV4MPEG2 W99999999999 H99999999999\n", "YUV4MPEG2 W-4 H2\n",
            "YUV4MPEG2 W4 H2 " + String(repeating: "X", count: 2000) + "\n",
        ])
    func broken(header: String) {
        #expect(throws: ContainerError.self) { try source(Array(header.utf8)) }
    }

    @Test("A frame that does not begin with FRAME is an error")
    func noFrame() {
        #expect(throws: ContainerError.self) {
            try source(Array("YUV4MPEG2 W4 H2\nframe\n".utf8) + Array(repeating: 0, count: 12))
        }
    }

    @Test("Color and depth in turns are told apart, and depth is in meters")
    func interleaved() throws {
        let color: [UInt8] = [1, 2, 3, 4, 5, 6]
        let depth: [UInt8] = [0xE8, 0x03, 0, 0, 0xDC, 0x05]
        var reading = ReadingOptions()
        reading.scale = 1000
        let (frames, _, description) = try source(
            color + depth + color + depth, color: RawPixels(.rgb24, width: 2, height: 1),
            depth: RawPixels(.gray16le, width: 3, height: 1), reading: reading)
        #expect(frames.count == 2)
        #expect(description.depth?.scale == .absolute)
        for frame in frames {
            #expect(frame.color.samples == [RGB(red: 1, green: 2, blue: 3), RGB(red: 4, green: 5, blue: 6)])
            #expect(
                frame.depth.samples[0] == 1 && frame.depth.samples[1].isNaN && frame.depth.samples[2] == 1.5)
        }
    }

    @Test("Depth that floats is in meters, and what is not positive is unknown")
    func floats() throws {
        let values: [Float] = [1.25, -1, .nan, 0]
        let bytes = values.flatMap { value in
            (0..<4).map { UInt8(value.bitPattern >> (8 * UInt32($0)) & 0xFF) }
        }
        let frames = try source(bytes, depth: RawPixels(.grayf32le, width: 4, height: 1)).frames
        #expect(frames[0].depth.samples[0] == 1.25)
        let others = frames[0].depth.samples[1...]
        #expect(others.allSatisfy { $0.isNaN })
        #expect(frames[0].scale == .unknown)
    }

    @Test(
        "What is written can be read again: the same distances, and colors within what chroma at half the size allows",
        arguments: [PipeSink.Format.y4m, .color(.rgb24), .color(.yuv420p), .color(.nv12)])
    func roundTrip(format: PipeSink.Format) throws {
        let size = PixelSize(width: 33, height: 17)
        let pixels = (0..<size.width * size.height).map { index -> RGB<UInt8> in
            let (x, y) = (index % size.width, index / size.width)
            return RGB(red: UInt8(40 + x * 5), green: UInt8(60 + y * 8), blue: UInt8(200 - x * 3))
        }
        let read = try withFile { descriptor -> [TestFrame] in
            let sink = PipeSink(descriptor: descriptor, format: format, rate: 29.97)
            for _ in 0..<2 {
                var frame = RenderedFrame()
                frame.picture = FramePlane(width: size.width, height: size.height, samples: pixels)
                try sink.write(&frame)
            }
            lseek(descriptor, 0, SEEK_SET)
            var raw: RawPixels<RawColorFormat>?
            if case .color(let color) = format {
                raw = RawPixels(color, width: size.width, height: size.height)
            }
            return try frames(
                PipeSource(
                    StreamReader(descriptor: descriptor), color: raw, rate: 30, limits: DecodingLimits()))
        }
        #expect(read.count == 2)
        let most = format == .color(.rgb24) ? 0 : 12
        for (found, wanted) in zip(read[1].color.samples, pixels) {
            let differences = [
                Int(found.red) - Int(wanted.red), Int(found.green) - Int(wanted.green),
                Int(found.blue) - Int(wanted.blue),
            ]
            #expect(differences.allSatisfy { abs($0) <= most })
        }
    }

    @Test(
        "Rates are written as whole numbers",
        arguments: [
            (30, "30:1"), (29.97002997, "30000:1001"), (23.976023976, "24000:1001"), (12.5, "12500:1000"),
            (1.0 / 3600, "1:3600"), (1e308, "1000000:1"), (.infinity, "1000000:1"), (1e-308, "1:1000000"),
        ])
    func rates(rate: Double, text: String) { #expect(PipeSink.fraction(rate) == text) }

    @Test(
        "Rates that no camera has are an error",
        arguments: ["F1e19:1", "F30:1e-300", "Finf:1", "F10000000000000000000:1", "F1:1e300"])
    func unusableRate(field: String) throws {
        let error = try #require(throws: ContainerError.self) {
            try Y4MHeader(
                parsing: Array("YUV4MPEG2 W32 H24 \(field) C420jpeg".utf8), limits: DecodingLimits())
        }
        #expect("\(error)".contains("frames a second (\(field)); rates from 0.000001 to 1000000 are read"))
    }

    @Test("Any damage of a y4m header ends with an error or a header")
    func mutation() {
        var random = SystemRandomNumberGenerator()
        let header = Array("YUV4MPEG2 W640 H480 F30:1 Ip A1:1 C420jpeg XCOLORRANGE=FULL".utf8)
        for _ in 0..<5000 {
            var damaged = header
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            _ = try? Y4MHeader(parsing: damaged, limits: DecodingLimits())
        }
    }
}
