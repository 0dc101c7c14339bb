internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import PhotoFormats
internal import Scenes
internal import Synchronization

/// The depth that a network computes from the picture of a scene, when it is first read.
final class ComputedDepth: Sendable {
    private let original: DepthScene
    private let network: Network
    private let alignment: DepthAlignment
    private let plane: PlaneDescription
    private let answered = Mutex<Answer?>(nil)

    private struct Answer: Sendable {
        var plane: DecodedPlane
        var focalLength: Double?
        var remark: Diagnostic
    }

    /// Throws ``SceneError/noPicture`` without a picture, and as ``DepthAlignment/checked(for:_:)`` does. Runs nothing.
    init(of scene: DepthScene, _ network: Network, _ alignment: DepthAlignment) throws {
        let size = network.answerSize(for: try scene.requireColorSize())
        let scale: DepthScale
        (original, self.network) = (scene, network)
        (self.alignment, scale) = try alignment.checked(for: scene.description, network.profile)
        plane = PlaneDescription(
            computed: self.alignment.isNone && network.profile.hasUnit ? .depth : .disparity,
            width: size.width, height: size.height, bitDepth: 32, source: "network",
            type: network.path.lastPathComponent, scale: scale)
    }

    /// The scene with this depth. Runs the network only if it estimates the camera, and the scene has none.
    var scene: DepthScene {
        let description = describe()
        return DepthScene(
            ComputedSource(
                description, over: original,
                remarks: { self.answered.withLock { $0.map { [$0.remark] } ?? [] } }
            ) { id, request, plane in
                guard case .plane(let kind, _) = id, kind.isDepth || kind == .confidence else { return false }
                guard id == self.plane.id, !request.codesOnly else { return true }
                plane = try self.answer().plane
                plane.description = description.chosenDepth
                return true
            })
    }

    private func describe() -> SceneDescription {
        var (description, plane) = (original.description, plane)
        let size = PixelSize(width: plane.width, height: plane.height)
        description.depth = SceneDescription.Depth(
            size: size, quantity: plane.kind == .depth ? .depth : .disparity, scale: plane.scale)
        // The depth and confidence in the file have another grid than the network's depth.
        description.planes.removeAll { $0.isDepth || $0 == .confidence }
        description.storedPlanes.removeAll { $0.kind.isDepth || $0.kind == .confidence }
        description.planes.append(plane.kind)
        if description.cameras.file == nil, network.profile.givesFocalLength,
            let focalLength = try? answer().focalLength, let picture = description.colorSize
        {
            description.cameras.file = CameraCalibration(
                focalLength: focalLength, width: picture.width, height: picture.height)
        }
        plane.calibration = description.cameras.file?.scaled(toWidth: size.width, height: size.height)
        description.chosenDepth = plane
        description.storedPlanes.append(plane)
        return description
    }

    private func answer() throws -> Answer {
        try answered.withLock { known in
            if let known { return known }
            let answer = try computed()
            known = answer
            return answer
        }
    }

    private func computed() throws -> Answer {
        let camera = original.description.calibration
        let depth = try network.depth(of: original.color(), camera: self.camera())
        if case .relative(let map, let focalLength) = depth, alignment.isNone {
            let map = DepthMap(
                width: map.width, height: map.height, meters: map.meters, scale: plane.scale,
                calibration: camera)
            return Answer(plane: DecodedPlane(map), focalLength: focalLength, remark: remark(nil))
        }
        let (map, focalLength) = depth.disparity
        let values = DisparityMap(
            width: map.width, height: map.height, reciprocalMeters: map.reciprocalMeters, scale: .affine,
            calibration: camera)
        let line = try alignment.line(of: values, original)
        let aligned = line.map { values.aligned(by: $0, scale: plane.scale) } ?? values
        return Answer(plane: DecodedPlane(aligned), focalLength: focalLength, remark: remark(line))
    }

    /// The picture's camera.
    private func camera() throws -> ResolvedCamera {
        original.description.cameras.camera(for: try original.requireColorSize())
    }

    /// A description of the depth's origin.
    private func remark(_ line: AffineAlignment?) -> Diagnostic {
        var origin = "the depth is computed by a network (profile \(network.profile.name))"
        if network.profile.canonicalFocalLength != nil, let camera = try? camera().source {
            origin += "; its meters follow from the camera: \(camera)"
        }
        guard let line else {
            let isAffine = plane.scale == .affine
            return .note(.computedDepth, origin + (isAffine ? "; its scale and shift are unknown" : ""))
        }
        return .note(.computedDepth, "\(origin), aligned to \(alignment.reference)\(line.quality)")
    }
}
