package import Bytes
package import Sequences

/// Frames that a closure makes, at 30 a second.
package final class TestFrames: FrameSource, @unchecked Sendable {
    package let description: SequenceDescription
    package var diagnostics: [Diagnostic] { [] }
    private let count: Int
    private let make: (Int, inout SequenceFrame) throws -> Void
    private var index = -1
    /// How often a frame was decoded.
    package private(set) var decoded = 0

    package init(
        _ count: Int, description: SequenceDescription = SequenceDescription(layout: "test"),
        _ make: @escaping (Int, inout SequenceFrame) throws -> Void
    ) {
        (self.count, self.description, self.make) = (count, description, make)
    }

    package func advance() throws -> Double? {
        guard index + 1 < count else { return nil }
        index += 1
        return Double(index) / 30
    }

    package func read(_ parts: FrameParts, into frame: inout SequenceFrame) throws {
        decoded += 1
        (frame.index, frame.time) = (index, Double(index) / 30)
        try make(index, &frame)
    }
}
