internal import Bytes
internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import Embedded
internal import Recordings
internal import Scenes

/// What a page shows: a photo, or frames of a recording with its fused cloud.
struct PageContent: Sendable {
    /// At least one.
    private let frames: [SceneParts]
    private let cloud: PageCloud?
    /// How many frames the recording has; `nil` for a photo.
    private let total: Int?
    /// The path of the camera; empty without a cloud.
    private let path: [SIMD3<Double>]

    /// The color maps that a page of one frame offers; others have the first.
    private static let colorMaps: [ColorMap] = [.turbo, .viridis, .inferno, .gray]
    /// The maximum number of points of the path.
    private static let mostPathPoints = 2000

    /// A photo.
    init(_ frames: [SceneParts]) { (self.frames, cloud, total, path) = (frames, nil, nil, []) }

    /// Frames of a recording.
    init(_ frames: [SceneParts], of recording: Recording, _ cloud: PageCloud?) {
        (self.frames, self.cloud, total) = (frames, cloud, recording.frameCount)
        let path = cloud == nil ? [] : recording.frames.compactMap(\.pose).map(\.position)
        let step = max(1, (path.count + Self.mostPathPoints - 1) / Self.mostPathPoints)
        self.path = stride(from: 0, to: path.count, by: step).map { path[$0] }
    }

    private var first: SceneParts { frames[0] }
    private var depth: PackedDepth? { frames.lazy.compactMap(\.depth).first }

    /// The modules of the views that the content may have, in the order of their tabs.
    private var views: [String] {
        let (hasDepth, isStill) = (depth != nil, frames.count == 1)
        let hasMatte = first.mattes.contains { $0.kind == .matte }
        let hasPhoto = frames.contains(where: \.hasPhoto)
        // Several frames leave no bytes for the scripts of the others.
        let hasLayers = isStill && hasDepth && hasPhoto && first.camera != nil
        var views: [String] = []
        if hasDepth || !first.mattes.isEmpty { views.append("depthview.js") }
        if hasDepth && hasPhoto && isStill { views.append("focus.js") }
        if hasDepth && (hasPhoto || !isStill) || hasPhoto && hasMatte { views.append("background.js") }
        if hasLayers { views.append("move.js") }
        if cloud != nil { views.append("cloud.js") } else if hasLayers { views.append("solid.js") }
        if isStill, let depth, depth.description.scale.hasUnit, first.camera != nil {
            views.append("measure.js")
        }
        return views
    }

    /// The document, and the contents of the page for the line of JSON that a tool prints.
    func page(
        titled title: String, _ fields: JSONValue, _ remarks: [String], _ options: PageOptions
    ) -> (fields: [(String, JSONValue)], bytes: [UInt8]) {
        let record = PageRecord(
            fields: fields, description: first.description, camera: first.resolvedCamera,
            remarks: remarks + first.diagnostics.map(\.description))
        let heading = first.description.captureTime.flatMap(PageHeading.day) ?? title
        let title = heading.asHeading.forPage
        let kind = !first.hasPhoto ? "The depth in colors" : total == nil ? "The photo" : "A frame"
        let values: [String: [UInt8]] = [
            "entry": AlbumEntry(record, keepsTime: options.album != nil).element,
            "navigation": options.navigation, "title": Array(title.utf8),
            "facts": Array(record.facts(showing: frames.count, distances).utf8),
            "alt": Array("\(kind), \(title)".utf8),
            "width": Array("\(first.picture.size.width)".utf8),
            "height": Array("\(first.picture.size.height)".utf8),
            "photo": Array("data:image/jpeg;base64,\(encodeBase64(first.picture.jpeg))".utf8),
            "record": Array(record.html.utf8), "json": Array(fields.serialized.forPage.utf8), "data": data,
        ]
        let bytes = PageResources.scene.document(values, options, running: views + ["page.js"])
        return (self.fields + [("bytes", .integer(bytes.count))], bytes)
    }

    /// How far away nearly everything is, as text.
    private var distances: String {
        guard let depth else { return "without depth" }
        guard depth.description.scale.hasUnit, let ends = disparities(beyondEnds: 0.02), ends.high > 0
        else { return "depth without a unit" }
        return PageHeading.distances(1 / ends.high, 1 / ends.low)
    }

    /// The disparities between which nearly all samples are, except this fraction at each end; `nil` without known samples.
    private func disparities(beyondEnds share: Double) -> (low: Double, high: Double)? {
        let sorted = frames.flatMap { $0.depth?.disparities ?? [] }.sorted()
        guard !sorted.isEmpty else { return nil }
        func end(_ share: Double) -> Double { Double(sorted[Int(Double(sorted.count - 1) * share)]) }
        return (end(share), end(1 - share))
    }

    /// The blocks of data that the script reads.
    private var data: [UInt8] {
        var blocks = DataBlocks()
        blocks.append("scene", json: record.forPage)
        for (index, frame) in frames.enumerated() {
            // The first picture is in the document.
            if index > 0 { blocks.append("picture-\(index)", base64: frame.picture.jpeg) }
            if let depth = frame.depth { blocks.append("depth-\(index)", base64: depth.png) }
        }
        for (index, matte) in first.mattes.enumerated() {
            blocks.append("matte-\(index)", base64: matte.jpeg)
        }
        if let sharp = first.sharp { blocks.append("sharp", base64: sharp.jpeg) }
        if let lamps = first.lamps { blocks.append("lamps", base64: lamps) }
        cloud?.append(to: &blocks)
        return blocks.bytes
    }

    private var record: JSONValue {
        let (description, size) = (first.description, (first.sharp ?? first.picture).size)
        let shown = description.cameras.camera(for: size).calibration
            .scaled(toWidth: size.width, height: size.height)
        let camera = frames.lazy.compactMap(\.camera).first
        let lens = first.lens
        let stored = description.simulatedAperture.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        // All frames have the same colors for the same distance.
        let range = frames.count == 1 ? nil : disparities(beyondEnds: 0.01)
        let points = path.flatMap { point in (0..<3).map { (point[$0] * 1e4).rounded() / 1e4 } }
        let maps = depth == nil ? [] : Self.colorMaps.prefix(frames.count == 1 ? 4 : 1)
        let colors = maps.map { ($0.rawValue, JSONValue.text($0.hexadecimal)) }
        let content: [(String, JSONValue)] = [
            ("frames", .array(frames.map { $0.record(unlike: camera) })),
            ("depth", depth?.record ?? .null), ("camera", camera?.record ?? .null),
            ("total", .optional(total)), ("low", .optional(range?.low)), ("high", .optional(range?.high)),
            ("mattes", .array(first.mattes.map(\.record))), ("colorMaps", .object(colors)),
            ("cloud", cloud?.record ?? .null), ("path", .numbers(points)),
        ]
        let focusing: [(String, JSONValue)] = [
            ("hasSharp", .bool(first.sharp != nil)), ("hasLamps", .bool(first.lamps != nil)),
            ("focalLength", .number(shown.focalLengthX)),
            ("aperture", .number(Double(min(max(lens?.fNumber ?? stored ?? 4.5, 0.25), 32)))),
            ("focus", .optional(lens.map { Double($0.focusDisparity) })),
            ("mark", first.mark.map { .numbers([$0.x, $0.y]) } ?? .null),
        ]
        return .object(content + focusing)
    }

    private var fields: [(String, JSONValue)] {
        guard total == nil else {
            return [
                ("frames", .integer(frames.count)), ("points", .integer(cloud?.shape.count ?? 0)),
                ("triangles", .integer(cloud?.shape.triangleCounts.reduce(0, +) ?? 0)),
            ]
        }
        return [
            ("photo", first.hasPhoto ? first.picture.record : .null),
            ("original", first.sharp?.record ?? .null),
            ("depth", depth?.record ?? .null),
            ("mattes", .array(first.mattes.map { .text($0.kind.rawValue) })),
        ]
    }
}

extension ColorMap {
    /// The 256 colors, six digits each.
    fileprivate var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        let text = colors.flatMap { color in
            [color.red, color.green, color.blue].flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
