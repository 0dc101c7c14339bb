internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import PhotoFormats
package import Scenes
internal import Synchronization

/// The depth that a network computes from the picture of a scene, when it is first read, or that a caller supplies.
package final class ComputedDepth: Sendable {
    private let original: DepthScene
    private let supply: DepthSupply
    private let alignment: DepthAlignment
    private let plane: PlaneDescription
    private let answered = Mutex<Answer?>(nil)

    private struct Answer: Sendable {
        var plane: DecodedPlane
        var focalLength: Double?
        var line: AffineAlignment?
        var remark: Diagnostic
    }

    /// Throws as ``DepthAlignment/checked(for:_:)`` does. Runs nothing.
    package init(of scene: DepthScene, _ supply: DepthSupply, _ alignment: DepthAlignment) throws {
        let scale: DepthScale
        (original, self.supply) = (scene, supply)
        (self.alignment, scale) = try alignment.checked(for: scene.description, supply.scale)
        plane = PlaneDescription(
            computed: self.alignment.isNone && supply.quantity == .depth ? .depth : .disparity,
            width: supply.size.width, height: supply.size.height, bitDepth: 32,
            source: supply.file.isEmpty ? "caller" : "network", type: supply.file, scale: scale)
    }

    /// Depth of a caller for a scene; otherwise as ``init(of:_:_:)``. Throws if it should be aligned to stored depth, and the
    /// scene has none in meters.
    package static func supplied(
        _ supply: DepthSupply, to scene: DepthScene, _ alignment: DepthAlignment
    ) throws -> ComputedDepth {
        if case .stored = alignment {
            guard let stored = scene.description.depth else { throw scene.description.absence(of: nil) }
            try stored.scale.requireMeters()
        }
        return try ComputedDepth(of: scene, supply, alignment)
    }

    /// The scene with this depth. Runs the network only if it estimates the camera, and the scene has none.
    package var scene: DepthScene {
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
        if description.cameras.file == nil, supply.hasFocalLength,
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

    /// How the depth was aligned; `nil` if it is not. Computes it.
    package var line: AffineAlignment? { get throws { try answer().line } }

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
        let depth = try supply.values(original)
        if case .relative(let map, let focalLength) = depth, alignment.isNone {
            let map = DepthMap(
                width: map.width, height: map.height, meters: map.meters, scale: plane.scale,
                calibration: camera)
            return Answer(plane: DecodedPlane(map), focalLength: focalLength, remark: remark(nil))
        }
        let (map, focalLength) = depth.disparity
        let values = DisparityMap(
            width: map.width, height: map.height, reciprocalMeters: map.reciprocalMeters,
            scale: alignment.isNone ? plane.scale : .affine, calibration: camera)
        let line = try alignment.line(of: values, original)
        let aligned = line.map { values.aligned(by: $0, scale: plane.scale) } ?? values
        return Answer(
            plane: DecodedPlane(aligned), focalLength: focalLength, line: line, remark: remark(line))
    }

    /// A description of the depth's origin.
    private func remark(_ line: AffineAlignment?) -> Diagnostic {
        guard let line else {
            let isAffine = plane.scale == .affine
            return .note(
                .computedDepth, supply.origin + (isAffine ? "; its scale and shift are unknown" : ""))
        }
        return .note(.computedDepth, "\(supply.origin), aligned to \(alignment.reference)\(line.quality)")
    }
}
