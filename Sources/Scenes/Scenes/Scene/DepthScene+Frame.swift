package import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import PhotoFormats
package import Sequences
internal import Synchronization

extension DepthScene {
    /// A frame, and which of its parts are decoded: possibly more than requested.
    package typealias FramePlanes = (frame: SequenceFrame, parts: FrameParts)

    /// A frame of a recording, movie or pipe; `read` decodes parts of it. `diagnostics` are the recording's.
    ///
    /// A plane is read on first use, and kept as long as the scene. It uses the memory of the frame that it was read into,
    /// which is reused after the scene is released.
    package init(
        frame description: SceneDescription, diagnostics: [Diagnostic] = [],
        reading read: @escaping @Sendable (FrameParts) throws -> FramePlanes
    ) {
        let planes = KeptPlanes(read)
        self.init(
            ComputedSource(description, remarks: { diagnostics }) { id, _, plane in
                try planes.decode(id, description, into: &plane)
                return true
            })
    }
}

/// The planes of a frame that were read so far.
private final class KeptPlanes: Sendable {
    private let read: @Sendable (FrameParts) throws -> DepthScene.FramePlanes
    private let kept = Mutex<DepthScene.FramePlanes>((SequenceFrame(), []))

    init(_ read: @escaping @Sendable (FrameParts) throws -> DepthScene.FramePlanes) { self.read = read }

    private func plane<Sample>(
        _ part: FrameParts, _ plane: (SequenceFrame) -> FramePlane<Sample>
    ) throws -> FramePlane<Sample> {
        try kept.withLock { kept in
            if !kept.parts.contains(part) {
                let (frame, parts) = try read(part)
                kept.frame.take(parts.subtracting(kept.parts), of: frame)
                kept.parts.formUnion(parts)
            }
            return plane(kept.frame)
        }
    }

    func decode(_ id: PlaneID, _ scene: SceneDescription, into plane: inout DecodedPlane) throws {
        switch id {
        case .picture where scene.colorSize != nil: try decodePicture(.color, \.color, into: &plane)
        case .eye(let eye):
            guard let eyes = scene.eyes, eyes.reads(eye) else { return }
            eye == .right && eyes.areBothRead
                ? try decodePicture(.right, \.right, into: &plane)
                : try decodePicture(.color, \.color, into: &plane)
        case .plane(.depth, 0):
            guard let depth = scene.depth else { return }
            let samples = try self.plane(.depth, \.depth)
            guard !samples.isEmpty else { return }
            plane = DecodedPlane(
                DepthMap(
                    width: samples.width, height: samples.height, meters: samples.samples, scale: depth.scale,
                    calibration: scene.cameras.given ?? scene.cameras.file))
        case .plane(.confidence, 0) where scene.planes.contains(.confidence):
            plane.set(try self.plane(.confidence, \.confidence), .confidence, bitDepth: 2)
        case .plane(let kind, 0) where scene.planes.contains(kind):
            guard let matte = SequenceFrame.matte(kind) else { return }
            plane.set(try self.plane(.matte(kind), { $0[keyPath: matte] }), kind, bitDepth: 8)
            if plane.isEmpty { throw SequenceError.noMatte }
        case .picture, .gainMap, .plane: return
        }
    }

    private func decodePicture(
        _ part: FrameParts, _ picture: (SequenceFrame) -> FramePlane<RGB<UInt8>>,
        into plane: inout DecodedPlane
    ) throws {
        let pixels = try self.plane(part, picture)
        guard !pixels.isEmpty else { return }
        plane = DecodedPlane(pixels.image)
    }
}

extension DecodedPlane {
    /// Sets the codes of a frame's plane, unless it is empty.
    fileprivate mutating func set(_ codes: FramePlane<UInt8>, _ kind: PlaneKind, bitDepth: Int) {
        guard !codes.isEmpty else { return }
        let (width, height) = (codes.width, codes.height)
        self = DecodedPlane(
            SamplePlane(width: width, height: height, bitDepth: bitDepth, codes: .uint8(codes.samples)),
            PlaneDescription(
                computed: kind, width: width, height: height, bitDepth: 8, source: "scene", type: "scene"))
    }
}
