internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import Embedded
internal import Scenes

/// The parts of a scene in a page, decoded and recoded.
struct SceneParts: Sendable {
    let description: SceneDescription
    /// The camera of the depth, with the origin of its values; `nil` without depth.
    let resolvedCamera: ResolvedCamera?
    /// The photo, or depth in colors without one.
    let picture: PagePicture
    /// Whether ``picture`` is the photo.
    let hasPhoto: Bool
    /// The picture from before the camera's blur, which is refocused; `nil` if missing.
    let sharp: PagePicture?
    /// What is brighter than white in the picture that is refocused, see ``PageLamps``; `nil` for nothing, or without depth.
    let lamps: [UInt8]?
    let depth: PackedDepth?
    let mattes: [PageMatte]
    let camera: PageCamera?
    /// The lens that the page begins with, as `blur` would choose it; `nil` for frames, and without depth or a photo.
    let lens: SyntheticAperture?
    /// The point of its focus; `nil` if the camera marked none.
    let mark: NormalizedPoint?
    /// What the camera of a frame sees; `nil` for photos, and where ``PictureView`` cannot describe it.
    let view: PictureView?
    /// Where thumbnails show the subject, see `Matte.thumbnailPlace`.
    let thumbnailPlace: SIMD2<Double>
    /// A small JPEG file of ``picture``; empty unless requested.
    let thumbnail: [UInt8]
    let diagnostics: [Diagnostic]

    /// The maximum number of depth samples of a photo, which keeps a page of 16-bit depth within its size.
    private static let mostSamples = 600_000
    /// The maximum number of depth samples of a frame, which keeps a page of many frames small.
    private static let mostFrameSamples = 16_000

    /// The parts of a photo.
    init(_ scene: DepthScene, _ options: PageOptions) throws {
        var diagnostics: [Diagnostic] = []
        let depth = try Self.depth(of: scene, &diagnostics)
        let mattes = try Self.mattes(of: scene, &diagnostics)
        let (shown, origin) = try scene.showing(options.pictureOrigin)
        let hasSharp = options.pictureOrigin == nil && origin == .original && depth != nil
        let planeBytes = mattes.reduce(depth?.png.count ?? 0) { $0 + $1.jpeg.count }
        let most = options.pictureBytes(besides: planeBytes, count: hasSharp ? 2 : 1)
        func coded(_ image: ColorImage) throws(WriteError) -> PagePicture {
            try PagePicture(
                image, longestSide: options.longestSide, quality: options.quality, maximumBytes: most)
        }
        func decoded(_ scene: DepthScene) throws -> ColorImage? {
            try scene.picture(atLeast: scene.description.colorSize?.within(options.longestSide))
        }
        var image = try Self.part("the photo itself", &diagnostics) {
            try decoded(hasSharp ? scene : shown)
        }
        hasPhoto = image != nil
        guard let first = try image ?? (depth == nil ? nil : Self.colored(scene)) else {
            if let damage = diagnostics.first?.error { throw damage }
            throw SceneError.noPicture
        }
        picture = try coded(first)
        let isCut = options.thumbnailSide != nil && picture.size.thumbnailPart != picture.size
        let place = (isCut ? try? scene.subjectMatte().matte.thumbnailPlace : nil) ?? SIMD2(0.5, 0.5)
        thumbnailPlace = place
        thumbnail = try options.thumbnailSide.map { try first.thumbnail($0, at: place).jpeg } ?? []
        let original =
            hasSharp ? try Self.part("the original", &diagnostics) { try decoded(shown) } : nil
        sharp = try original.map(coded)
        image = original ?? image
        let map = (try? shown.gainMap()) ?? nil
        lamps = try depth == nil ? nil : image.flatMap { PageLamps(of: $0, map) }?.png()
        camera = depth == nil ? nil : PageCamera(scene)
        description = scene.description
        resolvedCamera = description.depth == nil ? nil : try? scene.resolvedCamera()
        (lens, mark) =
            depth == nil || !hasPhoto
            ? (nil, nil) : (try? scene.usualLens(options.pictureOrigin)) ?? (nil, nil)
        (self.depth, self.mattes, self.diagnostics, view) = (depth, mattes, diagnostics, nil)
    }

    /// The picture and the depth of a frame. `unitsPerMeter` is the unit of its stored depth; `nil` for samples in meters. Throws errors
    /// of decoding.
    init(frame scene: DepthScene, _ unitsPerMeter: Double?, _ options: PageOptions) throws {
        depth = try scene.description.depth.map {
            try PackedDepth(
                scene, $0, step: unitsPerMeter.map { 1 / $0 }, mostSamples: Self.mostFrameSamples)
        }
        let photo = try scene.picture(atLeast: scene.description.colorSize?.within(options.frameSide))
        hasPhoto = photo != nil
        let image = try photo ?? Self.colored(scene)
        // Depth in colors has no more details than its samples in the page.
        let samples = depth.flatMap { photo == nil ? max($0.size.width, $0.size.height) : nil }
        picture = try PagePicture(
            image, longestSide: min(options.frameSide, samples ?? .max), quality: options.quality,
            maximumBytes: options.frameBytes)
        let place = SIMD2(0.5, 0.5)
        thumbnailPlace = place
        thumbnail = try options.thumbnailSide.map { try image.thumbnail($0, at: place).jpeg } ?? []
        camera = depth == nil ? nil : PageCamera(scene)
        description = scene.description
        resolvedCamera = depth == nil ? nil : try? scene.resolvedCamera()
        view = hasPhoto ? PictureView(scene) : nil
        (sharp, lamps, mattes, diagnostics, lens, mark) = (nil, nil, [], [], nil, nil)
    }

    private static func depth(
        of scene: DepthScene, _ diagnostics: inout [Diagnostic]
    ) throws -> PackedDepth? {
        let depth = try part("the depth", &diagnostics) {
            try scene.description.depth.map { depth in
                let step = depth.coding.flatMap { $0.isSmoothed ? nil : Double($0.step) }
                return try PackedDepth(scene, depth, step: step, mostSamples: mostSamples)
            }
        }
        if let depth, depth.size != depth.description.size {
            diagnostics.append(
                .note(
                    .omittedSamples,
                    "the page holds \(depth.size) of the \(depth.description.size) samples of depth, with their values"
                ))
        }
        return depth
    }

    private static func mattes(
        of scene: DepthScene, _ diagnostics: inout [Diagnostic]
    ) throws -> [PageMatte] {
        var mattes: [PageMatte] = []
        for kind in PlaneKind.allCases where kind.isMatte && scene.description.planes.contains(kind) {
            let matte = try part("the \(kind.rawValue) matte", &diagnostics) {
                try scene.matte(kind).map { try PageMatte($0, kind: kind) }
            }
            if let matte { mattes.append(matte) }
        }
        return mattes
    }

    /// A part of the page; `nil` and a warning if it is damaged.
    private static func part<Part>(
        _ name: String, _ diagnostics: inout [Diagnostic], _ body: () throws -> Part?
    ) throws -> Part? {
        do {
            return try body()
        } catch let error as ContainerError {
            var warning = Diagnostic(error)
            warning.message = "\(name) cannot be read, and is left out: \(error.message)"
            diagnostics.append(warning)
            return nil
        }
    }

    /// The depth in false color; near is bright.
    static func colored(_ scene: DepthScene) throws -> ColorImage {
        if scene.description.depth?.quantity == .disparity || scene.description.depth?.scale != .affine {
            return try scene.disparity().normalized().colored(by: .viridis)
        }
        return try scene.depth().normalized().inverted.colored(by: .viridis)
    }

    /// The parameters of the frame for the page's script, without those of `camera`.
    func record(unlike camera: PageCamera?) -> JSONValue {
        let moment = description.index.map { index -> [(String, JSONValue)] in
            let time = ((description.time ?? 0) * 1e6).rounded() / 1e6
            return [("index", .integer(index)), ("time", .number(time))]
        }
        return .object(
            (moment ?? []) + [
                ("depth", depth.map { .object($0.codeFields) } ?? .null),
                ("camera", self.camera.map { .object($0.pinholeFields(unlike: camera)) } ?? .null),
                ("pose", description.pose.map { .numbers(Self.numbers($0)) } ?? .null),
            ])
    }

    /// Right, down, forward and position, concatenated.
    private static func numbers(_ pose: CameraPose) -> [Double] {
        [pose.right, pose.down, pose.forward, pose.position].flatMap { vector in
            (0..<3).map { (vector[$0] * 1e6).rounded() / 1e6 }
        }
    }
}
