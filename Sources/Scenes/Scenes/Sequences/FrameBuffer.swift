package import Bytes
package import Codecs
internal import DepthMaps
package import DepthTypes
internal import PhotoFormats
internal import Synchronization

/// The source of a frame's scene: planes that are decoded into memory which the next frame reuses, or when they are first used.
package final class FrameBuffer: SceneSource {
    /// Decodes planes of the frame, possibly more than requested, and says which.
    package typealias Reader =
        @Sendable (Set<PlaneID>) throws -> (frame: FramePlanes, planes: Set<PlaneID>)

    private struct State {
        var description = SceneDescription()
        var frame = FramePlanes()
        /// The planes that were decoded.
        var planes: Set<PlaneID> = []
    }

    private let state = Mutex(State())
    private let reader: Reader?
    private let remarks: [Diagnostic]
    private let measuring: (@Sendable () -> DepthScene)?

    /// A buffer without a frame.
    package init() { (reader, remarks, measuring) = (nil, [], nil) }

    /// A frame whose planes are decoded when they are first used. `diagnostics` are those of its recording; `measured` makes the
    /// scene as the camera sees it that measured the depth.
    package init(
        _ description: SceneDescription, diagnostics: [Diagnostic] = [],
        measured: (@Sendable () -> DepthScene)? = nil, _ reader: @escaping Reader
    ) {
        (self.reader, remarks, measuring) = (reader, diagnostics, measured)
        state.withLock { $0.description = description }
    }

    /// Replaces the frame by another one: `body` decodes these planes of it. No scene may be made of the frame before.
    package func replace(
        _ description: SceneDescription, _ planes: Set<PlaneID>, _ body: (inout FramePlanes) throws -> Void
    ) rethrows {
        try state.withLock { state in
            (state.description, state.planes) = (description, planes)
            state.frame.clear()
            try body(&state.frame)
        }
    }

    /// Lets `body` decode more planes of the frame.
    package func update(_ body: (SceneDescription, inout FramePlanes) throws -> Void) rethrows {
        try state.withLock { try body($0.description, &$0.frame) }
    }

    package func describe() -> SceneDescription { state.withLock { $0.description } }

    package func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic]) {
        (PictureMetadata(), [])
    }

    package var diagnostics: [Diagnostic] {
        remarks + [state.withLock { $0.frame.counts.remarkOnMisses }].compactMap(\.self)
    }

    package var measured: DepthScene? { measuring?() }

    package func decode(_ id: PlaneID, as request: PlaneRequest, into plane: inout DecodedPlane) throws {
        try state.withLock { state in
            let scene = state.description
            switch id {
            case .picture where scene.colorSize != nil: try set(&plane, .picture, \.color, &state)
            case .eye(let eye):
                guard let eyes = scene.eyes, eyes.reads(eye) else { return }
                let isSecond = eye == .right && eyes.areBothRead
                try set(&plane, isSecond ? id : .picture, isSecond ? \.right : \.color, &state)
            case .depth:
                guard let depth = scene.depth else { return }
                let samples = try read(id, \.depth, &state)
                guard !samples.isEmpty else { throw SequenceError.noDepth }
                plane = DecodedPlane(
                    DepthMap(
                        width: samples.width, height: samples.height, meters: samples.samples,
                        scale: depth.scale, calibration: scene.calibrationOfFrame))
                if state.frame.counts.total > 0 { plane.counts = state.frame.counts }
                plane.step = depth.unitsPerMeter.flatMap { $0 > 1 ? Float(1 / $0) : nil }
            case .confidence where scene.planes.contains(.confidence):
                plane.set(try read(id, \.confidence, &state), .confidence, bitDepth: 2)
            case .plane(let kind, 0) where kind.isMatte && scene.planes.contains(kind):
                plane.set(try read(id, \.[matte: kind], &state), kind, bitDepth: 8)
                if plane.isEmpty { throw SequenceError.noMatte }
            case .picture, .gainMap, .plane: return
            }
        }
    }

    private func set(
        _ plane: inout DecodedPlane, _ id: PlaneID, _ path: KeyPath<FramePlanes, FramePlane<RGB<UInt8>>>,
        _ state: inout State
    ) throws {
        let pixels = try read(id, path, &state)
        guard !pixels.isEmpty else { throw id == .picture ? SequenceError.noColor : .noRightEye }
        plane = DecodedPlane(pixels.image)
    }

    /// A plane of the frame, which is decoded if it was not yet.
    private func read<Plane>(
        _ id: PlaneID, _ path: KeyPath<FramePlanes, Plane>, _ state: inout State
    ) throws -> Plane {
        if let reader, !state.planes.contains(id) {
            let (frame, planes) = try reader([id])
            state.frame.take(planes.subtracting(state.planes), of: frame)
            state.planes.formUnion(planes)
        }
        return state.frame[keyPath: path]
    }
}

extension SceneDescription {
    /// The camera of a frame: the given one, or the recording's.
    package var calibrationOfFrame: CameraCalibration? { cameras.given ?? cameras.file }

    /// The pose of the camera that measured the depth; `nil` if unknown.
    package var poseOfDepth: CameraPose? { depthPose.map { pose?.appending($0) } ?? pose }

    /// The kinds of mattes that frames have.
    package var mattes: [PlaneKind] { planes.filter(\.isMatte) }

    /// Sets the depth of frames, in a scale after reading.
    package mutating func setFrameDepth(_ size: PixelSize, _ scale: DepthScale, unitsPerMeter: Double?) {
        depth = Depth(size: size, quantity: .depth, scale: scale)
        depth?.unitsPerMeter = unitsPerMeter
        planes.insert(.depth, at: 0)
        highestConfidence = 2
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
