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
