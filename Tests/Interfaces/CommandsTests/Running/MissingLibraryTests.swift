import Foundation
import TestSupport
import Testing

/// Codecs are loaded when an image needs them.
@Suite("Missing libraries")
struct MissingLibraryTests {
    private let folder = TemporaryFolder()

    /// Runs the tool where these libraries are empty files, which cannot be loaded.
    private func run(_ arguments: [String], without libraries: [String]) throws -> Tool.Run {
        let folder = TemporaryFolder()
        for name in libraries { try Data().write(to: URL(fileURLWithPath: folder.file(name))) }
        return try Tool.shell(
            #"LD_LIBRARY_PATH="$1"; export LD_LIBRARY_PATH; shift; exec "$0" "$@""#, [folder.path] + arguments
        )
    }

    @Test(
        "are named, with the format that needs them",
        arguments: [
            ("portrait.heic", "d.png", "HEVC", "libde265"), ("depth.jxl", "d.png", "JPEG XL", "libjxl"),
            ("portrait.jpg", "d.tiff", "TIFF", "libtiff"), ("portrait.jpg", "d.exr", "OpenEXR", "OpenEXR"),
        ])
    func missing(photo: String, output: String, format: String, name: String) throws {
        // Its name depends on the release of Debian or Ubuntu.
        let record = try #require(try Tool.run("info --formats --json").objects().first)
        let library = try #require(
            record.objects("libraries").first { $0.text("name") == name }?.text("file"))
        let run = try run(
            ["extract", TestImages.path(photo), "-o", folder.file(output)], without: [library])
        #expect(run.status == 1)
        #expect(
            run.messages.contains(": \(format) without its library (\(library)")
                && run.messages.contains(" cannot be loaded; install \(name)) is not supported"),
            "\(run.messages)")
        #expect(folder.contents == [])
    }

    /// The start of a database, a Zstandard frame, and a bag of ROS 1 with a chunk packed by bzip2.
    private static let bags: [(bytes: [UInt8], file: String, package: String)] = [
        (Array("SQLite format 3\0".utf8), "libsqlite3.so.0", "libsqlite3-0"),
        ([0x28, 0xB5, 0x2F, 0xFD] + [UInt8](repeating: 0, count: 12), "libzstd.so.1", "libzstd1"),
        (
            Array("#ROSBAG V2.0\n".utf8) + [40, 0, 0, 0, 4, 0, 0, 0] + Array("op=".utf8) + [5, 15, 0, 0, 0]
                + Array("compression=bz2".utf8) + [9, 0, 0, 0] + Array("size=".utf8) + [8, 0, 0, 0]
                + [4, 0, 0, 0, 1, 2, 3, 4],
            "libbz2.so.1.0", "libbz2-1.0"
        ),
    ]

    @Test("are named for bags", arguments: bags)
    func bag(bytes: [UInt8], library: String, package: String) throws {
        let run = try run(["info", try folder.write(bytes, to: "a.bag")], without: [library])
        #expect(run.status == 1)
        #expect(
            run.messages.contains("without its library (\(library) cannot be loaded; install \(package))"),
            "\(run.messages)")
    }

    /// Writes empty files under the names of FFmpeg's libavutil.
    private static func hideFFmpeg(in folder: String) throws {
        for version in 56...62 {
            try Data().write(to: URL(fileURLWithPath: "\(folder)/libavutil.so.\(version)"))
        }
    }

    /// A movie with any content.
    private static let movie = [0, 0, 0, 24] + Array("ftypmp42".utf8) + [UInt8](repeating: 0, count: 12)

    @Test(
        "are named for movies, whatever they are for",
        arguments: [
            ["info", "a.mp4"], ["extract", "a.mp4", "--plane", "photo", "-o", "o.y4m"],
            ["extract", "s.raw", "-o", "o.mp4"], ["extract", "s.raw", "-o", "o.mp4", "--isolate"],
            ["composite", "s.raw", "--far", "3", "--background", "a.mp4", "-o", "o.y4m"],
            ["follow", "s.raw", "--box", "0.2,0.2,0.5,0.5", "-o", "o.csv", "--movie", "o.mp4"],
            ["follow", "a.mp4", "--box", "0.2,0.2,0.5,0.5", "-o", "o.csv"],
            ["animate", TestImages.path("portrait.jpg"), "--size", "64", "--seconds", "0.1", "-o", "o.mp4"],
            ["view", "a.mp4", "-o", "o.html"],
        ])
    func movies(arguments: [String]) throws {
        try folder.write(Self.movie, to: "a.mp4")
        try folder.write(SquareScene.interleaved, to: "s.raw")
        let flags = arguments.contains("s.raw") ? SquareScene.flags : []
        try Self.hideFFmpeg(in: folder.path)
        let run = try Tool.shell(
            #"cd "$1"; shift; LD_LIBRARY_PATH="$PWD"; export LD_LIBRARY_PATH; exec "$0" "$@""#,
            [folder.path] + arguments + flags)
        #expect(run.status == 1)
        let lines = run.messages.split(separator: "\n").filter { $0.contains("FFmpeg 5 to 9") }
        #expect(lines.count == 1, "\(run.messages)")
        #expect(lines.first?.contains("'apt install ffmpeg'") ?? false)
        #expect(!run.messages.contains("no frame"))
        #expect(!folder.contents.contains { $0.hasPrefix("o.") })
    }

    @Test("are named for the movie of a recording, once, and depth needs none")
    func movieOfRecording() throws {
        try folder.folder("depth")
        var lines = "timestamp, frame, x, y, z, qx, qy, qz, qw\n"
        for index in 0..<8 {
            try FileManager.default.copyItem(
                atPath: TestImages.path("pair_depth.png"), toPath: folder.file("depth/00000\(index).png"))
            lines += "\(Double(index) / 60), 00000\(index), 0, 0, 0, 0, 0, 0, 1\n"
        }
        try folder.write(lines.utf8, to: "odometry.csv")
        try folder.write(text: "1440, 0, 960\n0, 1440, 720\n0, 0, 1\n", to: "camera_matrix.csv")
        // 60 frames a second, as the app's clock has them.
        try folder.run(
            "extract - --plane photo -o rgb.mp4 \(SquareScene.flags) --frame-rate 60",
            input: SquareScene.interleaved)
        try folder.folder("lib")
        try Self.hideFFmpeg(in: folder.file("lib"))
        let run = try Tool.shell(
            """
            "$0" extract . --plane photo -o color.y4m 2>/dev/null; echo $?
            LD_LIBRARY_PATH="$PWD/lib"; export LD_LIBRARY_PATH
            "$0" extract . --plane photo -o o.y4m; echo $?
            "$0" extract . -o depth.y4m 2>/dev/null; echo $?
            """, [], folder: folder.path)
        #expect(run.text == "0\n1\n0\n", "\(run.messages)")
        let reasons = run.messages.split(separator: "\n").filter { $0.contains("movies need the libraries") }
        #expect(reasons.count == 1, "\(run.messages)")
        #expect(folder.contents.contains("color.y4m") && !folder.contents.contains("o.y4m"))
    }

    @Test("do not keep other images from being read")
    func others() throws {
        let libraries = ["libde265.so.0", "libtiff.so.6", "libOpenEXRCore-3_1.so.30"]
        let list = try run(["info", TestImages.path("portrait.heic")], without: libraries)
        #expect(list.status == 0 && list.text.contains("disparity"))
        let output = folder.file("d.png")
        let extracted = try run(
            ["extract", TestImages.path("portrait.jpg"), "-o", output], without: libraries)
        #expect(extracted.status == 0, "\(extracted.messages)")
    }
}
