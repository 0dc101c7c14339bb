package import Bytes
package import Codecs
package import DepthMaps
package import DepthTypes
package import Embedded
package import PhotoFormats

/// Two picture files that are a stereo pair, as data sets store them.
///
/// The left one gives the metadata of outputs. Planes that it holds are not used.
package struct PairedPictures: PlaneSource {
    private let left: PictureFile
    private let right: PictureFile
    private let pair: StereoPair
    private let limits: DecodingLimits
    package let diagnostics: [Diagnostic]

    /// Opens the right picture that `reading` names, and reads both structures. `name` is the path of the left picture.
    ///
    /// Throws ``ContainerError`` when the left picture cannot be read, and ``SceneError`` if the right one or the calibration
    /// cannot be read, or if the left file is a pair by itself.
    init(
        _ bytes: any ByteSource, named name: String?, right path: String, _ reading: RasterInterpretation,
        limits: DecodingLimits
    ) throws {
        try reading.validate()
        self.limits = limits
        left = try PictureFile(bytes, limits: limits)
        guard left.photo?.description.stereo == nil else { throw SceneError.pairOfItsOwn }
        do throws(ContainerError) {
            right = try PictureFile(contentsOf: path, limits: limits)
        } catch {
            throw SceneError.unreadablePicture(path: path, error)
        }
        var pair = StereoPair(left: CodedView(left), right: CodedView(right), source: "two-files")
        pair.focalLength35mm = left.focalLength35mm
        self.pair = try pair.described(by: reading, leftPath: name, limits: limits)
        let unused = left.photo?.planes.map(\.kind).filter { $0.isDepth || $0.isMatte } ?? []
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

    package func describe() -> SceneDescription {
        var scene = description(colorSize: left.size())
        scene.cameras.focalLength35mm = left.focalLength35mm
        left.photo?.addMarks(to: &scene)
        return scene
    }

    package var planes: [PlaneDescription] { [] }

    package func depthPlane() throws -> PlaneDescription { throw absence(of: nil) }

    package func absence(of kind: PlaneKind?) -> any Error { SceneError.noPlane(kind, available: []) }

    package var pictureFile: PictureFile? { left }

    package func color(atLeast size: PixelSize?) throws -> ColorImage? {
        try size.map { try left.image(atLeastWidth: $0.width, height: $0.height) } ?? left.image()
    }

    package func depth() throws -> DepthMap { throw absence(of: nil) }

    package func disparity() throws -> DisparityMap { throw absence(of: nil) }

    package func samples(of _: PlaneKind) throws -> SamplePlane? { nil }

    package func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic]) { left.metadata() }

    package func depthSource(of _: PlaneDescription, frame _: PixelOrientation) throws -> DepthSource {
        throw absence(of: nil)
    }

    package func codes(of plane: PlaneDescription, frame _: PixelOrientation) throws -> SamplePlane {
        throw absence(of: plane.kind)
    }

    package func guide(frame: PixelOrientation) throws -> ColorImage? { try left.image(frame: frame) }

    package var focalLength35mm: Int? { left.focalLength35mm }

    package var usesReading: Bool { false }

    package var stereo: StereoPair? { pair }

    package func view(_ eye: Eye, frame: PixelOrientation) throws -> ColorImage {
        try (eye == .left ? left : right).image(frame: frame)
    }

    package func stereoSource() -> StereoSceneSource { StereoSceneSource(self, pair, limits: limits) }

    package var sceneSource: any PlaneSource { pair.isComputable ? stereoSource() : self }

    package func summary(name: String) -> [String] {
        let size = left.size()
        var facts = ["\(left.format.uppercased()) \(size.width) × \(size.height)", pair.summary]
        facts.append("no auxiliary planes")
        return ["\(name): \(facts.joined(separator: ", "))"] + [pair.computableSummary].compactMap(\.self)
    }

    package func record(path: String, describing: (Diagnostic) -> String) -> JSONValue {
        let size = left.size(.stored)
        let description = left.photo?.description
        return .info(
            path: path, container: left.format, width: size.width, height: size.height,
            orientation: left.orientation,
            camera: (description?.make, description?.model, left.focalLength35mm), planes: [],
            stereo: pair.record, warnings: diagnostics.map(describing))
    }
}

extension Diagnostic.Code {
    /// Planes of a picture that is used for its colors only.
    package static let unusedPlanes: Self = "unused-planes"
}

extension CodedView {
    fileprivate init(_ file: PictureFile) {
        let size = file.size(.stored)
        self.init(fileOfWidth: size.width, height: size.height, orientation: file.orientation)
    }
}
