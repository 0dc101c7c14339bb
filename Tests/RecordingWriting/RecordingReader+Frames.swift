package import Scenes
package import TestFrames

@testable package import Recordings

extension RecordingReader {
    /// Decodes planes of the frame at an index.
    package func read(
        _ planes: Set<PlaneID>, ofFrameAt index: Int, into frame: inout TestFrame
    ) throws {
        frame.planes.clear()
        frame.take(describe(at: index), FramePlanes())
        frame.take(describe(at: index), try read(planes, at: index).frame)
    }
}

extension Recording {
    /// Planes of the frame at an index, decoded by a new reader.
    package func decodedFrame(at index: Int, _ planes: Set<PlaneID> = .measured) throws -> TestFrame {
        var frame = TestFrame()
        try RecordingReader(self).read(planes, ofFrameAt: index, into: &frame)
        return frame
    }
}
