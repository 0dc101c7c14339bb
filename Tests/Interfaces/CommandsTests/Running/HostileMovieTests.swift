import Foundation
import TestSupport
import Testing

/// Movies that name other files open neither files nor sockets.
@Suite("Movies that name other files")
struct HostileMovieTests {
    @Test("Rates and times that no camera has end no process", arguments: ["inf.y4m", "den.y4m", "big.y4m"])
    func rates(name: String) throws {
        let rates = ["inf.y4m": "inf:1", "den.y4m": "30:1e-300", "big.y4m": "1e19:1"]
        let folder = TemporaryFolder()
        let header = Array("YUV4MPEG2 W2 H2 F\(rates[name] ?? "") C420jpeg\nFRAME\n".utf8)
        try folder.write(header + [1, 2, 3, 4, 5, 6], to: name)
        try folder.run(
            "extract \(name) --plane photo -o out.y4m", status: 1, says: "frames a second")
        try folder.write(
            Array("YUV4MPEG2 W2 H2 C420jpeg\nFRAME\n".utf8) + [1, 2, 3, 4, 5, 6], to: "none.y4m")
        for rate in ["1e308", "1e-308", "0", "-1"] {
            try folder.run(
                "extract none.y4m --frame-rate \(rate) --plane photo -o out.y4m", status: 64,
                says: "--frame-rate")
        }
    }

    @Test(
        "Times of attacks end no process",
        .needsAttacks,
        arguments: ["ts-tiny.r3d", "ts-huge.r3d"], [[], ["--real-time"]])
    func times(name: String, flags: [String]) throws {
        let folder = TemporaryFolder()
        let run = try Tool.run(
            [
                "extract", SampleFolder.attacks.path("F7-y4m-rate/\(name)"), "--plane", "photo", "-o",
                "out.y4m",
            ]
                + flags,
            folder: folder.path)
        // Frames that come too late are dropped in real time, which depends on what else the machine does.
        #expect(
            run.status == 0 && run.messages.contains(#/[1-5] frames?(, [1-4] dropped)? → out\.y4m/#),
            "\(run.messages)")
    }

    @Test(
        "A background without a frame that can be decoded is one error of the background",
        .needsAttacks,
        arguments: [
            "mv-1-1027.gif", "mv-1-1037.webm", "mv-1-1074.webm", "mv-1-112.gif", "mv-1-385.mp4",
            "mv-1-699.mkv",
            "mv-1-975.png",
        ])
    func background(name: String) throws {
        let folder = TemporaryFolder()
        let path = SampleFolder.attacks.path("F15-background/\(name)")
        let run = try folder.run(
            "composite - --far 3 --background \(path) -o out.y4m \(SquareScene.flags)",
            input: SquareScene.interleaved, status: 1)
        let reason =
            name.hasSuffix(".png")
            ? "damaged image data: IDAT: invalid code lengths set (PNG)" : "no frame of it can be decoded"
        #expect(run.messages == "isobath: \(path): error: \(reason)\n")
        #expect(folder.contents == [])
    }

    @Test("A named pipe is not a background, and waits for nobody", .timeLimit(.minutes(1)))
    func pipe() throws {
        let folder = TemporaryFolder()
        let run = try Tool.shell(
            #"mkfifo pipe; "$0" composite - --far 3 --background pipe -o out.y4m "$@" </dev/null"#,
            SquareScene.flags, folder: folder.path)
        #expect(run.status == 1)
        #expect(
            run.messages.hasPrefix("isobath: pipe: error: a background repeats after its end"),
            "\(run.messages)")
    }
}
