internal import DepthCore
internal import DepthModel
package import Sequences

/// Follows an object through frames, and draws its box where a movie is made of it.
package final class FollowView: FrameView {
    /// Where the object is in the first frame.
    package enum Start: Codable, Sendable {
        /// A box: in pixels of the picture, or in shares of it.
        case box(TrackingBox, isInPixels: Bool)
        /// A point on it.
        case point(x: Double, y: Double, isInPixels: Bool)

        /// The object's box in pixels. Throws ``SequenceError`` where nothing stands out of the depth at a point.
        package func box(in frame: borrowing SequenceFrame) throws -> TrackingBox {
            let (width, height) = (Double(frame.color.width), Double(frame.color.height))
            switch self {
            case .box(let box, let isInPixels):
                guard !isInPixels else { return box }
                return TrackingBox(
                    left: box.left * width, top: box.top * height, width: box.width * width,
                    height: box.height * height)
            case .point(let x, let y, let isInPixels):
                guard !frame.depth.isEmpty else { throw SequenceError.noDepth }
                let point = NormalizedPoint(
                    x: isInPixels ? x / width : x, y: isInPixels ? y / height : y)
                let box = ObjectTracker.box(
                    at: point, frame.depth, width: frame.color.width, height: frame.color.height)
                guard let box, box.width >= 8, box.height >= 8 else { throw SequenceError.noObject }
                return box
            }
        }
    }

    /// Says where the object is in a frame, in pixels; `nil` where it is not in it.
    package typealias Finder = (borrowing SequenceFrame) throws -> TrackingBox?

    private let find: Finder
    private let draws: Bool
    private let report: (ObjectTracker.Observation?, _ index: Int, _ time: Double) throws -> Void
    private var tracker: ObjectTracker?

    /// Follows what `find` finds in the first frame that has it.
    ///
    /// `report` gets what is seen in each frame, in their order: nothing as long as nothing was found.
    package init(
        draws: Bool,
        report: @escaping (ObjectTracker.Observation?, _ index: Int, _ time: Double) throws -> Void,
        find: @escaping Finder
    ) {
        (self.find, self.draws, self.report) = (find, draws, report)
    }

    package var parts: FrameParts { .all }

    package func render(_ frame: inout SequenceFrame, into output: inout RenderedFrame) throws {
        guard !frame.color.isEmpty else { throw SequenceError.noColor }
        if tracker == nil, let box = try find(frame) {
            guard box.overlaps(pictureOf: frame.color.size) else {
                throw SequenceError.boxOutside(frame.color.size)
            }
            tracker = ObjectTracker(box)
        }
        let seen = tracker?.follow(frame)
        try report(seen, frame.index, frame.time)
        guard draws else { return }
        swap(&frame.color, &output.picture)
        if let seen { draw(seen, in: &output.picture) }
    }

    /// Green where the object is seen, red where it was.
    private func draw(_ seen: ObjectTracker.Observation, in picture: inout FramePlane<RGB<UInt8>>) {
        let color =
            seen.isLost ? RGB<UInt8>(red: 255, green: 48, blue: 32) : RGB(red: 64, green: 255, blue: 64)
        let (width, height) = (picture.width, picture.height)
        let thickness = max(2, height / 240)
        let (left, top) = (Int(seen.box.left.rounded()), Int(seen.box.top.rounded()))
        let (right, bottom) = (
            Int((seen.box.left + seen.box.width).rounded()), Int((seen.box.top + seen.box.height).rounded())
        )
        let inner = (left + thickness..<max(left + thickness, right - thickness))
        for row in max(0, top)..<max(0, top, min(height, bottom)) {
            let isEdge = row < top + thickness || row >= bottom - thickness
            for column in max(0, left)..<max(0, left, min(width, right))
            where isEdge || !inner.contains(column) {
                picture.samples[row * width + column] = color
            }
        }
    }
}
