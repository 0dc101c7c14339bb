package import DepthMaps
internal import DepthTypes
package import Effects

extension FrameEffect {
    /// Where an object is in the first frame that shows it.
    package enum ObjectStart: Sendable {
        /// A box: in pixels of the picture, or in fractions of it.
        case box(TrackingBox, isInPixels: Bool)
        case point(x: Double, y: Double, isInPixels: Bool)

        /// The object's box in pixels. Throws ``SequenceError`` if no object can be separated from its surroundings by
        /// depth at the point.
        package func box(in frame: DepthScene) throws -> TrackingBox {
            let picture = try frame.requireColorSize()
            let (width, height) = (Double(picture.width), Double(picture.height))
            switch self {
            case .box(let box, let isInPixels):
                guard !isInPixels else { return box }
                return TrackingBox(
                    left: box.left * width, top: box.top * height, width: box.width * width,
                    height: box.height * height)
            case .point(let x, let y, let isInPixels):
                guard frame.description.depth != nil else { throw SequenceError.noDepth }
                let point = NormalizedPoint(
                    x: isInPixels ? x / width : x, y: isInPixels ? y / height : y)
                let box = ObjectTracker.box(at: point, try frame.depth(), in: picture)
                guard let box, box.width >= 8, box.height >= 8 else { throw SequenceError.noObject }
                return box
            }
        }
    }

    /// Follows the object that `find` returns, in pixels, in the first frame that shows it, and draws its box if `draws`.
    ///
    /// `report` gets the observation of each frame, in order; `nil` until the object is found.
    package static func following(
        draws: Bool, find: @escaping (DepthScene) throws -> TrackingBox?,
        report: @escaping (ObjectTracker.Observation?, _ frame: DepthScene) throws -> Void
    ) -> FrameEffect {
        var tracker: ObjectTracker?
        return FrameEffect(.measured) { frame, output in
            let picture = try frame.color()
            if tracker == nil, let box = try find(frame) {
                let size = PixelSize(width: picture.width, height: picture.height)
                guard box.overlaps(pictureOf: size) else { throw SequenceError.boxOutside(size) }
                tracker = ObjectTracker(box)
            }
            let depth = try frame.depthIfPresent()
            let seen = tracker?.follow(picture, depth, at: frame.seconds, pose: frame.description.pose)
            try report(seen, frame)
            guard draws else { return }
            output.picture.copy(FramePlane(picture))
            if let seen { seen.draw(in: &output.picture) }
        }
    }
}

extension DepthScene {
    /// The depth; `nil` if the frame lacks it, and others have it.
    package func depthIfPresent() throws -> DepthMap? {
        do {
            return try depth()
        } catch SequenceError.noDepth {
            return nil
        } catch SceneError.noPlane {
            return nil
        }
    }
}

extension ObjectTracker.Observation {
    /// Draws the box: green while the object is visible, red at its last position.
    fileprivate func draw(in picture: inout FramePlane<RGB<UInt8>>) {
        let color: RGB<UInt8> =
            isLost ? RGB(red: 255, green: 48, blue: 32) : RGB(red: 64, green: 255, blue: 64)
        let (width, height) = (picture.width, picture.height)
        let thickness = max(2, height / 240)
        let (left, top) = (Int(box.left.rounded()), Int(box.top.rounded()))
        let (right, bottom) = (
            Int((box.left + box.width).rounded()), Int((box.top + box.height).rounded())
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
