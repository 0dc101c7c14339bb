import ByteParsing
import DepthCore
import Foundation
import Fusion
import Movies
import PointClouds
import RecordingWriting
import Recordings
import Sequences
import TestSupport
import Testing

@Suite("Fusion of recordings whose color is in a movie")
struct MovieLossTests {
    private static let hasPrograms = (try? Tool.shell("ffprobe -version", []).status) == 0

    /// Pictures of one gray at 60 a second, each a frame of FFV1 by itself; the packet of picture `damaged` is overwritten.
    private static func writeMovie(to path: String, count: Int, damaged: Int?) throws {
        try Data().write(to: URL(filePath: path))
        let file = try FileHandle(forUpdating: URL(filePath: path))
        defer { try? file.close() }
        let sink = MovieSink(descriptor: file.fileDescriptor, format: .mkv, codec: .ffv1, rate: 60)
        for index in 0..<count {
            var frame = RenderedFrame()
            frame.picture = FramePlane(
                width: 64, height: 48,
                samples: (0..<64 * 48).map { pixel in
                    // What differs from pixel to pixel makes packets long enough to be found again.
                    let gray = UInt8(200 + pixel % 3)
                    return RGB(red: gray, green: gray, blue: gray)
                })
            frame.time = Double(index) / 60
            try sink.write(&frame)
        }
        try sink.finish()
        guard let damaged else { return }
        let run = try Tool.shell(
            "ffprobe -v error -select_streams v -show_entries packet=pos,size -of csv=p=0 \"$1\"", [path])
        let packets = run.text.split(separator: "\n").map { $0.split(separator: ",").compactMap { Int($0) } }
        let packet = try #require(packets.count == count ? packets[damaged] : nil)
        // `pos` is where the block begins: its header of at most 16 bytes stays.
        let (size, position) = (packet[0], packet[1])
        try file.seek(toOffset: UInt64(position + 16))
        try file.write(contentsOf: [UInt8](repeating: 0xFF, count: size - 16))
    }

    private static func fused(damaged: Int?) throws -> (fused: FusedRecording, gray: Int, colored: Int) {
        let folder = try TemporaryFolder()
        let writer = RecordingWriter()
        let path = try writer.write(.strayScanner, into: folder)
        try writeMovie(to: folder.file("rgb.mp4"), count: writer.count, damaged: damaged)
        let fused = try Recording(contentsOf: path).fused(voxel: 0.05)
        let points = fused.points()
        let colored = points.colors.count { $0.red >= 196 && $0.red <= 206 && $0.green == $0.red }
        return (fused, points.colors.count - colored, colored)
    }

    @Test(
        "A picture that cannot be decoded costs its own colors, and is reported",
        .enabled(if: hasPrograms, "ffprobe is not installed"), arguments: [0, 2])
    func damage(frame: Int) throws {
        let good = try Self.fused(damaged: nil)
        #expect(good.gray == 0)
        let bad = try Self.fused(damaged: frame)
        #expect(bad.fused.pointCount == good.fused.pointCount)
        #expect(bad.fused.frameCount == 6 && bad.fused.damagedFrames.isEmpty)
        // The camera turns by 7° from frame to frame and sees 60°: nearly all that a frame sees is in the next one, too.
        #expect(bad.colored * 4 > good.colored * 3)
        #expect(
            bad.fused.diagnostics.contains {
                $0.message.hasPrefix("the picture of frame \(frame) cannot be decoded")
            })
        #expect(!good.fused.diagnostics.contains { $0.message.contains("cannot be decoded") })
    }
}
