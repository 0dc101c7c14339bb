internal import Bytes
internal import DepthTypes
internal import Embedded
internal import Scenes

/// An album's information about a photo. It is stored at the beginning of the photo's page, so that
/// an album can be assembled from its files.
package struct AlbumEntry: Sendable {
    /// Nearest and farthest distance, in meters.
    struct Distances: Hashable, Sendable {
        var near: Double
        var far: Double?
    }

    let name: String
    /// Make and model.
    let camera: String
    /// Planes by their names, as in `info`.
    let planes: [String]
    /// The number of depth samples; 0 without depth.
    let samples: Int
    /// `m` if the depth has a unit.
    let unit: String?
    /// `nil` if the file declares no range, or has no unit.
    let range: Distances?
    /// The number of frames of a recording; `nil` for a photo.
    let frames: Int?
    /// Whether there is depth to show: not of recordings, whose thumbnail may show it.
    package var hasDepth: Bool { samples > 0 && frames == nil }
    /// When the photo was taken, as `2026-11-22T15:49:17`; `nil` if not recorded, and in pages without an album.
    let time: String?

    private static let mark = "id=\"entry\">"
    /// The maximum offset of the end of a page's entry.
    package static let headSize = 1 << 16

    init(_ record: PageRecord, keepsTime: Bool) {
        let description = record.description
        name = record.fields["path"]?.text ?? ""
        camera = record.cameraName
        planes =
            record.fields["planes"]?.elements.compactMap { $0["kind"]?.text }
            ?? description.depth.map { [$0.quantity.rawValue] } ?? []
        samples = description.depth.map { $0.size.width * $0.size.height } ?? 0
        unit = description.depth.flatMap { $0.scale.hasUnit ? "m" : nil }
        range = unit == nil ? nil : record.rangeInMeters
        time = keepsTime ? description.captureTime : nil
        frames = record.fields["frames"]?.integer
    }

    /// Reads the entry of a page that begins with these bytes; `nil` if not found.
    package init?(head: [UInt8]) {
        let text = String(decoding: head, as: UTF8.self)
        guard let mark = text.firstRange(of: Self.mark),
            let end = text[mark.upperBound...].firstRange(of: "</script>"),
            let fields = try? JSONValue(
                parsing: Array(text[mark.upperBound..<end.lowerBound].utf8), limits: DecodingLimits())
        else { return nil }
        name = fields["name"]?.text ?? ""
        camera = fields["camera"]?.text ?? ""
        planes = fields["planes"]?.elements.compactMap(\.text) ?? []
        samples = fields["samples"]?.integer ?? 0
        unit = fields["unit"]?.text
        time = fields["time"]?.text
        frames = fields["frames"]?.integer
        range = fields["near"]?.double.map { Distances(near: $0, far: fields["far"]?.double) }
    }

    /// The entry as a data block of its file. Names are truncated, so that it stays within ``headSize``.
    package var element: [UInt8] {
        let fields = JSONValue.object(
            [
                ("name", .text(name.asHeading)), ("camera", .text(camera.asHeading)),
                ("planes", .array(planes.prefix(64).map(JSONValue.text))), ("samples", .integer(samples)),
                ("unit", .optional(unit)), ("near", .optional(range?.near)), ("far", .optional(range?.far)),
            ] + (time.map { [("time", .text($0))] } ?? []) + (frames.map { [("frames", .integer($0))] } ?? [])
        )
        return Array("<script type=\"application/json\" \(Self.mark)".utf8) + fields.forPage
            + Array("</script>".utf8)
    }

    /// The list item of a photo in an album. `page`, `thumbnail` and `depth` are relative addresses; without `depth` there is
    /// no small picture of the depth.
    func item(page: String, thumbnail: String, depth: String?) -> String {
        let mattes = planes.count { PlaneKind(rawValue: $0)?.isMatte ?? false }
        var about = frames.map { [$0 == 1 ? "recording of 1 frame" : "recording of \($0) frames"] } ?? []
        if let kind = planes.first(where: { PlaneKind(rawValue: $0)?.isDepth ?? false }) {
            about.append(kind)
        } else if samples > 0 {
            about.append("disparity from two pictures")
        }
        if let range {
            let far = range.far.map { "\(Float($0).short) m" } ?? "infinity"
            about.append("\(Float(range.near).short) m to \(far)")
        }
        if mattes > 0 { about.append(mattes == 1 ? "1 matte" : "\(mattes) mattes") }
        if about.isEmpty { about.append("no depth") }
        let data: [(String, String)] = [
            ("name", name), ("camera", camera), ("samples", "\(samples)"), ("unit", unit ?? ""),
            ("near", range.map { "\($0.near)" } ?? ""), ("mattes", "\(mattes)"), ("time", time ?? ""),
        ]
        let attributes = data.map { " data-\($0.0)=\"\($0.1.asHeading.forPage)\"" }.joined()
        return "<li\(attributes)><a href=\"\(page.forPage)\">"
            + "<img src=\"\(thumbnail.forPage)\" alt=\"\" loading=\"lazy\" width=\"480\" height=\"360\""
            + (depth.map { " data-depth=\"\($0.forPage)\"" } ?? "") + ">"
            + "<span class=\"name\"><bdi>\(name.asHeading.forPage)</bdi></span>"
            + "<span class=\"about\">\(about.joined(separator: " · ").forPage)</span></a></li>\n"
    }
}
