package import Bytes
internal import Codecs
package import DepthMaps
package import DepthTypes
package import Effects

/// Renders each frame of a sequence, in order. It may keep state from one frame to the next.
package struct FrameEffect {
    /// The planes that it uses.
    package var planes: Set<PlaneID>
    /// Those of them without which it renders nothing.
    package var needed: Set<PlaneID>
    /// Whether it compares depth with distances in meters.
    package var needsMeters: Bool
    /// The distances of the least and the greatest integer sample of depth, where integers stand for a range.
    package var range: ClosedRange<Float>?
    /// What is to know of the frames that were rendered.
    package var remarks: () -> [Diagnostic] = { [] }
    /// Renders a frame.
    package var render: (_ frame: DepthScene, _ output: inout RenderedFrame) throws -> Void

    /// An effect that uses these planes. It needs all of them but the confidence, unless others are given.
    package init(
        _ planes: Set<PlaneID>, needing needed: Set<PlaneID>? = nil, needsMeters: Bool = false,
        _ render: @escaping (DepthScene, inout RenderedFrame) throws -> Void
    ) {
        (self.planes, self.needsMeters, self.render) = (planes, needsMeters, render)
        self.needed = needed ?? planes.subtracting([.confidence])
    }

    /// Throws if frames like this lack what the effect needs.
    package func check(_ frames: SceneDescription) throws {
        if needed.contains(.eye(.right)), !(frames.eyes?.areBothRead ?? (frames.stereo != nil)) {
            throw SequenceError.noRightEye
        }
        if needed.contains(.picture), frames.colorSize == nil { throw SequenceError.noColor }
        for kind in PlaneKind.allCases where kind.isCoverage && needed.contains(.plane(kind, 0)) {
            guard frames.mattes.contains(kind) else {
                throw SceneError.noPlane(kind, available: frames.planes)
            }
        }
        guard needed.contains(.depth) else { return }
        guard let depth = frames.depth else { throw SequenceError.noDepth }
        if needsMeters, !depth.scale.hasUnit { throw SequenceError.noUnit }
    }
}

extension FrameEffect {
    /// The picture of each frame unchanged.
    package static var color: FrameEffect {
        FrameEffect([.picture]) { frame, output in output.picture.copy(FramePlane(try frame.color())) }
    }

    /// The recorded picture of the right eye.
    package static var rightEye: FrameEffect {
        FrameEffect([.eye(.right)]) { frame, output in
            output.picture.copy(FramePlane(try frame.rightEye()))
        }
    }

    /// The recorded pictures of both eyes in one: side by side, or for glasses of red and cyan.
    package static func eyes(_ form: StereoForm) -> FrameEffect {
        FrameEffect([.picture, .eye(.right)]) { frame, output in
            let (left, right) = (try frame.color(), try frame.rightEye())
            guard (left.width, left.height) == (right.width, right.height) else {
                throw SequenceError.noRightEye
            }
            output.picture = FramePlane(StereoPicture.joined(left, right, form))
        }
    }

    /// A matte of each frame in gray, at its own size: white where it covers a pixel completely.
    package static func matte(_ kind: PlaneKind) -> FrameEffect {
        FrameEffect([.plane(kind, 0)]) { frame, output in
            guard let matte = try frame.matte(kind) else { throw SequenceError.noMatte }
            output.picture = FramePlane(
                width: matte.width, height: matte.height,
                samples: matte.coverage.map { RGB(red: $0, green: $0, blue: $0) })
        }
    }

    /// The depth or the disparity of each frame, at its own size, or at the picture's along its edges, for outputs that store values. A
    /// remark counts samples that are too far for outputs that round distances to 16-bit integers.
    package static func values(_ quantity: DepthQuantity, isUpsampled: Bool, isRounded: Bool) -> FrameEffect {
        var (beyond, reach) = (0, "")
        var effect = FrameEffect(isUpsampled ? .measured : [.depth, .confidence], needing: [.depth]) {
            frame, output in
            var map = try frame.depth()
            if isUpsampled {
                map = try map.upsampled(
                    guidedBy: checkedGuide(frame.color(), width: map.width, height: map.height))
            }
            guard quantity == .depth else {
                output.depth.copy(FramePlane(try DisparityMap(map)))
                return
            }
            output.depth.copy(FramePlane(map))
            output.codesPerUnit = map.scale.hasUnit ? 1000 : 1
            let factor = output.codesPerUnit
            guard isRounded else { return }
            beyond += map.meters.count { $0 > 0 && !$0.hasDepthCode(factor) }
            reach = "\(65535 / factor)\(map.scale.hasUnit ? " m" : "")"
        }
        effect.remarks = {
            guard beyond > 0 else { return [] }
            return [.note(.samplesBeyondReach, "\(beyond) samples beyond \(reach) are written as 0")]
        }
        return effect
    }

    /// The depth of each frame in colors, at the size of the depth or of the picture.
    package static func depthColors(_ coloring: DepthColoring, isEnlarged: Bool) -> FrameEffect {
        var (coloring, distances) = (coloring, LiveDistances())
        return FrameEffect(
            isEnlarged ? .measured : [.depth, .confidence], needing: [.depth],
            needsMeters: coloring.isInMeters
        ) { frame, output in
            let map = try distances.map(of: frame)
            coloring.adapt(to: map, at: frame.seconds)
            let own = PixelSize(width: map.width, height: map.height)
            let size = isEnlarged ? frame.description.colorSize ?? own : own
            output.picture.overwrite(width: size.width, height: size.height, fill: .black) { pixels in
                coloring.draw(map, size, from: 0, pitch: size.width, into: &pixels)
            }
        }
    }

    /// The picture of each frame, with its depth in colors on its right at the same height.
    package static func pictureAndDepth(_ coloring: DepthColoring) -> FrameEffect {
        var (coloring, distances) = (coloring, LiveDistances())
        return FrameEffect(.measured, needsMeters: coloring.isInMeters) { frame, output in
            let (map, picture) = (try distances.map(of: frame), FramePlane(try frame.color()))
            coloring.adapt(to: map, at: frame.seconds)
            let size = picture.size
            output.picture.overwrite(width: size.width * 2, height: size.height, fill: .black) { pixels in
                for row in 0..<size.height {
                    let start = row * size.width
                    pixels.copy(picture.samples.span, start..<start + size.width, to: 2 * start)
                }
                coloring.draw(map, size, from: size.width, pitch: size.width * 2, into: &pixels)
            }
        }
    }

    /// The subject of each frame over another background: the union of mattes that are stored with frames, or without any what is
    /// selected by distance.
    package static func cutout(
        over background: MovingBackground, near: Float? = nil, far: Float? = nil, softness: Float? = nil,
        mattes: [PlaneKind] = []
    ) -> FrameEffect {
        var (live, distances) = (LiveSubject(near: near, far: far, softness: softness), LiveDistances())
        let planes = mattes.isEmpty ? .measured : Set(mattes.map { .plane($0, 0) }).union([.picture])
        let needsMeters = near != nil || far != nil || softness != nil
        return FrameEffect(planes, needsMeters: needsMeters) { frame, output in
            let picture = try frame.color().inSRGB
            let cutout: LiveCutout
            if mattes.isEmpty {
                let map = try distances.map(of: frame)
                cutout = live.cutout(
                    map, confidence: try frame.confidence(on: map), of: picture, at: frame.seconds)
            } else {
                cutout = live.cutout(try frame.united(mattes), of: picture, at: frame.seconds)
            }
            output.picture = FramePlane(try cutout.over(background.shown(behind: frame)))
        }
    }

    /// The picture of each frame with another inserted upright and parallel to the image, hidden by nearer objects. `width` is in
    /// meters; `nil` for a third of the visible width at that distance.
    package static func layer(
        _ layer: RGBAImage, at distance: Float, center: NormalizedPoint, width: Float?
    ) -> FrameEffect {
        var (live, placed) = (LiveVisibility(), SteadyPlacement())
        let layer = layer.converted(like: ColorImage(RGB(red: 0, green: 0, blue: 0))).image
        return FrameEffect(.measured, needsMeters: true) { frame, output in
            let (picture, depth) = (try frame.color(), try frame.depth())
            guard depth.scale.hasUnit else { throw SequenceError.noUnit }
            let focalLength = placed.focalLength(of: frame.pictureFocalLength)
            let width = width ?? Float(picture.width) / 3 * distance / focalLength
            let hidden = live.hidden(atDistance: distance, depth, in: picture, at: frame.seconds)
            output.picture = FramePlane(
                picture.inserting(
                    layer, at: LayerPlacement(distance: distance, center: center, width: width),
                    focalLength: focalLength,
                    behind: try Cutout(picture, opacity: hidden, curve: .sRGB)))
        }
    }

    /// Each frame with the blur of a lens with a wide aperture. `report` gets the result of each.
    package static func blur(
        _ options: BlurOptions, _ report: @escaping (BlurredScene) -> Void
    ) -> FrameEffect {
        let pull = FocusPull()
        var remarks: [Diagnostic] = []
        var effect = FrameEffect(
            .measured.union([.matte]), needing: [.picture, .depth], needsMeters: options.focusDistance != nil
        ) { frame, output in
            let blurred = try frame.blurredScene(options, following: pull)
            output.picture = FramePlane(blurred.picture.color)
            for remark in blurred.diagnostics where !remarks.contains(where: { $0.code == remark.code }) {
                remarks.append(remark)
            }
            report(blurred)
        }
        effect.remarks = { remarks }
        return effect
    }

    /// The same effect on frames whose depth is treated first. Smoothed depth is also steady over time.
    package func treating(_ treatment: MapTreatment) -> FrameEffect {
        guard !treatment.isEmpty else { return self }
        var steady = SteadyDepth()
        return after(treatment.fillsHoles ? .measured : [.depth, .confidence]) { frame in
            let treated = frame.treated(treatment)
            guard treatment.smooths else { return treated }
            let map = steady.added(try treated.depth())
            return DepthScene(
                ComputedSource(treated.description, over: treated) { id, _, plane in
                    guard id == .depth else { return false }
                    plane = DecodedPlane(map)
                    return true
                })
        }
    }

    /// The same effect on frames that `change` changes first; it uses these planes as well.
    package func after(
        _ planes: Set<PlaneID>, _ change: @escaping (DepthScene) throws -> DepthScene
    ) -> FrameEffect {
        var effect = self
        effect.planes.formUnion(planes)
        effect.render = { frame, output in try render(change(frame), &output) }
        return effect
    }
}

extension Diagnostic.Code {
    /// Distances of frames are too far for the samples of the output.
    static let samplesBeyondReach: Self = "samples-beyond-reach"
}

/// The distances of frames for effects that show or compare them. Disparity without scale and shift becomes a constant minus the
/// disparity: only an order. The constant is computed from the first frame, so that colors do not flicker.
struct LiveDistances {
    private var farthest: Float?

    /// The distances of a frame.
    mutating func map(of frame: DepthScene) throws -> DepthMap {
        guard try frame.scale() == .affine else { return try frame.depth() }
        let map = try frame.disparity()
        let top = farthest ?? 2 * max(map.statistics.maximum ?? 1, 1e-6) - (map.statistics.minimum ?? 0)
        farthest = top
        return DepthMap(
            width: map.width, height: map.height,
            meters: map.reciprocalMeters.map { max(top - $0, 1e-3 * top) }, scale: .unitless)
    }
}

/// The focal length that places a layer. It keeps its value while the camera's differs by less than half a percent, as by focus
/// breathing.
private struct SteadyPlacement {
    private var last: Float?

    mutating func focalLength(of current: Float) -> Float {
        let kept = last.map { abs(current - $0) < $0 * 0.005 ? $0 : current } ?? current
        last = kept
        return kept
    }
}

extension DepthScene {
    /// The time of a frame.
    var seconds: Double { description.time ?? 0 }

    /// A scene that is described and has no planes, to learn what is made of its description.
    package init(describing description: SceneDescription) {
        self.init(ComputedSource(description) { _, _, _ in false })
    }

    /// The focal length in pixels of the picture.
    fileprivate var pictureFocalLength: Float {
        let size = description.colorSize ?? PixelSize(width: 1, height: 1)
        let camera = description.cameras.camera(for: size).calibration
        return Float(camera.scaled(toWidth: size.width, height: size.height).focalLengthX)
    }

    fileprivate func rightEye() throws -> ColorImage {
        guard let image = try plane(.eye(.right)).image else { throw SequenceError.noRightEye }
        return image
    }

    /// The confidence of each sample of a map; empty if unknown.
    package func confidence(on map: DepthMap) throws -> [UInt8] {
        guard let plane = try confidence(), (plane.width, plane.height) == (map.width, map.height),
            case .uint8(let codes) = plane.codes
        else { return [] }
        return codes
    }

    /// The union of mattes. Throws ``SequenceError/noMatte`` if the frame lacks one.
    fileprivate func united(_ kinds: [PlaneKind]) throws -> Matte {
        let mattes = try kinds.map { kind in
            guard let matte = try matte(kind) else { throw SequenceError.noMatte }
            return matte
        }
        guard let first = mattes.first else { throw SequenceError.noMatte }
        return mattes.dropFirst().reduce(first) { $0.union(with: $1) }
    }
}
