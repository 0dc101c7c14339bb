internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import Geometry
internal import PhotoFormats
internal import Scenes
internal import Synchronization

/// The depth that a network computes from the picture of a scene, when it is first read.
final class NetworkAnswer: Sendable {
    private let scene: DepthScene
    private let network: Network
    private let alignment: DepthAlignment
    private let scale: DepthScale
    private let size: PixelSize
    private let answered = Mutex<Answer?>(nil)

    /// The depth in its scale.
    private struct Answer: Sendable {
        var plane: DecodedPlane
        var focalLength: Double?
        var diagnostics: [Diagnostic]
    }

    /// Throws ``SceneError/noPicture`` without a picture, and ``NetworkError`` if the network does not return depth, or if
    /// the given alignment is impossible. Runs nothing, unless the network estimates the camera.
    init(_ scene: DepthScene, _ network: Network, _ alignment: DepthAlignment) throws {
        try network.profile.require(.depth)
        let picture = try scene.requireColorSize()
        (self.scene, self.network) = (scene, network)
        size = network.answerSize(for: picture)
        let unaligned: DepthScale = network.profile.meaning == .depth ? .inexact : .affine
        let stored = scene.description.depth
        switch alignment {
        case .stored where stored?.scale.isMetric == true:
            (self.alignment, scale) = (alignment, stored?.scale ?? unaligned)
        case .stored, .none: (self.alignment, scale) = (.none, unaligned)
        case .anchors(let anchors):
            guard anchors.count >= (network.profile.meaning == .depth ? 1 : 2) else {
                throw NetworkError.alignment(.fewAnchors)
            }
            guard anchors.values.allSatisfy({ $0 > 0 && $0.isFinite }) else {
                throw NetworkError.alignment(.invalidAnchor)
            }
            (self.alignment, scale) = (alignment, .metric)
        case .map(let map):
            try map.scale.requireMeters()
            let given = PixelSize(width: map.width, height: map.height)
            guard given.hasSameAspect(as: picture) else {
                throw SceneError.differentView(picture: picture, depth: given)
            }
            (self.alignment, scale) = (alignment, map.scale)
        }
    }

    private var isMetersAsAnswered: Bool {
        if case .none = alignment { network.profile.meaning == .depth } else { false }
    }

    /// The scene with this depth.
    var computed: DepthScene {
        let (description, depth) = describe()
        return DepthScene(
            ComputedSource(
                description, over: scene, remarks: { self.answered.withLock { $0?.diagnostics ?? [] } }
            ) { id, request, plane in
                guard case .plane(let kind, _) = id, kind.isDepth || kind == .confidence else { return false }
                guard id == depth.id, !request.codesOnly else { return true }
                plane = try self.answer().plane
                plane.description = depth
                return true
            })
    }

    /// The scene, and its computed plane.
    private func describe() -> (SceneDescription, PlaneDescription) {
        var description = scene.description
        description.depth = SceneDescription.Depth(
            size: size, quantity: isMetersAsAnswered ? .depth : .disparity, scale: scale)
        // The depth and confidence in the file have another grid than the network's depth.
        description.planes.removeAll { $0.isDepth || $0 == .confidence }
        description.storedPlanes.removeAll { $0.kind.isDepth || $0.kind == .confidence }
        description.planes.append(isMetersAsAnswered ? .depth : .disparity)
        if description.cameras.file == nil, let focalLength = try? focalLength(),
            let picture = description.colorSize
        {
            description.cameras.file = CameraCalibration(
                focalLength: focalLength, width: picture.width, height: picture.height)
        }
        var plane = PlaneDescription(
            computed: isMetersAsAnswered ? .depth : .disparity, width: size.width, height: size.height,
            bitDepth: 32, source: "network", type: network.path.lastPathComponent, scale: scale)
        plane.calibration = description.cameras.file?.scaled(toWidth: size.width, height: size.height)
        description.chosenDepth = plane
        description.storedPlanes.append(plane)
        return (description, plane)
    }

    /// The focal length that the network estimates, in pixels of the picture.
    private func focalLength() throws -> Double? {
        guard network.profile.focalLengthOutput != nil else { return nil }
        return try answer().focalLength
    }

    private func answer() throws -> Answer {
        try answered.withLock { known in
            if let known { return known }
            let answer = try aligned(network.depth(of: scene.color()))
            known = answer
            return answer
        }
    }

    private func aligned(_ depth: NetworkDepth) throws -> Answer {
        let camera = scene.description.calibration
        var focalLength: Double?
        let raw: DisparityMap
        switch depth {
        case .affine(let map): raw = map
        case .metric(let map, let estimated):
            focalLength = estimated
            if isMetersAsAnswered {
                let map = DepthMap(
                    width: map.width, height: map.height, meters: map.meters, scale: scale,
                    calibration: camera)
                return Answer(
                    plane: DecodedPlane(map), focalLength: focalLength, diagnostics: [note(nil)])
            }
            raw = DisparityMap(reciprocalOf: map)
        }
        let values = DisparityMap(
            width: raw.width, height: raw.height, reciprocalMeters: raw.reciprocalMeters, scale: .affine,
            calibration: camera)
        let line: AffineAlignment
        switch alignment {
        case .none:
            return Answer(
                plane: DecodedPlane(values), focalLength: focalLength, diagnostics: [note(nil)])
        case .anchors(let anchors): line = try AffineAlignment(anchors, of: values)
        case .stored: line = try AffineAlignment(values.pairs(with: scene.disparity()))
        case .map(let map): line = try AffineAlignment(values.pairs(with: map))
        }
        return Answer(
            plane: DecodedPlane(values.aligned(by: line, scale: scale)), focalLength: focalLength,
            diagnostics: [note(line)])
    }

    /// A description of the depth's origin.
    private func note(_ line: AffineAlignment?) -> Diagnostic {
        var text = "the depth is computed by a network (profile \(network.profile.name))"
        guard let line else {
            text += scale == .affine ? "; its scale and shift are unknown" : ""
            return .note(.computedDepth, text)
        }
        let source =
            switch alignment {
            case .anchors(let anchors): anchors.count == 1 ? "one anchor" : "\(anchors.count) anchors"
            case .map: "the given depth"
            case .stored, .none: "the stored depth"
            }
        text += ", aligned to \(source)"
        if line.residual > 0 {
            let share = Int((line.inlierShare * 100).rounded())
            text +=
                ": the median residual is \(short(line.residual)) 1/m, \(share) % of \(line.sampleCount) samples fit"
        }
        return .note(.computedDepth, text)
    }

    private func short(_ value: Double) -> String {
        let scaled = (value * 1e5).rounded() / 1e5
        return scaled == 0 ? "below 0.00001" : "\(scaled)"
    }
}
