package import Bytes
internal import DepthTypes
package import Scenes

/// Frames that a closure makes, at 30 a second.
package final class TestFrames: SceneSequence, @unchecked Sendable {
    package let description: SceneDescription
    package var extent: SequenceExtent { SequenceExtent("test") }
    package var diagnostics: [Diagnostic] { [] }
    private let count: Int
    private let make: (Int, inout FramePlanes) throws -> Void
    private var index = -1
    /// How often a frame was decoded.
    package private(set) var decoded = 0

    /// Frames with a picture, or with what `description` says.
    package init(
        _ count: Int, description: SceneDescription? = nil,
        _ make: @escaping (Int, inout FramePlanes) throws -> Void
    ) {
        (self.count, self.make) = (count, make)
        var picture = SceneDescription()
        picture.colorSize = PixelSize(width: 1, height: 1)
        self.description = description ?? picture
    }

    package func advance() throws -> Double? {
        guard index + 1 < count else { return nil }
        index += 1
        return Double(index) / 30
    }

    package func describe() -> SceneDescription {
        var description = description
        (description.index, description.time) = (index, Double(index) / 30)
        return description
    }

    package func begin(_ planes: Set<PlaneID>, into frame: inout FramePlanes) throws {
        decoded += 1
        try make(index, &frame)
    }
}
