import Bytes
import DepthTypes
import Foundation
import RecordingWriting
import Scenes
import TestSupport
import Testing

@testable import Recordings

@Suite("Poses in a separate file")
struct PoseFileTests {
    private let folder = TemporaryFolder()
    private static let writer = RecordingWriter()

    /// The rows of the poses of the recording, moved 5 m along x, so that they differ from the recording's own.
    private static var rows: [[Double]] {
        writer.poses().map { pose in
            let (r, d, f, p) = (pose.right, pose.down, pose.forward, pose.position + SIMD3(5, 0, 0))
            return [r.x, d.x, f.x, p.x, r.y, d.y, f.y, p.y, r.z, d.z, f.z, p.z]
        }
    }

    private static func line(_ numbers: [Double]) -> String {
        numbers.map { "\($0)" }.joined(separator: " ") + "\n"
    }

    private static func matrices(_ matrices: [[Double]], shape: String) -> [UInt8] {
        let samples = matrices.joined().flatMap { littleEndian(Int(truncatingIfNeeded: $0.bitPattern), 8) }
        return npy(samples, type: "<f8", shape: shape)
    }

    private static func content(_ form: String) -> [UInt8] {
        let last: [Double] = [0, 0, 0, 1]
        switch form {
        case "kitti": return Array(rows.map(line).joined().utf8)
        case "16": return Array(rows.map { line($0 + last) }.joined().utf8)
        case "4x4":
            return Array(
                rows.map { row in
                    let full = row + last
                    return (0..<4).map { line(Array(full[4 * $0..<4 * $0 + 4])) }.joined() + "\n"
                }.joined().utf8)
        case "npy": return matrices(rows.map { $0 + last }, shape: "6, 4, 4")
        case "npy3": return matrices(rows, shape: "6, 3, 4")
        case "json":
            // Axes as in OpenGL: the second and third columns are negated. Frames are in reverse.
            let frames = rows.enumerated().reversed().map { index, row in
                let m = row.enumerated().map { [1, 2].contains($0 % 4) ? -$1 : $1 } + last
                let matrix = (0..<4).map {
                    "[\(m[4 * $0]), \(m[4 * $0 + 1]), \(m[4 * $0 + 2]), \(m[4 * $0 + 3])]"
                }
                let name = "a/b/frame-\(String(format: "%06d", index)).color.png"
                return
                    "{\"file_path\": \"\(name)\", \"transform_matrix\": [\(matrix.joined(separator: ", "))]}"
            }
            return Array("{\"frames\": [\(frames.joined(separator: ", "))]}".utf8)
        default: return []
        }
    }

    @Test(
        "Each form replaces the poses of the recording, and this is said",
        arguments: ["kitti", "16", "4x4", "npy", "npy3", "json"])
    func forms(form: String) throws {
        let path = try Self.writer.write(.sevenScenes, into: folder)
        let file = TemporaryFolder()
        var reading = ReadingOptions()
        reading.posesPath = try file.write(Self.content(form), to: "poses")
        let recording = try Recording(contentsOf: path, reading: reading)
        #expect(recording.diagnostics.contains { $0.code == .replacedPoses })
        #expect(recording.convention == (form == "json" ? .cameraToWorldOpenGL : .cameraToWorldOpenCV))
        for (frame, row) in zip(recording.frames, Self.rows) {
            let pose = try #require(frame.pose)
            #expect(abs(pose.position.x - row[3]) < 1e-9)
            #expect(abs(pose.forward.x - row[2]) < 1e-9)
            #expect(abs(pose.down.y - row[5]) < 1e-9)
        }
    }

    @Test("An array of Float32 is poses, and one of integers is refused")
    func arrayTypes() throws {
        let path = try Self.writer.write(.sevenScenes, into: folder)
        let samples = Self.rows.joined().flatMap { littleEndian(Int(Float($0).bitPattern), 4) }
        let file = TemporaryFolder()
        var reading = ReadingOptions()
        reading.posesPath = try file.write(npy(samples, type: "<f4", shape: "6, 3, 4"), to: "poses.npy")
        let recording = try Recording(contentsOf: path, reading: reading)
        for (frame, row) in zip(recording.frames, Self.rows) {
            #expect(abs((frame.pose?.position.x ?? 0) - row[3]) < 1e-5)
        }
        _ = try file.write(npy(samples, type: "<i4", shape: "6, 3, 4"), to: "poses.npy")
        #expect(throws: ContainerError.self) { try Recording(contentsOf: path, reading: reading) }
    }

    @Test("Seven numbers a line are a position and a quaternion for each frame in order")
    func sevenNumbers() throws {
        let path = try Self.writer.write(.sevenScenes, into: folder)
        let half = 0.5.squareRoot()
        let text = (0..<6).map { "\($0) 2 3 0 0 \(half) \(half)\n" }.joined()
        let file = TemporaryFolder()
        var reading = ReadingOptions()
        reading.posesPath = try file.write(text: text, to: "poses.txt")
        let recording = try Recording(contentsOf: path, reading: reading)
        // A quarter turn about z: right is y.
        #expect(recording.frames.map { $0.pose?.position.x } == [0, 1, 2, 3, 4, 5])
        #expect(recording.frames.allSatisfy { abs(($0.pose?.right.y ?? 0) - 1) < 1e-9 })
    }

    @Test("A trajectory of TUM belongs to frames by time, and lost frames are counted")
    func times() throws {
        let path = try Self.writer.write(.tum, into: folder)
        // Frames are at 1000 s and every 0.05 s. Poses are 10 ms late, without the last frame's; the first line is lost.
        var text = "# time tx ty tz qx qy qz qw\n0 nan nan nan 0 0 0 1\n"
        for index in 0..<5 { text += "\(1000.01 + 0.05 * Double(index)) \(index) 2 3 0 0 0 1\n" }
        let file = TemporaryFolder()
        var reading = ReadingOptions()
        reading.posesPath = try file.write(text: text, to: "poses.txt")
        let recording = try Recording(contentsOf: path, reading: reading)
        #expect(recording.frames.map { $0.pose?.position.x } == [0, 1, 2, 3, 4, nil])
        #expect(recording.diagnostics.contains { $0.code == .lostTracking })
    }

    @Test(
        "Files that do not fit are refused, with both sides of the rule",
        arguments: [
            (
                "1 0 0 0 0 1 0 0 0 0 1 0\n",
                "there are 1 poses without times, and the recording lists 6 frames"
            ),
            ("1 2 3\n", "line 1 is not a pose: it has 3 words"),
            ("1 0 0 0\n0 1 0 0\n", "the last matrix has 2 of 4 lines"),
            ("1 0 0 0\n1 0 0 0 0 0 0 1\n", "it has 8 words, and lines before it have 4"),
            ("0 0 0 0 0 0 0 1\n", "the frames of the recording have none"),
            ("{\"a\": 1}", "there is no array 'frames'"),
        ])
    func refusals(text: String, message: String) throws {
        let path = try Self.writer.write(.sevenScenes, into: folder)
        let file = TemporaryFolder()
        var reading = ReadingOptions()
        reading.posesPath = try file.write(text: text, to: "poses.txt")
        let error = #expect(throws: (any Error).self) {
            try Recording(contentsOf: path, reading: reading)
        }
        #expect("\(try #require(error))".contains(message))
        for (shape, type) in [("6, 2, 4", "<f8"), ("6, 4, 4", "<i4"), ("900000000000, 4, 4", "<f8")] {
            reading.posesPath = try file.write(npy([], type: type, shape: shape), to: "poses.npy")
            #expect(throws: (any Error).self) { try Recording(contentsOf: path, reading: reading) }
        }
    }
}
