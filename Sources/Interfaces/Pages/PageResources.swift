internal import Embedded

/// The common parts of all pages, from `Web/`.
struct PageResources: Sendable {
    private let style: [UInt8]
    /// The document, with placeholders for values, written `{{name}}`.
    private let template: String

    static let scene = PageResources(style: PackageResources.page_css, template: PackageResources.page_html)

    /// The first page of an album.
    static let album = PageResources(
        style: PackageResources.page_css + PackageResources.album_css,
        template: PackageResources.album_html)

    /// All modules by name. Code that is embedded has no list of its files.
    static let modules: [String: [UInt8]] = [
        "album.js": PackageResources.album_js, "background.js": PackageResources.background_js,
        "blocks.js": PackageResources.blocks_js, "camera.js": PackageResources.camera_js,
        "cloud.js": PackageResources.cloud_js, "depth.js": PackageResources.depth_js,
        "depthview.js": PackageResources.depthview_js, "drawing.js": PackageResources.drawing_js,
        "focus.js": PackageResources.focus_js, "graphics.js": PackageResources.graphics_js,
        "layers.js": PackageResources.layers_js, "matrices.js": PackageResources.matrices_js,
        "measure.js": PackageResources.measure_js, "mesh.js": PackageResources.mesh_js,
        "move.js": PackageResources.move_js, "numbers.js": PackageResources.numbers_js,
        "page.js": PackageResources.page_js, "png.js": PackageResources.png_js,
        "reading.js": PackageResources.reading_js, "refocus.js": PackageResources.refocus_js,
        "ruler.js": PackageResources.ruler_js, "saving.js": PackageResources.saving_js,
        "scene.js": PackageResources.scene_js, "shape.js": PackageResources.shape_js,
        "solid.js": PackageResources.solid_js, "stage.js": PackageResources.stage_js,
        "turning.js": PackageResources.turning_js, "walking.js": PackageResources.walking_js,
    ]

    private init(style: [UInt8], template: [UInt8]) {
        self.style = Array(
            PageScript.lines(of: String(decoding: style, as: UTF8.self)).joined(separator: "\n").utf8)
        self.template = String(decoding: PackageResources.head_html + template, as: UTF8.self)
    }

    /// The document with these values and the script of these modules. Its Content-Security-Policy allows this script, this style and
    /// pictures inside of the page, nothing else. `pictures` are additional sources of pictures.
    func document(
        _ values: [String: [UInt8]], _ options: PageOptions, running modules: [String], pictures: String = ""
    ) -> [UInt8] {
        let script = PageScript(modules, from: Self.modules).bytes
        let policy =
            "default-src 'none'; script-src \(Self.source(of: script)); style-src \(Self.source(of: style)); "
            + "img-src data: blob:\(pictures); base-uri 'none'; form-action 'none'"
        let common: [String: [UInt8]] = [
            "policy": Array(policy.utf8), "tool": Array(options.tool.forPage.utf8), "style": style,
            "script": script,
        ]
        return filled(with: values.merging(common) { $1 })
    }

    /// The document, with each placeholder replaced by the value of its name.
    private func filled(with values: [String: [UInt8]]) -> [UInt8] {
        var document: [UInt8] = []
        document.reserveCapacity(values.values.reduce(1 << 16) { $0 + $1.count })
        for piece in template.split(separator: "{{", omittingEmptySubsequences: false) {
            let parts = piece.split(separator: "}}", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { document += values[String(parts[0])] ?? [] }
            document += parts[parts.count - 1].utf8
        }
        return document
    }

    private static func source(of text: [UInt8]) -> String { "'sha256-\(encodeBase64(SHA256(text).digest))'" }
}
