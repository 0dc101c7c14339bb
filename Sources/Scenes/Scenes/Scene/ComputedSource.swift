package import Bytes
package import Codecs
public import DepthMaps
public import DepthTypes
internal import PhotoFormats

/// A scene that is computed, wholly or in part: a frame, a scene with treated depth, a network's answer.
package struct ComputedSource: SceneSource {
    /// Answers a plane. Returns `false` for planes that the underlying scene answers.
    package typealias Answer =
        @Sendable (_ id: PlaneID, _ request: PlaneRequest, _ plane: inout DecodedPlane) throws -> Bool

    private let description: SceneDescription
    private let scene: DepthScene?
    private let remarks: @Sendable () -> [Diagnostic]
    private let answer: Answer
    package let measured: DepthScene?

    /// A described scene. Planes that `answer` does not compute are those of `scene`, if it is given; `remarks` are the
    /// diagnostics besides that scene's. `measured` is the scene as the camera sees it that measured the depth.
    package init(
        _ description: SceneDescription, over scene: DepthScene? = nil,
        measured: DepthScene? = nil, remarks: @escaping @Sendable () -> [Diagnostic] = { [] },
        _ answer: @escaping Answer
    ) {
        (self.description, self.scene, self.remarks, self.answer) = (description, scene, remarks, answer)
        self.measured = measured
    }

    package func describe() -> SceneDescription { description }

    package func decode(_ id: PlaneID, as request: PlaneRequest, into plane: inout DecodedPlane) throws {
        if try !answer(id, request, &plane), let scene { plane = try scene.plane(id, as: request) }
    }

    package func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic]) {
        scene?.metadata() ?? (PictureMetadata(), [])
    }

    package var diagnostics: [Diagnostic] { (scene?.diagnostics ?? []) + remarks() }
}

extension DepthScene {
    /// A scene of depth and a picture of the same view, both upright: for depth from any other source.
    ///
    /// ```swift
    /// let depth = DepthMap(width: 640, height: 480, meters: samples, scale: .absolute)
    /// let scene = DepthScene(depth: depth, color: photo, camera: camera)
    /// try scene.cloud().write(to: "room.ply")
    /// ```
    ///
    /// The camera's reference frame may have another size than the depth; without a camera, the depth's own is used.
    public init(depth: DepthMap?, color: ColorImage? = nil, camera: CameraCalibration? = nil) {
        var description = SceneDescription()
        description.colorSize = color.map { PixelSize(width: $0.width, height: $0.height) }
        description.depth = depth.map {
            .init(size: PixelSize(width: $0.width, height: $0.height), quantity: .depth, scale: $0.scale)
        }
        if depth != nil { description.planes = [.depth] }
        description.cameras.file = camera ?? depth?.calibration
        self.init(
            ComputedSource(description) { id, _, plane in
                switch id {
                case .picture: plane = color.map { DecodedPlane($0) } ?? DecodedPlane()
                case .plane(.depth, 0): plane = depth.map { DecodedPlane($0) } ?? DecodedPlane()
                default: return false
                }
                return true
            })
    }
}
