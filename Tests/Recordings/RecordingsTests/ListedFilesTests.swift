import Bytes
import DepthTypes
import Embedded
import Foundation
import RecordingWriting
import Scenes
import TestSupport
import Testing

@testable import Recordings

@Suite("Files that lists name, and files that they do not")
struct ListedFilesTests {
    private let folder = TemporaryFolder()
    private static let writer = RecordingWriter()

    @Test(
        "Depth maps that no line or camera names are counted",
        arguments: [RecordingLayout.strayScanner, .polycam, .tum, .nerfstudio])
    func unlisted(layout: RecordingLayout) throws {
        let path = try Self.writer.write(layout, into: folder)
        #expect(try Recording(contentsOf: path).unlistedCount == 0)
        switch layout {
        case .polycam:
            try folder.remove("keyframes/cameras/1000100000.json")
        case .nerfstudio:
            let json = try JSONValue(
                parsing: try folder.bytes(of: "transforms.json"), limits: DecodingLimits())
            guard case .object(let fields) = json else { return }
            let fewer = fields.map { name, value in
                (name, name == "frames" ? JSONValue.array(Array(value.elements.dropLast())) : value)
            }
            try folder.write(text: JSONValue.object(fewer).serialized, to: "transforms.json")
        default:
            let name = layout == .tum ? "depth.txt" : "odometry.csv"
            let lines = try folder.text(of: name).split(separator: "\n")
            try folder.write(text: lines.dropLast().joined(separator: "\n") + "\n", to: name)
        }
        let recording = try Recording(contentsOf: path)
        #expect(recording.frames.count == Self.writer.count - 1 && recording.unlistedCount == 1)
        #expect(recording.diagnostics.contains { $0.code == .unlistedFiles })
    }

    @Test("Depth that transforms.json names and nobody has is missing, and so are pictures")
    func missing() throws {
        let path = try Self.writer.write(.nerfstudio, into: folder)
        try folder.remove("images/2.png")
        let fewer = try Recording(contentsOf: path)
        #expect(fewer.colorCount == 5)
        #expect(
            fewer.diagnostics.contains {
                $0.code == .missingFiles && $0.message == "1 listed picture is missing"
            })
        try folder.remove("depth")
        let bare = try Recording(contentsOf: path)
        #expect(!bare.hasDepth && bare.frames.count == 5)
        #expect(bare.diagnostics.contains { $0.message.contains("6 of 6 listed depth maps are missing") })
    }

    @Test("Links to folders inside the recording are followed, and others named")
    func links() throws {
        let path = try Self.writer.write(.open3D, into: folder)
        let manager = FileManager.default
        try folder.folder("store")
        try manager.moveItem(atPath: folder.file("depth"), toPath: folder.file("store/depth"))
        try manager.createSymbolicLink(
            atPath: folder.file("depth"), withDestinationPath: "store/depth")
        #expect(try Recording(contentsOf: path).frames.count == Self.writer.count)
        let outside = TemporaryFolder()
        try manager.moveItem(atPath: folder.file("store/depth"), toPath: outside.file("depth"))
        try manager.removeItem(atPath: folder.file("depth"))
        try manager.createSymbolicLink(
            atPath: folder.file("depth"), withDestinationPath: outside.file("depth"))
        #expect {
            try Recording(contentsOf: path)
        } throws: { "\($0)".contains("'depth' is a link to a folder outside of the recording") }
        try manager.removeItem(atPath: folder.file("depth"))
        // A folder that contains itself ends.
        try manager.createSymbolicLink(atPath: folder.file("depth"), withDestinationPath: ".")
        #expect(throws: ContainerError.self) { try Recording(contentsOf: path) }
    }

    @Test(
        "Absolute names of the computer that wrote the list lead to files of the recording",
        arguments: ["/home/me/room/", "C:\\room\\"])
    func absolute(prefix: String) throws {
        let path = try Self.writer.write(.nerfstudio, into: folder)
        let text = try folder.text(of: "transforms.json")
        let escaped = prefix.replacingOccurrences(of: "\\", with: "\\\\")
        let changed = text.replacingOccurrences(of: "\"./images/", with: "\"\(escaped)images/")
            .replacingOccurrences(of: "\"depth/", with: "\"\(escaped)depth/")
        try folder.write(text: changed, to: "transforms.json")
        let recording = try Recording(contentsOf: path)
        #expect(changed != text && recording.colorCount == 6 && recording.frames.count { $0.hasDepth } == 6)
    }

    @Test("Numbers that skip are counted, and every second one is not")
    func numbers() throws {
        let scene = Self.writer.scene
        let png = try scene.depthPNG(scene.view(scene.pose(0)).meters, unitsPerMeter: 1000)
        for (numbers, missing) in [([1, 2, 3, 5, 6, 9], 3), ([0, 2, 4, 6], 0), ([0, 10, 20, 40], 1)] {
            let folder = TemporaryFolder()
            for number in numbers { try folder.write(png, to: "depth_\(number).png") }
            let found = try Recording(contentsOf: folder.path).diagnostics.filter { $0.code == .gaps }
            #expect(found.count == (missing > 0 ? 1 : 0))
            #expect(
                found.allSatisfy { $0.message.hasPrefix("\(missing) of the numbers from \(numbers[0]) to") })
        }
    }
}
