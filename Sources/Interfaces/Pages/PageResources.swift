internal import Embedded

/// The common parts of all pages, from `Web/`.
struct PageResources: Sendable {
    /// The style sheet.
    let style: [UInt8]
    /// The script, as a single file.
    let script: [UInt8]
    /// The document.
    let template: PageTemplate

    static let scene = PageResources(
        style: PackageResources.page_css,
        script: "page.js", template: viewer(PackageResources.page_html))

    /// A page of a recording.
    static let recording = PageResources(
        style: PackageResources.page_css,
        script: "recording.js", template: viewer(PackageResources.recording_html))

    /// The first page of an album.
    static let album = PageResources(
        style: PackageResources.page_css + PackageResources.album_css, script: "album.js",
        template: PackageResources.album_html)

    /// All modules by name. Code that is embedded has no list of its files.
    static let modules: [String: [UInt8]] = [
        "album.js": PackageResources.album_js, "background.js": PackageResources.background_js,
        "blocks.js": PackageResources.blocks_js, "depth.js": PackageResources.depth_js,
        "depthview.js": PackageResources.depthview_js, "drawing.js": PackageResources.drawing_js,
        "focus.js": PackageResources.focus_js, "graphics.js": PackageResources.graphics_js,
        "layers.js": PackageResources.layers_js, "matrices.js": PackageResources.matrices_js,
        "measure.js": PackageResources.measure_js, "mesh.js": PackageResources.mesh_js,
        "move.js": PackageResources.move_js, "numbers.js": PackageResources.numbers_js,
        "page.js": PackageResources.page_js, "png.js": PackageResources.png_js,
        "points.js": PackageResources.points_js, "reading.js": PackageResources.reading_js,
        "recording.js": PackageResources.recording_js, "refocus.js": PackageResources.refocus_js,
        "ruler.js": PackageResources.ruler_js, "saving.js": PackageResources.saving_js,
        "scene.js": PackageResources.scene_js, "shape.js": PackageResources.shape_js,
        "solid.js": PackageResources.solid_js, "stage.js": PackageResources.stage_js,
        "turning.js": PackageResources.turning_js, "walking.js": PackageResources.walking_js,
    ]

    /// The document of a picture with tabs, from its tabs and their panels.
    private static func viewer(_ tabs: [UInt8]) -> [UInt8] {
        PackageResources.viewertop_html + tabs + PackageResources.viewerbottom_html
    }

    /// `script` is the module to begin with.
    private init(style: [UInt8], script: String, template: [UInt8]) {
        self.style = style
        self.script = PageScript(script, from: Self.modules).bytes
        self.template = PageTemplate(PackageResources.head_html + template)
    }

    /// The Content-Security-Policy: this script, this style and pictures inside of the page, nothing else. `pictures` are
    /// additional sources of pictures.
    func policy(pictures: String = "") -> String {
        let (script, style) = (Self.source(of: script), Self.source(of: style))
        return "default-src 'none'; script-src \(script); style-src \(style); "
            + "img-src data: blob:\(pictures); base-uri 'none'; form-action 'none'"
    }

    private static func source(of text: [UInt8]) -> String { "'sha256-\(encodeBase64(SHA256(text).digest))'" }
}
