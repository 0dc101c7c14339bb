package import ByteParsing
internal import Compositing
internal import DepthCore
package import DepthIO
internal import DepthModel
package import EmbeddedFormats
internal import ImageCodecs
internal import PointClouds

/// How a page is made of a scene.
package struct PageOptions: Codable, Hashable, Sendable {
    /// Pixels on the longer side of the photo, at most.
    package var longestSide = 2048
    /// The quality of the photo's JPEG, 1…100; `nil` for the best with which the page keeps to ``PageOptions/usualBytes``.
    package var quality: Int?
    /// Frames in the page of a recording, at most.
    package var frameCount = 48
    /// Pixels on the longer side of these frames, at most.
    package var frameSide = 640
    /// Whether ``frameSide`` was asked for, and counts more than the page's size.
    package var hasOwnFrameSide = false
    /// The program to name.
    package var tool = "isobath \(isobathVersion)"
    /// The relative address of the album that the page belongs to; `nil` for a page that stands alone.
    package var album: String?
    /// Pixels on the longer side of a thumbnail; `nil` for none.
    package var thumbnailSide: Int?

    /// What a page takes at most where no quality is given, unless its depth alone takes more.
    package static let usualBytes = 1_500_000

    /// The usual page.
    package init() {}

    /// The way back to the album; empty for a page that stands alone.
    var navigation: [UInt8] {
        album.map { Array("<nav><a href=\"\($0.asAddress.forPage)\">All photos</a></nav>\n".utf8) } ?? []
    }
}

/// One HTML document that shows a scene: the photo, refocusing, depth with values, mattes, other backgrounds, the surface from other
/// sides, and the record. It loads nothing, and all text from files is escaped.
package struct ScenePage: Sendable {
    /// The document, UTF-8.
    package let bytes: [UInt8]
    /// Planes that the page leaves out because they cannot be read, and what was made smaller.
    package let diagnostics: [Diagnostic]
    /// What is in the page, for the line of JSON that a tool prints.
    package let fields: [(String, JSONValue)]
    /// A small JPEG file of the photo, where one was asked for; else empty.
    package let thumbnail: [UInt8]

    /// The Content-Security-Policy of all such pages.
    package static let policy = PageResources.scene.policy()

    /// Decodes the scene, and makes its page.
    ///
    /// `title` names it. `record` are the fields of `isobath.info/1`; `remarks` are shown with them. A damaged plane is left out. Throws what
    /// decoding throws where nothing is left to show, ``SceneError/noPicture`` where there never was.
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
        let title = title.asHeading.forPage
        let resources = PageResources.scene
        let values: [String: [UInt8]] = [
            "policy": Array(Self.policy.utf8), "tool": Array(options.tool.forPage.utf8),
            "entry": AlbumEntry(record, scene.description, keepsTime: options.album != nil).element,
            "navigation": options.navigation,
            "style": resources.style, "script": resources.script, "title": Array(title.utf8),
            "facts": Array(record.facts(scene.description).forPage.utf8),
            "picture": Array((isPhoto ? "Photo" : "Picture").utf8),
            "alt": Array((isPhoto ? "The photo \(title)" : "The depth of \(title) in colors").utf8),
            "width": Array("\(parts.picture.size.width)".utf8),
            "height": Array("\(parts.picture.size.height)".utf8),
            "photo": Array("data:image/jpeg;base64,\(encodeBase64(parts.picture.jpeg))".utf8),
            "record": Array(record.html.utf8),
            "json": Array(record.fields.serialized.forPage.utf8), "data": data,
        ]
        bytes = resources.template.filled(with: values)
        thumbnail = parts.thumbnail
        diagnostics = parts.diagnostics
        fields = parts.fields + [("bytes", .integer(bytes.count))]
    }
}
