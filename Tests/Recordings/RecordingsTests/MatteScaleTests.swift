import Codecs
import DepthMaps
import DepthTypes
import RecordingWriting
import Scenes
import TestFrames
import TestSupport
import Testing

@testable import Recordings

@Suite("The scale of mattes")
struct MatteScaleTests {
    private static let scene = RoomScene()

    /// The codes of the mattes of two frames, after reading.
    private func coverage(of mattes: [Raster.Samples]) throws -> [[UInt8]] {
        let folder = TemporaryFolder()
        for (index, matte) in mattes.enumerated() {
            let view = Self.scene.view(Self.scene.pose(index))
            try folder.write(
                try Self.scene.depthPNG(view.meters, unitsPerMeter: 1000), to: "depth/\(index).png")
            try folder.write(try Self.scene.colorPNG(view.colors), to: "rgb/\(index).png")
            try folder.write(try Self.scene.png(matte), to: "masks/\(index).png")
        }
        let recording = try Recording(contentsOf: folder.path)
        return try mattes.indices.map { index in
            let frame = try recording.decodedFrame(at: index, [.matte])
            return frame.matte.samples
        }
    }

    private var count: Int { Self.scene.width * Self.scene.height }

    @Test("A frame whose subject has left keeps the scale of the others")
    func absentSubject() throws {
        let soft = [0, 1, 127, 255] + [UInt8](repeating: 0, count: count - 4)
        let empty = [1] + [UInt8](repeating: 0, count: count - 1)
        let found = try coverage(of: [.gray8(empty), .gray8(soft)])
        #expect(found == [empty, soft])
    }

    @Test("Labels 0 and 1 are none and all")
    func labels() throws {
        let labels = [0, 1] + [UInt8](repeating: 0, count: count - 2)
        let found = try coverage(of: [.gray8(labels), .gray8([UInt8](repeating: 0, count: count))])
        #expect(found[0].prefix(3) == [0, 255, 0] && found[1].allSatisfy { $0 == 0 })
    }

    @Test("16 bits become 8 by rounding")
    func rounding() throws {
        let codes: [UInt16] = [0, 0x00FF, 0x0080, 0x8000, 65535] + [UInt16](repeating: 0, count: count - 5)
        // 255 · code / 65535: 0.99, 0.498, 127.5.
        let found = try coverage(of: [
            .gray16(codes), .gray16([200] + [UInt16](repeating: 0, count: count - 1)),
        ])
        #expect(found[0].prefix(5) == [0, 1, 0, 128, 255] && found[1].prefix(1) == [1])
    }
}
