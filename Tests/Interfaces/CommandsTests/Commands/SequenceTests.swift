import Foundation
import TestSupport
import Testing

@Suite("Sequences")
struct SequenceTests {
    private let folder = TemporaryFolder()

    init() throws {
        try folder.write(SquareScene.interleaved, to: "scene.raw")
        try folder.write(SquareScene.depths, to: "depth.raw")
    }

    @Test("A pipe of color and depth becomes y4m on standard output", arguments: [[], ["--isolate"]])
    func pipe(flags: [String]) throws {
        let run = try Tool.run("extract - -o - \(SquareScene.flags) \(flags)", input: SquareScene.interleaved)
        let header = "YUV4MPEG2 W160 H120 F30:1 Ip A1:1 C420jpeg XYSCSS=420JPEG XCOLORRANGE=LIMITED\n"
        #expect(run.output.starts(with: header.utf8))
        #expect(run.output.count == header.utf8.count + SquareScene.count * (6 + 160 * 120 * 3 / 2))
        #expect(run.messages.contains("12 frames"))
    }

    @Test("Distances go through as they came")
    func metric() throws {
        let run = try Tool.run(
            "extract - -o - --format gray16le \(SquareScene.flags)", input: SquareScene.interleaved)
        #expect(run.output == SquareScene.depths)
    }

    @Test("Depth comes from a descriptor of its own")
    func descriptor() throws {
        try folder.write(Data((0..<SquareScene.count).flatMap { SquareScene.color($0) }), to: "color.raw")
        let run = try Tool.shell(
            #""$0" extract - "$@" --raw-depth gray16le,160x120,3 -o - --format gray16le <color.raw 3<depth.raw"#,
            SquareScene.flags,
            folder: folder.path)
        #expect(run.status == 0, "\(run.messages)")
        #expect(run.output == SquareScene.depths)
    }

    @Test(
        "Numbered frames get their folders, have the numbers of their frames, and are never replaced unasked")
    func frames() throws {
        let arguments =
            ["convert", "scene.raw", "-o", "a/b/f-%03d.png", "--every", "5", "--to", "rgbd"]
            + SquareScene.flags
        try folder.run("\(arguments)")
        #expect(try folder.contents(of: "a/b") == ["f-000.png", "f-005.png", "f-010.png"])
        try folder.run("\(arguments)", status: 1, says: "--force")
    }

    @Test("An object is followed, with its distance, as CSV and as JSON lines")
    func follow() throws {
        try folder.run("follow scene.raw --point 0.375,0.5 -o t.csv \(SquareScene.flags)")
        let lines = try folder.text(of: "t.csv").split(separator: "\n")
        #expect(lines.first == "frame,time,x,y,width,height,distance,speed,confidence,state")
        #expect(lines.count == 13)
        let last = try #require(lines.last).split(separator: ",", omittingEmptySubsequences: false)
        let x = try #require(Double(last[2]))
        #expect(abs(x - Double(SquareScene.left(11))) < 3)
        #expect(last[6] == "2.0" && last[9] == "found")
        try folder.run("follow scene.raw --box 30px,30px,60px,60px -o t.jsonl \(SquareScene.flags)")
        let record = try #require(
            try JSONSerialization.jsonObject(
                with: Data(folder.bytes(of: "t.jsonl").split(separator: 0x0A)[11])) as? [String: Any])
        #expect(record["frame"] as? Int == 11)
        #expect(record["distance"] as? Double == 2)
    }

    private static let sound = """
        ffmpeg -v error -f lavfi -i testsrc=size=64x48:rate=20:duration=3 -f lavfi -i "aevalsrc=if(gt(t\\,1.5)\\,sin(880*PI*t)\\,0):d=3:s=16000" \
            -c:a CODEC -c:v libx264 -pix_fmt yuv420p -y
        """

    @Test(
        "Sound is kept, from the time on at which the frames begin",
        .needsFFmpegProgram,
        arguments: [
            ["extract", "a.mp4", "--plane", "photo", "-o", "b.mp4"],
            ["extract", "a.mp4", "--plane", "photo", "-o", "b.mkv", "--isolate"],
            ["extract", "a.mp4", "--plane", "photo", "-o", "b.mkv", "--codec", "ffv1", "--every", "2"],
            ["follow", "a.mp4", "--box", "0.2,0.2,0.5,0.5", "-o", "t.csv", "--movie", "b.mp4"],
        ])
    func sound(arguments: [String]) throws {
        let folder = TemporaryFolder()
        let output = try #require(arguments.first { $0.hasPrefix("b.") })
        // The tone begins 1.5 s after the first frame. In the part from 1 s on, it begins after 0.5 s, and 2 s of it
        // are left.
        let run = try Tool.shell(
            "set -e\n" + Self.sound.replacing("CODEC", with: "aac") + """
                 a.mp4
                "$0" "$@" --start 1 --end 2.5
                ffprobe -v error -select_streams a -show_entries stream=codec_name,duration -of csv=p=0 \(output)
                ffmpeg -v info -i \(output) -af silencedetect=noise=-30dB:d=0.2 -f null - 2>&1 | grep -o 'silence_end: [0-9.]*'
                ffprobe -v error -show_entries format=duration -of csv=p=0 \(output)
                """, arguments, folder: folder.path)
        #expect(run.status == 0, "\(run.messages)")
        let lines = run.text.split(separator: "\n").filter { !$0.contains(" frames") }
        #expect(lines[0].hasPrefix("aac"))
        let onset = try #require(lines.first { $0.hasPrefix("silence_end") }?.split(separator: " ").last)
        #expect(abs((Double(onset) ?? 0) - 0.5) < 0.07, "\(onset)")
        #expect(abs((Double(lines.last ?? "") ?? 0) - 1.5) < 0.1, "\(run.text)")
    }

    @Test(
        "Sound that a format does not take is left out, with a remark",
        .needsFFmpegProgram)
    func refusedSound() throws {
        let folder = TemporaryFolder()
        let run = try Tool.shell(
            "set -e\n" + Self.sound.replacing("CODEC", with: "pcm_s16le") + """
                 a.mkv
                "$0" extract a.mkv --plane photo -o b.mp4
                "$0" extract a.mkv --plane photo -o b.mkv
                for movie in b.mp4 b.mkv; do
                    ffprobe -v error -show_entries stream=codec_name -of csv=p=0 $movie
                done
                """, [], folder: folder.path)
        #expect(run.status == 0, "\(run.messages)")
        #expect(run.text == "h264\nh264\npcm_s16le\n")
        #expect(run.messages.contains("b.mp4 cannot hold sound in pcm_s16le"))
    }

    @Test(
        "Where FFmpeg's libraries are missing, movies are one clear error, and nothing else fails",
        .needsFFmpegProgram)
    func withoutLibraries() throws {
        let run = try Tool.shell(
            """
            mkdir other
            for name in $(ldconfig -p | grep -o 'libavutil\\.so\\.[0-9]*' | sort -u); do : > other/$name; done
            printf '\\0\\0\\0\\030ftypmp42\\0\\0\\0\\0' > a.mp4
            export LD_LIBRARY_PATH=$PWD/other
            "$0" extract a.mp4 -o b.y4m; echo $?
            "$0" extract scene.raw "$@" -o c.mp4 2>/dev/null; echo $?
            "$0" extract scene.raw "$@" -o d.y4m 2>/dev/null; echo $?
            """, SquareScene.flags, folder: folder.path)
        #expect(run.text == "1\n1\n0\n")
        #expect(run.messages.split(separator: "\n").count == 1)
        #expect(run.messages.contains("movies need the libraries of FFmpeg 5 to 9"))
        #expect(!folder.contents.contains("b.y4m") && !folder.contents.contains("c.mp4"))
    }

    @Test(
        "Ctrl-C and SIGTERM close the output, also where the isolating process alone gets them, and are said",
        arguments: ["INT", "TERM"], [[], ["--isolate"], ["--quiet"]])
    func interrupt(signal: String, flags: [String]) throws {
        let run = try Tool.shell(
            """
            mkfifo live
            (cat scene.raw; sleep 20) > live & writer=$!
            "$0" extract live "$@" -o out.y4m & tool=$!
            sleep 1.5; kill -\(signal) $tool; wait $tool; status=$?
            kill $writer; exit $status
            """, SquareScene.flags + flags, folder: folder.path)
        #expect(run.status == (signal == "INT" ? 130 : 143), "\(run.messages)")
        #expect(run.messages.contains("isobath: live: error: stopped after 12 frames\n"), "\(run.messages)")
        let header = "YUV4MPEG2 W160 H120 F30:1 Ip A1:1 C420jpeg XYSCSS=420JPEG XCOLORRANGE=LIMITED\n".utf8
            .count
        #expect(try folder.bytes(of: "out.y4m").count == header + SquareScene.count * (6 + 160 * 120 * 3 / 2))
    }

    @Test("What was stopped before the first frame leaves no file", .timeLimit(.minutes(1)))
    func interruptedBeforeStart() throws {
        let folder = TemporaryFolder()
        let run = try Tool.shell(
            """
            mkfifo live
            "$0" extract live "$@" -o out.y4m & tool=$!
            sleep 1.5; kill -TERM $tool; wait $tool
            """, SquareScene.flags, folder: folder.path)
        #expect(run.status == 143, "\(run.messages)")
        #expect(run.messages.contains("stopped before the first frame"), "\(run.messages)")
        #expect(folder.contents == ["live"])
    }

    @Test(
        "A camera that gives color and depth in two pipes is used as it plays",
        arguments: [
            ["composite", "color", "--far", "3", "--background", "black", "--real-time", "-o", "out.y4m"],
            ["follow", "color", "--box", "0.1875,0.25,0.375,0.5", "--real-time", "-o", "out.csv"],
        ])
    func twoPipes(arguments: [String]) throws {
        let size = SquareScene.size
        let run = try Tool.shell(
            """
            mkfifo color depth
            part() { dd if=scene.raw iflag=skip_bytes,count_bytes skip=$1 count=$2 bs=96000 2>/dev/null; }
            play() { for index in $(seq 0 11); do part $((index * 96000 + $1)) $2; sleep 0.1; done; }
            play 0 57600 > color & play 57600 38400 > depth &
            "$0" "$@" --raw rgb24,\(size) --raw-depth gray16le,\(size),depth --scale 1000 --frame-rate 10
            """, arguments, folder: folder.path)
        #expect(run.status == 0, "\(run.messages)")
        if arguments[0] == "composite" {
            // The square's middle is kept, and the wall is black.
            let y4m = try folder.bytes(of: "out.y4m")
            let start = try #require(y4m.firstIndex(of: 10)) + 7
            let (middle, wall) = (start + 60 * 160 + 60, start + 10 * 160 + 10)
            #expect(y4m[middle] > 40 && y4m[wall] < 20)
        } else {
            let text = try folder.text(of: "out.csv")
            let found = text.split(separator: "\n").filter { $0.contains(",found") }
            #expect(found.count > 3, "\(text)")
            #expect(found.allSatisfy { $0.contains(",2,") || $0.contains(",2.0") }, "\(text)")
        }
    }

    @Test(
        "Of a movie that is stopped, the number of its frames is said",
        arguments: [
            ["extract", "a.y4m", "--plane", "photo", "--real-time", "-o", "b.y4m"],
            ["extract", "a.apng", "--plane", "photo", "--real-time", "-o", "b.mkv"],
        ])
    func stopped(arguments: [String]) throws {
        let run = try Tool.shell(
            """
            for name in a.y4m a.apng; do
                "$0" extract scene.raw --plane photo -o $name \(SquareScene.flags.joined(separator: " ")) --frame-rate 1 2>/dev/null
            done
            "$0" "$@" & tool=$!
            sleep 3.5; kill -INT $tool; wait $tool
            """, arguments, folder: folder.path)
        #expect(run.status == 130, "\(run.messages)")
        #expect(run.messages.contains(": stopped after "), "\(run.messages)")
        if arguments.contains("a.apng") {
            #expect(run.messages.contains(" of 12 frames\n"), "\(run.messages)")
        }
        #expect(!run.messages.contains("cut off"))
    }

    @Test(
        "Depth that ends before the color, and color that ends before the depth, are said",
        arguments: [5, 20])
    func unequal(depths: Int) throws {
        try folder.write(Data((0..<SquareScene.count).flatMap { SquareScene.color($0) }), to: "color.raw")
        let one = SquareScene.depths.prefix(160 * 120 * 2)
        try folder.write((0..<depths).reduce(into: Data()) { bytes, _ in bytes += one }, to: "depths.raw")
        let run = try folder.run(
            """
            extract color.raw -o out.y4m --quiet \(SquareScene.flags) --raw-depth
            gray16le,160x120,depths.raw
            """, status: 1)
        let message =
            depths < 12
            ? "the depth ends after 5 frames, before the color"
            : "the color ends after 12 frames, before the depth"
        #expect(run.messages.contains("isobath: color.raw: error: \(message)\n"), "\(run.messages)")
        #expect(folder.contents.contains("out.y4m"))
    }

    @Test("A stream that is cut off gives the frames before the cut, and a warning")
    func cutOff() throws {
        let run = try Tool.run(
            "extract - -o - --format gray16le \(SquareScene.flags)",
            input: SquareScene.interleaved.prefix(SquareScene.interleaved.count * 3 / 4 + 100), status: 1,
            says: "ends in the middle of frame 9")
        #expect(run.output == SquareScene.depths.prefix(9 * 160 * 120 * 2))
    }

    @Test("A single photo, and bytes without a header, are told from sequences")
    func noSequence() throws {
        let folder = TemporaryFolder()
        try folder.run("extract {portrait.jpg} -o a.mp4", status: 1, says: "this is one picture, and")
        try folder.run(
            "extract - -o a.y4m", input: Data(repeating: 7, count: 100_000), status: 1,
            says: "this is not a y4m stream")
        #expect(folder.contents.isEmpty)
    }

    @Test(
        "ffmpeg reads and writes what goes through a pipe, and ffprobe opens the movies",
        .needsFFmpegProgram)
    func ffmpeg() throws {
        let run = try Tool.shell(
            """
            set -e
            ffmpeg -v error -f lavfi -i testsrc=size=160x120:rate=25:duration=1 -pix_fmt yuv420p -f yuv4mpegpipe - |
                "$0" extract - --plane photo -o - | ffmpeg -v error -f yuv4mpegpipe -i - -f framemd5 - | grep -vc '^#'
            "$0" extract scene.raw "$@" -o depth.mkv --values millimeters
            "$0" extract scene.raw "$@" -o a.mp4 --plane photo
            for movie in depth.mkv a.mp4; do
                ffprobe -v error -count_frames -show_entries stream=codec_name,pix_fmt,nb_read_frames -of csv $movie
            done
            ffmpeg -v error -i depth.mkv -f rawvideo -pix_fmt gray16le - | cmp - depth.raw
            """, SquareScene.flags, folder: folder.path)
        #expect(run.status == 0, "\(run.messages)")
        #expect(run.text == "25\nstream,ffv1,gray16le,12\nstream,h264,yuv420p,12\n")
    }

    @Test(
        "A given focal length replaces the one of a movie with depth",
        .needsFFmpegProgram)
    func focal() throws {
        let folder = TemporaryFolder()
        try SquareScene.writeHueMovie(into: folder)
        let info = try folder.run("info hues.mkv --camera 77 --json")
        #expect(
            info.text.contains("\"fx\": 77") && info.text.contains("\"source\": \"given\""), "\(info.text)")
    }
}
