internal import DepthMaps
internal import DepthTypes
package import Sequences

/// Follows an object through frames, and draws its box if a movie is made.
package final class FollowView: FrameView {
    /// The object's position in the first frame.
    package enum Start: Codable, Sendable {
        /// A box: in pixels of the picture, or in fractions of it.
        case box(TrackingBox, isInPixels: Bool)
        case point(x: Double, y: Double, isInPixels: Bool)

        /// The object's box in pixels. Throws ``SequenceError`` if no object can be separated from its surroundings by
        /// depth at the point.
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

    /// Finds the object in a frame, in pixels; returns `nil` if it is not in the frame.
    package typealias Finder = (borrowing SequenceFrame) throws -> TrackingBox?

    private let find: Finder
    private let draws: Bool
    private let report: (ObjectTracker.Observation?, _ index: Int, _ time: Double) throws -> Void
    private var tracker: ObjectTracker?

    /// Follows the object that `find` returns in the first frame that shows it.
    ///
    /// `report` gets the observation of each frame, in order; `nil` until the object is found.
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

    /// Draws the box: green while the object is visible, red at its last position.
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
