import DepthTypes
import Embedded
import Foundation
import MovieWriting
import RecordingWriting
import TestSupport
import Testing

@testable import Recordings

/// The second table of layouts of recordings in the article Formats.
@Suite("Table of layouts")
struct LayoutTableTests {
    private let folder = TemporaryFolder()
    private static let article: String? = {
        let path = repositoryRoot + "/Sources/Interfaces/Isobath/Documentation.docc/Formats.md"
        return try? String(contentsOfFile: path, encoding: .utf8)
    }()

    /// The row of a recording: what it states, in the words of the table.
    private func row(_ path: String) throws -> String {
        let record = try Recording(contentsOf: path).record(path: path)
        let (depth, camera, poses) = (record["depth"], record["camera"], record["poses"])
        var unit = "none"
        if let accuracy = depth?["accuracy"]?.text {
            let scale = depth?["scale"]?.double.map {
                $0 == 1 ? "meters" : "\($0.formatted(.number)) a meter"
            }
            let evidence = accuracy == "unknown" ? ", assumed" : ", stated"
            unit = depth?["unit"]?.text == nil ? "no unit" : (scale ?? "meters") + evidence
        }
        let source = camera?["source"]?.text.map { $0 == "file" ? "stated" : $0 } ?? "none"
        var isPerFrame = false
        if case .bool(true) = camera?["perFrame"] { isPerFrame = true }
        let cells = [
            "`\(try #require(record["layout"]?.text))`", unit, source + (isPerFrame ? ", of each frame" : ""),
            yes(poses), yes(record["mattes"]),
            yes(record["color"]), yes(record["seconds"]),
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }

    private func yes(_ value: JSONValue?) -> String {
        if case .null = value { "no" } else { "yes" }
    }

    private func check(_ path: String) throws {
        let row = try row(path)
        let article = try #require(Self.article)
        #expect(article.contains(row + "\n"), "\(row)")
    }

    @Test(
        "Recordings that are written here have the row of their layout",
        arguments: RecordingWriter.layouts + [.replica])
    func written(layout: RecordingLayout) throws {
        try check(RecordingWriter().write(layout, into: folder))
    }

    private static let bag: BagWriter = {
        let size = PixelSize(width: 6, height: 4)
        let images = (0..<2).flatMap { index in
            [
                ("/camera/aligned_depth_to_color/image_raw", "16UC1", 2),
                ("/camera/color/image_raw", "rgb8", 3),
            ].map {
                RecordedMessage.image(
                    $0.0, $0.1, size, [UInt8](repeating: 4, count: 24 * $0.2), time: Double(100 + index),
                    frame: "color", at: Double(200 + index))
            }
        }
        return BagWriter([.camera("/camera/color/camera_info", 5, size, frame: "color")] + images)
    }()

    @Test("Bags that are written here have the row of their layout")
    func bags() throws {
        try check(folder.write(Self.bag.rosBag(), to: "a.bag"))
        try check(folder.write(Self.bag.mcap(), to: "a.mcap"))
        guard SystemLibrary.areAvailable else { return }
        try check(folder.write(Self.bag.database(), to: "a.db3"))
    }

    @Test(
        "Other recordings have the row of their layout", .needsRecordings,
        arguments: [
            "constructed/record3d-5frames.r3d", "tartanair", "realsense-depth16-seq", "arkit-depth-png",
            "realsense-bag/single_depth_color_640x480.bag",
        ])
    func real(name: String) throws { try check(SampleFolder.recordings.path(name)) }

    @Test(
        "Movies have the row of their layout", .needsRecordings,
        .needsFFmpeg,
        arguments: ["record3d-mp4/sample5.mp4", "azure-kinect/recording.mkv"])
    func movies(name: String) throws { try check(SampleFolder.recordings.path(name)) }
}
