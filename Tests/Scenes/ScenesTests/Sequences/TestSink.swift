import DepthMaps
import Scenes

/// Keeps the written frames.
final class TestSink: FrameSink {
    var indices: [Int] = []
    var pictures: [[RGB<UInt8>]] = []
    /// Whether pictures are kept, which makes the frames allocate anew.
    var keeps = true

    func write(_ frame: inout RenderedFrame) throws {
        indices.append(frame.index)
        if keeps { pictures.append(frame.picture.samples) }
    }
}
