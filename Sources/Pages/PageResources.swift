internal import EmbeddedFormats

/// The common parts of all pages, from `Web/`.
struct PageResources: Sendable {
    /// The style sheet.
    let style: [UInt8]
    /// The script, as a single file.
    let script: [UInt8]
    /// The document.
    let template: PageTemplate

    /// A page of one scene.
    static let scene = PageResources(
        style: PackageResources.page_css,
        script: [
            PackageResources.numbers_js, PackageResources.png_js, PackageResources.blocks_js,
            PackageResources.depth_js,
            PackageResources.matrices_js, PackageResources.drawing_js, PackageResources.graphics_js,
            PackageResources.layers_js, PackageResources.mesh_js, PackageResources.refocus_js,
            PackageResources.saving_js, PackageResources.stage_js, PackageResources.reading_js,
            PackageResources.turning_js, PackageResources.depthview_js, PackageResources.focus_js,
            PackageResources.background_js, PackageResources.move_js,
            PackageResources.solid_js, PackageResources.measure_js, PackageResources.page_js,
        ],
        template: viewer(PackageResources.page_html))

    /// A page of a recording.
    static let recording = PageResources(
        style: PackageResources.page_css,
        script: [
            PackageResources.numbers_js, PackageResources.png_js, PackageResources.blocks_js,
            PackageResources.depth_js,
            PackageResources.matrices_js, PackageResources.drawing_js, PackageResources.points_js,
            PackageResources.saving_js, PackageResources.stage_js, PackageResources.reading_js,
            PackageResources.turning_js, PackageResources.recording_js,
        ],
        template: viewer(PackageResources.recording_html))

    /// The first page of an album.
    static let album = PageResources(
        style: PackageResources.page_css + PackageResources.album_css, script: [PackageResources.album_js],
        template: PackageResources.album_html)

    /// The document of a picture with tabs, from its tabs and their panels.
    private static func viewer(_ tabs: [UInt8]) -> [UInt8] {
        PackageResources.viewertop_html + tabs + PackageResources.viewerbottom_html
    }

    private init(style: [UInt8], script: [[UInt8]], template: [UInt8]) {
        self.style = style
        self.script = Array(script.joined(separator: [UInt8(ascii: "\n")]))
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
