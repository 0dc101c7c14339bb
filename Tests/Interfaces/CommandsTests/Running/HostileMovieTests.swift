import Foundation
import TestSupport
import Testing

/// Movies that name other files open neither files nor sockets.
@Suite("Movies that name other files")
struct HostileMovieTests {
    /// A movie that others name, made by the tool.
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let made = try Tool.run(
            ["extract", "-", "--plane", "photo", "-o", "real.mkv", "--codec", "ffv1"] + SquareScene.flags,
            input: SquareScene.interleaved, folder: folder.path)
        #expect(made.status == 0, "\(made.messages)")
        return folder
    }

    /// Runs the tool, and returns its system calls that open something or concern the network.
    private func trace(
        _ arguments: [String], in folder: TemporaryFolder
    ) throws -> (run: Tool.Run, calls: [Substring]) {
        let log = try TemporaryFolder()
        let run = try Tool.shell(
            #"log="$1"; shift; exec \#(SystemTools.strace) -f -qq -e trace=network,open,openat,openat2,creat -o "$log" "$0" "$@""#,
            [log.file("trace")] + arguments, folder: folder.path)
        return (run, try String(contentsOfFile: log.file("trace"), encoding: .utf8).split(separator: "\n"))
    }

    private static let texts = [
        "ffconcat version 1.0\nfile real.mkv\n",
        """
        v=0
        o=- 0 0 IN IP4 127.0.0.1
        s=x
        c=IN IP4 127.0.0.1
        t=0 0
        m=video 45017 RTP/AVP 96
        a=rtpmap:96 H264/90000

        """,
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nreal.mkv\n#EXT-X-ENDLIST\n",
    ]

    @Test(
        "A list of files, a description of a session and a playlist are one error",
        .enabled(if: SystemTools.canInject, "needs strace"), arguments: texts, [[], ["--isolate"]])
    func lists(text: String, flags: [String]) throws {
        let folder = try folder()
        // As a movie, as a background, and as the color of a recording.
        try folder.write(text.utf8, to: "a.mp4")
        for arguments in [
            ["extract", "a.mp4", "--plane", "photo", "-o", "out.y4m"],
            ["composite", "real.mkv", "--background", "a.mp4", "-o", "out.y4m"],
            ["info", "a.mp4"],
        ] {
            let (run, calls) = try trace(arguments + flags, in: folder)
            #expect(run.status == 1, "\(run.messages)")
            #expect(
                !calls.contains { $0.contains("socket(") || $0.contains("connect(") || $0.contains("bind(") })
            if !arguments.contains("real.mkv") { #expect(!calls.contains { $0.contains("real.mkv") }) }
        }
        #expect(folder.contents == ["a.mp4", "real.mkv"])
    }

    @Test(
        "Attacks open nothing else",
        .enabled(if: AttackSamples.isAvailable, "ISOBATH_ATTACKS names no folder"),
        .enabled(if: SystemTools.canInject, "needs strace"),
        arguments: [
            ("F1-ffconcat", "cat.mp4", "real.mp4"), ("F1-ffconcat", "a5.mp4", "sub/real.mp4"),
            ("F1-ffconcat", "snd.r3d", "priv.m4a"), ("F1-ffconcat", "serve/rec2", "secretcwd.mp4"),
            ("F2-sdp", "sdp.mp4", ""), ("F2-sdp", "sdp.r3d", ""), ("F3-sound", "garb.r3d", ""),
        ])
    func attacks(name: String, input: String, other: String) throws {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: AttackSamples.path(name), toPath: folder.file("attack"))
        let (run, calls) = try trace(
            ["extract", "attack/\(input)", "--plane", "photo", "-o", "out.mp4"], in: folder)
        #expect(run.status == 1, "\(run.messages)")
        #expect(!calls.contains { $0.contains("socket(") || $0.contains("connect(") || $0.contains("bind(") })
        if !other.isEmpty { #expect(!calls.contains { $0.contains(other) }) }
        // Recordings whose sound cannot be read keep their pictures.
        #expect(folder.contents == (input.hasSuffix(".r3d") ? ["attack", "out.mp4"] : ["attack"]))
        if input.hasSuffix(".r3d") { #expect(run.messages.contains("it has no sound: this is not a movie")) }
    }

    @Test("Rates and times that no camera has end no process", arguments: ["inf.y4m", "den.y4m", "big.y4m"])
    func rates(name: String) throws {
        let rates = ["inf.y4m": "inf:1", "den.y4m": "30:1e-300", "big.y4m": "1e19:1"]
        let folder = try TemporaryFolder()
        let header = Array("YUV4MPEG2 W2 H2 F\(rates[name] ?? "") C420jpeg\nFRAME\n".utf8)
        try folder.write(header + [1, 2, 3, 4, 5, 6], to: name)
        let run = try Tool.run(["extract", name, "--plane", "photo", "-o", "out.y4m"], folder: folder.path)
        #expect(run.status == 1 && run.messages.contains("frames a second"), "\(run.messages)")
        try folder.write(
            Array("YUV4MPEG2 W2 H2 C420jpeg\nFRAME\n".utf8) + [1, 2, 3, 4, 5, 6], to: "none.y4m")
        for rate in ["1e308", "1e-308", "0", "-1"] {
            let given = try Tool.run(
                ["extract", "none.y4m", "--frame-rate", rate, "--plane", "photo", "-o", "out.y4m"],
                folder: folder.path)
            #expect(given.status == 64 && given.messages.contains("--frame-rate"), "\(given.messages)")
        }
    }

    @Test(
        "Times of attacks end no process",
        .enabled(if: AttackSamples.isAvailable, "ISOBATH_ATTACKS names no folder"),
        arguments: ["ts-tiny.r3d", "ts-huge.r3d"], [[], ["--real-time"]])
    func times(name: String, flags: [String]) throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(
            ["extract", AttackSamples.path("F7-y4m-rate/\(name)"), "--plane", "photo", "-o", "out.y4m"]
                + flags,
            folder: folder.path)
        // Frames that come too late are dropped in real time, which depends on what else the machine does.
        #expect(
            run.status == 0 && run.messages.contains(#/[1-5] frames?(, [1-4] dropped)? → out\.y4m/#),
            "\(run.messages)")
    }

    @Test(
        "A background without a frame that can be decoded is one error of the background",
        .enabled(if: AttackSamples.isAvailable, "ISOBATH_ATTACKS names no folder"),
        arguments: [
            "mv-1-1027.gif", "mv-1-1037.webm", "mv-1-1074.webm", "mv-1-112.gif", "mv-1-385.mp4",
            "mv-1-699.mkv",
            "mv-1-975.png",
        ])
    func background(name: String) throws {
        let folder = try TemporaryFolder()
        let path = AttackSamples.path("F15-background/\(name)")
        let run = try Tool.run(
            ["composite", "-", "--far", "3", "--background", path, "-o", "out.y4m"]
                + SquareScene.flags, input: SquareScene.interleaved, folder: folder.path)
        #expect(run.status == 1, "\(run.messages)")
        let reason =
            name.hasSuffix(".png")
            ? "damaged image data: IDAT: invalid code lengths set (PNG)" : "no frame of it can be decoded"
        #expect(run.messages == "isobath: \(path): error: \(reason)\n")
        #expect(folder.contents == [])
    }

    @Test("A named pipe is not a background, and waits for nobody", .timeLimit(.minutes(1)))
    func pipe() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.shell(
            #"mkfifo pipe; "$0" composite - --far 3 --background pipe -o out.y4m "$@" </dev/null"#,
            SquareScene.flags, folder: folder.path)
        #expect(run.status == 1)
        #expect(
            run.messages.hasPrefix("isobath: pipe: error: a background repeats after its end"),
            "\(run.messages)")
    }
}
