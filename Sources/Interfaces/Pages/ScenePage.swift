package import Bytes
internal import DepthTypes
package import Embedded
package import Scenes

/// How to make a page of a scene.
package struct PageOptions: Codable, Hashable, Sendable {
    /// Maximum pixels on the longer side of the photo.
    package var longestSide = 2048
    /// The quality of the photo's JPEG, 1…100; `nil` for the best one within ``PageOptions/usualBytes``.
    package var quality: Int?
    /// Maximum number of frames in the page of a recording.
    package var frameCount = 48
    /// Maximum pixels on the longer side of these frames.
    package var frameSide = 640
    /// Whether ``frameSide`` was given by the caller, and takes precedence over the page's size.
    package var hasOwnFrameSide = false
    /// The program to name in the page.
    package var tool = "isobath \(isobathVersion)"
    /// The relative address of the page's album; `nil` without an album.
    package var album: String?
    /// Pixels on the longer side of a thumbnail; `nil` for no thumbnail.
    package var thumbnailSide: Int?

    /// The maximum size of a page if no quality is given, unless its depth alone needs more.
    package static let usualBytes = 1_500_000

    /// The default page.
    package init() {}

    /// The link back to the album; empty without an album.
    var navigation: [UInt8] {
        album.map { Array("<nav><a href=\"\($0.asAddress.forPage)\">All photos</a></nav>\n".utf8) } ?? []
    }
}

/// One HTML document that shows a scene: the photo in motion, refocused, before other backgrounds and from other sides, depth
/// with values, mattes, lengths, and the record. It loads nothing, and all text from files is escaped.
package struct ScenePage: Sendable {
    /// The document, UTF-8.
    package let bytes: [UInt8]
    /// Omitted planes that cannot be read, and planes that were reduced.
    package let diagnostics: [Diagnostic]
    /// The contents of the page, for the line of JSON that a tool prints.
    package let fields: [(String, JSONValue)]
    /// A small JPEG file of the photo, if requested; else empty.
    package let thumbnail: [UInt8]
    /// A small JPEG file of the depth in colors, if requested; `nil` without depth.
    package let depthThumbnail: [UInt8]?

    /// The Content-Security-Policy of all such pages.
    static let policy = PageResources.scene.policy()

    /// Decodes the scene, and makes its page.
    ///
    /// `title` names it if the photo has no date. `record` are the fields of `isobath.info/1`; `remarks` are shown with them. Damaged planes are
    /// omitted. Throws errors of decoding if nothing remains to show, ``SceneError/noPicture`` if there was nothing to begin
    /// with.
    package init(
        _ scene: DepthScene, title: String, record: JSONValue, remarks: [String] = [],
        options: PageOptions = PageOptions()
    ) throws {
        let parts = try SceneParts(scene, options)
        let camera = scene.description.depth == nil ? nil : try? scene.resolvedCamera()
        let record = PageRecord(
            fields: record, camera: camera.map { ($0.calibration, $0.source) },
            remarks: remarks + parts.diagnostics.map(\.description))
        let data = parts.data(scene.description)
        let isPhoto = parts.hasPhoto
        let heading = scene.description.captureTime.flatMap(PageHeading.day) ?? title
        let title = heading.asHeading.forPage
        let resources = PageResources.scene
        let values: [String: [UInt8]] = [
            "policy": Array(Self.policy.utf8), "tool": Array(options.tool.forPage.utf8),
            "entry": AlbumEntry(record, scene.description, keepsTime: options.album != nil).element,
            "navigation": options.navigation,
            "style": resources.style, "script": resources.script, "title": Array(title.utf8),
            "facts": Array(parts.facts.utf8),
            "alt": Array((isPhoto ? "The photo, \(title)" : "The depth in colors, \(title)").utf8),
            "width": Array("\(parts.picture.size.width)".utf8),
            "height": Array("\(parts.picture.size.height)".utf8),
            "photo": Array("data:image/jpeg;base64,\(encodeBase64(parts.picture.jpeg))".utf8),
            "record": Array(record.html(scene.description).utf8),
            "json": Array(record.fields.serialized.forPage.utf8), "data": data,
        ]
        bytes = resources.template.filled(with: values)
        thumbnail = parts.thumbnail
        depthThumbnail =
            try parts.depth == nil
            ? nil : options.thumbnailSide.map { try SceneThumbnail(depthOf: scene, longestSide: $0).jpeg }
        diagnostics = parts.diagnostics
        fields = parts.fields + [("bytes", .integer(bytes.count))]
    }
}
