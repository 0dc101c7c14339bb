import Foundation
import TestSupport
import Testing

/// A square of 60 pixels, 2 m away, that moves two pixels a frame before a wall at 4 m; nothing else is in the scene.
private enum Scene {
    static let (width, height) = (160, 120)
    static let count = 12

    static func left(_ index: Int) -> Int { 30 + 2 * index }

    private static func isSquare(_ x: Int, _ y: Int, _ index: Int) -> Bool {
        x >= left(index) && x < left(index) + 60 && y >= 30 && y < 90
    }

    /// Pixels of a frame: red, green, blue.
    static func color(_ index: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 3)
        for y in 0..<height {
            for x in 0..<width {
                if isSquare(x, y, index) {
                    let (u, v) = ((x - left(index)) / 12, (y - 30) / 12)
                    let gray = UInt8((u * 7 + v * 11 + u * v) % 5 * 50 + 30)
                    bytes += [gray, gray / 2, 255 - gray]
                } else {
                    bytes += [120, 120, UInt8(90 + (x / 16 + y / 16) % 3 * 20)]
                }
            }
        }
        return bytes
    }

    /// Millimeters, two bytes each, least significant first.
    static func depth(_ index: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 2)
        for y in 0..<height {
            for x in 0..<width {
                let code: UInt16 = x == 0 ? 0 : isSquare(x, y, index) ? 2000 : 4000
                bytes += [UInt8(code & 0xFF), UInt8(code >> 8)]
            }
        }
        return bytes
    }

    static let interleaved = Data((0..<count).flatMap { color($0) + depth($0) })
    static let depths = Data((0..<count).flatMap { depth($0) })
    static let size = "\(width)x\(height)"
    static let flags = [
        "--color-format", "rgb24", "--color-size", size, "--depth-format", "gray16le", "--depth-size", size,
        "--scale", "1000", "--frame-rate", "30",
    ]
}

@Suite("Sequences")
struct SequenceTests {
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Scene.interleaved, to: "scene.raw")
        try folder.write(Scene.depths, to: "depth.raw")
        return folder
    }

    @Test("A pipe of color and depth becomes y4m on standard output", arguments: [[], ["--isolate"]])
    func pipe(flags: [String]) throws {
        let run = try Tool.run(["sequence", "-", "-o", "-"] + Scene.flags + flags, input: Scene.interleaved)
        #expect(run.status == 0, "\(run.messages)")
        let header = "YUV4MPEG2 W160 H120 F30:1 Ip A1:1 C420jpeg XYSCSS=420JPEG XCOLORRANGE=LIMITED\n"
        #expect(run.output.starts(with: header.utf8))
        #expect(run.output.count == header.utf8.count + Scene.count * (6 + 160 * 120 * 3 / 2))
        #expect(run.messages.contains("12 frames"))
    }

    @Test("Distances go through as they came")
    func metric() throws {
        let run = try Tool.run(
            ["sequence", "-", "-o", "-", "--output-format", "gray16le"] + Scene.flags,
            input: Scene.interleaved)
        #expect(run.status == 0, "\(run.messages)")
        #expect(run.output == Scene.depths)
    }

    @Test("Depth comes from a descriptor of its own")
    func descriptor() throws {
        let folder = try folder()
        try folder.write(Data((0..<Scene.count).flatMap { Scene.color($0) }), to: "color.raw")
        let run = try Tool.shell(
            #""$0" sequence - "$@" --depth-input 3 -o - --output-format gray16le <color.raw 3<depth.raw"#,
            Scene.flags,
            folder: folder.path)
        #expect(run.status == 0, "\(run.messages)")
        #expect(run.output == Scene.depths)
    }

    @Test("Numbered frames get their folders, are counted from 1, and are never replaced unasked")
    func frames() throws {
        let folder = try folder()
        let arguments =
            ["sequence", "scene.raw", "-o", "a/b/f-%03d.png", "--every", "5", "--view", "side-by-side"]
            + Scene.flags
        #expect(try Tool.run(arguments, folder: folder.path).status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("a/b")).sorted()
        #expect(names == ["f-001.png", "f-002.png", "f-003.png"])
        let again = try Tool.run(arguments, folder: folder.path)
        #expect(again.status == 1)
        #expect(again.messages.contains("--force"))
    }

    @Test("The subject stands before a color")
    func mask() throws {
        let run = try Tool.run(
            [
                "sequence", "-", "-o", "-", "--output-format", "rgb24", "--view", "mask", "--background",
                "#00ff00",
                "--far", "3",
            ] + Scene.flags, input: Scene.interleaved)
        #expect(run.status == 0, "\(run.messages)")
        let bytes = [UInt8](run.output)
        let frame = 11
        func pixel(_ x: Int, _ y: Int) -> [UInt8] {
            let place = ((frame * Scene.height + y) * Scene.width + x) * 3
            return Array(bytes[place..<place + 3])
        }
        #expect(pixel(5, 60) == [0, 255, 0])
        let place = (60 * Scene.width + Scene.left(frame) + 30) * 3
        #expect(pixel(Scene.left(frame) + 30, 60) == Array(Scene.color(frame)[place..<place + 3]))
    }

    @Test("An object is followed, with its distance, as CSV and as JSON lines")
    func follow() throws {
        let folder = try folder()
        let run = try Tool.run(
            ["follow", "scene.raw", "--point", "0.375,0.5", "-o", "t.csv"] + Scene.flags, folder: folder.path)
        #expect(run.status == 0, "\(run.messages)")
        let lines = String(decoding: try folder.bytes(of: "t.csv"), as: UTF8.self).split(separator: "\n")
        #expect(lines.first == "frame,time,x,y,width,height,distance,speed,confidence,state")
        #expect(lines.count == 13)
        let last = try #require(lines.last).split(separator: ",", omittingEmptySubsequences: false)
        let x = try #require(Double(last[2]))
        #expect(abs(x - Double(Scene.left(11))) < 3)
        #expect(last[6] == "2.0" && last[9] == "found")
        let json = try Tool.run(
            ["follow", "scene.raw", "--box", "30px,30px,60px,60px", "-o", "t.jsonl"] + Scene.flags,
            folder: folder.path)
        #expect(json.status == 0, "\(json.messages)")
        let record = try #require(
            try JSONSerialization.jsonObject(
                with: Data(folder.bytes(of: "t.jsonl").split(separator: 0x0A)[11])) as? [String: Any])
        #expect(record["frame"] as? Int == 11)
        #expect(record["distance"] as? Double == 2)
    }

    @Test("Ctrl-C closes the output as if the input had ended")
    func interrupt() throws {
        let folder = try folder()
        let run = try Tool.shell(
            """
            mkfifo live
            (cat scene.raw; sleep 20) > live & writer=$!
            "$0" sequence live "$@" -o out.y4m & tool=$!
            sleep 1.5; kill -INT $tool; wait $tool; status=$?
            kill $writer; exit $status
            """, Scene.flags, folder: folder.path)
        #expect(run.status == 0, "\(run.messages)")
        let header = "YUV4MPEG2 W160 H120 F30:1 Ip A1:1 C420jpeg XYSCSS=420JPEG XCOLORRANGE=LIMITED\n".utf8
            .count
        #expect(try folder.bytes(of: "out.y4m").count == header + Scene.count * (6 + 160 * 120 * 3 / 2))
    }

    @Test("A stream that is cut off gives the frames before the cut, and a warning")
    func cutOff() throws {
        let run = try Tool.run(
            ["sequence", "-", "-o", "-", "--output-format", "gray16le"] + Scene.flags,
            input: Scene.interleaved.prefix(Scene.interleaved.count * 3 / 4 + 100))
        #expect(run.status == 0)
        #expect(run.output == Scene.depths.prefix(9 * 160 * 120 * 2))
        #expect(run.messages.contains("ends in the middle of frame 9"))
    }

    @Test(
        "Wrong usage is said before any work",
        arguments: [
            ["sequence", "a.y4m", "-o", "b.txt"], ["sequence", "a.y4m", "-o", "b.mp4", "--view", "mask"],
            ["sequence", "a.y4m", "-o", "b.mp4", "--metric"],
            ["sequence", "a.y4m", "-o", "b.mp4", "--filter", "blur"],
            ["sequence", "a.y4m", "-o", "b.mp4", "--start", "2", "--end", "1"],
            ["sequence", "-", "-o", "-", "--color-format", "rgb24"],
            ["sequence", "-", "-o", "b.webp", "--codec", "h264"],
            ["follow", "a.mp4", "-o", "t.csv"], ["follow", "a.mp4", "--box", "0,0,2,1", "-o", "t.csv"],
            ["follow", "a.mp4", "--point", "0.5", "-o", "t.csv"],
            ["follow", "a.mp4", "--point", "0.5,0.5", "-o", "t.txt"],
        ])
    func usage(arguments: [String]) throws { #expect(try Tool.run(arguments).status == 64) }

    @Test("What is not a sequence is one line, and leaves nothing")
    func foreign() throws {
        let folder = try TemporaryFolder()
        try folder.write("hello".utf8, to: "a.txt")
        for input in ["a.txt", "missing.mp4", "."] {
            let run = try Tool.run(["sequence", input, "-o", "b.y4m"], folder: folder.path)
            #expect(run.status == 1)
            #expect(run.messages.split(separator: "\n").count == 1, "\(run.messages)")
        }
        #expect(folder.contents == ["a.txt"])
    }

    private static let hasFFmpeg = (try? Tool.shell("ffmpeg -version && ffprobe -version", []).status) == 0

    @Test(
        "ffmpeg reads and writes what goes through a pipe, and ffprobe opens the movies",
        .enabled(if: hasFFmpeg, "ffmpeg is not installed"))
    func ffmpeg() throws {
        let folder = try folder()
        let run = try Tool.shell(
            """
            set -e
            ffmpeg -v error -f lavfi -i testsrc=size=160x120:rate=25:duration=1 -pix_fmt yuv420p -f yuv4mpegpipe - |
                "$0" sequence - --view color -o - | ffmpeg -v error -f yuv4mpegpipe -i - -f framemd5 - | grep -vc '^#'
            "$0" sequence scene.raw "$@" -o depth.mkv --metric
            "$0" sequence scene.raw "$@" -o a.mp4 --view color
            for movie in depth.mkv a.mp4; do
                ffprobe -v error -count_frames -show_entries stream=codec_name,pix_fmt,nb_read_frames -of csv $movie
            done
            ffmpeg -v error -i depth.mkv -f rawvideo -pix_fmt gray16le - | cmp - depth.raw
            """, Scene.flags, folder: folder.path)
        #expect(run.status == 0, "\(run.messages)")
        #expect(run.text == "25\nstream,ffv1,gray16le,12\nstream,h264,yuv420p,12\n")
    }
}
