package import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Embedded
internal import PhotoFormats

/// Two picture files that are a stereo pair, as data sets store them.
///
/// The left one gives the metadata of outputs. Planes that it holds are not used.
struct PairedPictures: SceneSource {
    private let left: any SceneSource
    private let right: any SceneSource
    private let pair: StereoPair
    private let limits: DecodingLimits
    let diagnostics: [Diagnostic]

    /// Opens the right picture that `reading` names, and reads both structures. `name` is the path of the left picture.
    ///
    /// Throws ``ContainerError`` when the left picture cannot be read, and ``SceneError`` if the right one or the calibration
    /// cannot be read, or if the left file is a pair by itself.
    init(
        _ bytes: any ByteSource, named name: String?, right path: String, _ reading: ReadingOptions,
        limits: DecodingLimits
    ) throws {
        try reading.validate()
        self.limits = limits
        left = try openPicture(bytes, limits: limits)
        let described = left.describe()
        guard described.stereo == nil else { throw SceneError.pairOfItsOwn }
        do throws(ContainerError) {
            right = try openPicture(path, limits: limits)
        } catch {
            throw SceneError.unreadablePicture(path: path, error)
        }
        var pair = StereoPair(
            left: CodedView(described), right: CodedView(right.describe()), source: "two-files")
        pair.focalLength35mm = described.focalLength35mm
        self.pair = try pair.described(by: reading, leftPath: name, limits: limits)
        let unused = described.storedPlanes.map(\.kind).filter { $0.isDepth || $0.isMatte }
        diagnostics =
            unused.isEmpty
            ? []
            : [
                .note(
                    .unusedPlanes,
                    "planes of the left picture are not used: \(unused.map(\.rawValue).joined(separator: ", "))"
                )
            ]
    }

    func describe() -> SceneDescription {
        let left = left.describe()
        var scene = SceneDescription(
            planes: [], depth: nil, colorSize: left.colorSize, isLaidOverWhite: left.isLaidOverWhite)
        scene.cameras.focalLength35mm = left.focalLength35mm
        (scene.cameraMake, scene.cameraModel) = (left.cameraMake, left.cameraModel)
        scene.hasGainMap = left.hasGainMap
        scene.takeMarks(of: left)
        (scene.stereo, scene.file) = (pair, left.file)
        scene.file?.kind = .pictures
        scene.file?.usesReading = false
        scene.file?.isWithoutDepth = false
        return scene
    }

    func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic]) { left.metadata() }

    func decode(_ id: PlaneID, as request: PlaneRequest, into plane: inout DecodedPlane) throws {
        switch id {
        case .picture, .gainMap: try left.decode(id, as: request, into: &plane)
        case .eye(let eye):
            let picture = PlaneRequest(frame: request.frame)
            try (eye == .left ? left : right).decode(.picture, as: picture, into: &plane)
        case .plane: return
        }
    }
}

extension Diagnostic.Code {
    /// Planes of a picture that is used for its colors only.
    package static let unusedPlanes: Self = "unused-planes"
}

extension CodedView {
    fileprivate init(_ picture: SceneDescription) {
        let size = picture.file?.size ?? PixelSize(width: 0, height: 0)
        self.init(
            fileOfWidth: size.width, height: size.height, orientation: picture.file?.orientation ?? .up)
    }
}
