package import Bytes
package import Codecs
package import DepthMaps
package import DepthTypes
package import Sequences
internal import Synchronization

/// The scene source of a frame of a recording, movie or pipe.
///
/// A plane is read on first use, and kept as long as the scene. It uses the memory of the frame that it was read into, which
/// is reused after the scene is released.
package final class FrameSceneSource: DepthSceneSource {
    /// A frame, and which of its parts are decoded: possibly more than requested.
    package typealias Planes = (frame: SequenceFrame, parts: FrameParts)

    private let description: SceneDescription
    private let read: @Sendable (FrameParts) throws -> Planes
    private let kept = Mutex<Planes>((SequenceFrame(), []))
    package let diagnostics: [Diagnostic]

    /// A described frame; `read` decodes parts of it. `diagnostics` are the recording's.
    package init(
        _ description: SceneDescription, diagnostics: [Diagnostic] = [],
        reading read: @escaping @Sendable (FrameParts) throws -> Planes
    ) {
        self.description = description
        self.diagnostics = diagnostics
        self.read = read
    }

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

    package func describe() -> SceneDescription { description }

    package func color(atLeast _: PixelSize?) throws -> ColorImage? {
        guard description.colorSize != nil else { return nil }
        return try image(.color, \.color)
    }

    /// The picture for one eye of a spatial video. Throws ``SceneError`` for an eye that was not read, and for other scenes.
    func view(_ eye: Eye) throws -> ColorImage {
        guard let eyes = description.eyes, eyes.reads(eye),
            let image = try eye == .right && eyes.areBothRead
                ? image(.right, \.right) : image(.color, \.color)
        else { throw SceneError.notStereo("\(eye.rawValue) picture") }
        return image
    }

    private func image(
        _ part: FrameParts, _ plane: (SequenceFrame) -> FramePlane<RGB<UInt8>>
    ) throws -> ColorImage? {
        let plane = try self.plane(part, plane)
        guard !plane.isEmpty else { return nil }
        return ColorImage(
            width: plane.width, height: plane.height, pixels: .uint8(plane.samples), colorProfile: [])
    }

    package func original() throws -> ColorImage? { nil }

    package func depth() throws -> DepthMap {
        guard let depth = description.depth else { throw absence(of: nil) }
        let plane = try plane(.depth, \.depth)
        guard !plane.isEmpty else { throw absence(of: nil) }
        return DepthMap(
            width: plane.width, height: plane.height, meters: plane.samples, scale: depth.scale,
            calibration: description.cameras.given ?? description.cameras.file)
    }

    package func disparity() throws -> DisparityMap { try DisparityMap(depth()) }

    package func matte(_ kind: PlaneKind) throws -> Matte? {
        kind.isCoverage ? try samples(of: kind).map(Matte.init) : nil
    }

    package func samples(of kind: PlaneKind) throws -> SamplePlane? {
        guard description.planes.contains(kind) else { return nil }
        switch kind {
        case .confidence: return try plane(.confidence, \.confidence).samplePlane(bitDepth: 2)
        default:
            guard let matte = SequenceFrame.matte(kind) else { return nil }
            guard let samples = try plane(.matte(kind), { $0[keyPath: matte] }).samplePlane(bitDepth: 8)
            else {
                throw SequenceError.noMatte
            }
            return samples
        }
    }

    package func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic]) {
        (PictureMetadata(), [])
    }

    package func absence(of kind: PlaneKind?) -> any Error {
        SceneError.noPlane(kind, available: description.planes)
    }
}

extension FramePlane<UInt8> {
    /// The samples as codes; `nil` for an empty plane.
    fileprivate func samplePlane(bitDepth: Int) -> SamplePlane? {
        isEmpty ? nil : SamplePlane(width: width, height: height, bitDepth: bitDepth, codes: .uint8(samples))
    }
}
