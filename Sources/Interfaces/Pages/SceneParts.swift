internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import Embedded
internal import Scenes

/// The parts of a scene in a page, decoded and recoded.
struct SceneParts: Sendable {
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
    /// A small JPEG file of ``picture``; empty unless requested.
    let thumbnail: [UInt8]
    let diagnostics: [Diagnostic]

    /// The color maps that a page offers.
    private static let colorMaps: [ColorMap] = [.turbo, .viridis, .inferno, .gray]
    init(_ scene: DepthScene, _ options: PageOptions) throws {
        var diagnostics: [Diagnostic] = []
        let depth = try Self.depth(of: scene, &diagnostics)
        let mattes = try Self.mattes(of: scene, &diagnostics)
        let (shown, origin) = try scene.showing(nil)
        let hasSharp = origin == .original && depth != nil
        let planeBytes = mattes.reduce(depth?.png.count ?? 0) { $0 + $1.jpeg.count }
        var pictures = PagePictures(options, besides: planeBytes, sharing: hasSharp ? 2 : 1)
        let photo = try Self.part("the photo itself", &diagnostics) { try pictures.picture(of: scene) }
        sharp =
            hasSharp ? try Self.part("the original", &diagnostics) { try pictures.picture(of: shown) } : nil
        let map = (try? shown.gainMap()) ?? nil
        lamps = try depth == nil ? nil : pictures.last.flatMap { PageLamps(of: $0, map) }?.png()
        if let photo {
            picture = photo
        } else {
            guard depth != nil else {
                if let damage = diagnostics.first?.error { throw damage }
                throw SceneError.noPicture
            }
            picture = try pictures.coded(Self.colored(scene))
        }
        hasPhoto = photo != nil
        thumbnail = pictures.thumbnail?.jpeg ?? []
        camera = depth == nil ? nil : PageCamera(scene)
        (self.depth, self.mattes, self.diagnostics) = (depth, mattes, diagnostics)
    }

    private static func depth(
        of scene: DepthScene, _ diagnostics: inout [Diagnostic]
    ) throws -> PackedDepth? {
        let depth = try part("the depth", &diagnostics) {
            try scene.description.depth.map { try PackedDepth(scene, $0) }
        }
        if let depth, depth.size != depth.fullSize {
            diagnostics.append(
                .note(
                    .omittedSamples,
                    "the page holds \(depth.size) of the \(depth.fullSize) samples of depth, with their values"
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

    /// How far away the scene is, as text.
    var facts: String {
        guard let depth else { return "without depth" }
        return depth.distances.map { PageHeading.distances($0.near, $0.far) } ?? "depth without a unit"
    }

    /// The blocks of data that the script reads.
    func data(_ description: SceneDescription) -> [UInt8] {
        var blocks = DataBlocks()
        blocks.append("scene", json: record(description).forPage)
        if let depth { blocks.append("depth", base64: depth.png) }
        for (index, matte) in mattes.enumerated() { blocks.append("matte-\(index)", base64: matte.jpeg) }
        if let sharp { blocks.append("sharp", base64: sharp.jpeg) }
        if let lamps { blocks.append("lamps", base64: lamps) }
        return blocks.bytes
    }

    private func record(_ description: SceneDescription) -> JSONValue {
        let size = (sharp ?? picture).size
        let camera = description.cameras.camera(for: size).calibration
            .scaled(toWidth: size.width, height: size.height)
        let marks = description.focusMarks + description.faces + [description.subjectMark].compactMap(\.self)
        let fNumber = description.simulatedAperture.flatMap { $0 > 0 && $0.isFinite ? $0 : nil } ?? 4.5
        return .object([
            ("hasPhoto", .bool(hasPhoto)), ("hasSharp", .bool(sharp != nil)),
            ("hasLamps", .bool(lamps != nil)),
            ("depth", depth?.record ?? .null), ("camera", self.camera?.record ?? .null),
            ("focalLength", .number(camera.focalLengthX)),
            ("aperture", .number(Double(min(max(fNumber, 1), 32)))),
            ("focus", marks.first.map { .numbers([$0.x, $0.y]) } ?? .null),
            ("mattes", .array(mattes.map(\.record))),
            (
                "colorMaps",
                .object(depth == nil ? [] : Self.colorMaps.map { ($0.rawValue, .text($0.hexadecimal)) })
            ),
        ])
    }

    /// The contents of the page, for scripts.
    var fields: [(String, JSONValue)] {
        func record(_ picture: PagePicture?) -> JSONValue {
            guard let picture else { return .null }
            return .object([
                ("width", .integer(picture.size.width)), ("height", .integer(picture.size.height)),
                ("bytes", .integer(picture.jpeg.count)),
            ])
        }
        return [
            ("photo", record(hasPhoto ? picture : nil)), ("original", record(sharp)),
            ("depth", depth?.record ?? .null), ("mattes", .array(mattes.map { .text($0.kind.rawValue) })),
        ]
    }
}

/// Codes the pictures of a page, each within its fraction of the page's bytes.
private struct PagePictures {
    private let options: PageOptions
    private let maximumBytes: Int
    /// A small picture of the first one that was coded; `nil` if the options give no size for it.
    private(set) var thumbnail: PagePicture?
    /// The picture of a scene that was decoded last.
    private(set) var last: ColorImage?

    /// The bytes of the document without its data.
    private static let documentBytes = 145_000
    /// The maximum bytes of each picture.
    private static let leastBytes = 120_000

    /// Pictures share the bytes of a page that remain after `planeBytes`; base64 needs four bytes for three.
    init(_ options: PageOptions, besides planeBytes: Int, sharing count: Int) {
        self.options = options
        let budget = (PageOptions.usualBytes - Self.documentBytes) / 4 * 3 - planeBytes
        maximumBytes = max(budget / count, Self.leastBytes)
    }

    /// The scene's picture; `nil` without one.
    mutating func picture(of scene: DepthScene) throws -> PagePicture? {
        guard let size = scene.description.colorSize,
            let image = try scene.picture(atLeast: size.within(options.longestSide))
        else { return nil }
        last = image
        return try coded(image)
    }

    mutating func coded(_ image: ColorImage) throws -> PagePicture {
        if let side = options.thumbnailSide, thumbnail == nil {
            thumbnail = try PagePicture(
                image, longestSide: side, quality: SceneThumbnail.quality, maximumBytes: 0)
        }
        return try PagePicture(
            image, longestSide: options.longestSide, quality: options.quality, maximumBytes: maximumBytes)
    }
}

extension ColorMap {
    /// The 256 colors, six digits each.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        let text = colors.flatMap { color in
            [color.red, color.green, color.blue].flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
