package import Bytes
internal import DepthTypes
internal import Effects
package import Embedded
internal import Reconstruction
package import Recordings
internal import Scenes

/// One HTML document that shows a recording: some of its frames with their depth, and the camera's path in the fused cloud.
/// It loads nothing, and all text from files is escaped.
package struct RecordingPage: Sendable {
    /// The document, UTF-8.
    package let bytes: [UInt8]
    /// Frames that cannot be read, and the reason for a missing cloud.
    package let diagnostics: [Diagnostic]
    /// The contents of the page, for the line of JSON that a tool prints.
    package let fields: [(String, JSONValue)]

    /// The Content-Security-Policy of all such pages.
    static let policy = PageResources.recording.policy()

    /// Decodes frames spread evenly over a recording, and fuses it if it has poses. Throws if no frame can be shown.
    package init(
        _ recording: Recording, title: String, record: JSONValue, remarks: [String] = [],
        options: PageOptions = PageOptions()
    ) throws {
        var diagnostics: [Diagnostic] = []
        let cloud = try Self.cloud(of: recording, &diagnostics)
        let frames = try Self.frames(of: recording, options, &diagnostics)
        self.init(
            frames, cloud, recording, title: title, record: record, remarks, diagnostics, options)
    }

    /// The cloud of a recording with poses; `nil` for movies.
    private static func cloud(
        of recording: Recording, _ diagnostics: inout [Diagnostic]
    ) throws -> PageCloud? {
        guard !recording.layout.isMovie else { return nil }
        do {
            let cloud = try PageCloud(recording)
            diagnostics += cloud.diagnostics
            return cloud
        } catch FusionError.unreadable(let damage) {
            diagnostics.append(Diagnostic(damage, .unreadablePlane, "the cloud"))
            return nil
        } catch let error as FusionError {
            diagnostics.append(.note(.omittedSamples, "the page has no cloud: \(error)"))
            return nil
        }
    }

    private init(
        _ frames: [PageFrame], _ cloud: PageCloud?, _ recording: Recording, title name: String,
        record: JSONValue, _ remarks: [String], _ diagnostics: [Diagnostic], _ options: PageOptions
    ) {
        let resources = PageResources.recording
        let title = name.asHeading.forPage
        let scale = recording.scale
        // Albums have no movies.
        let entry = recording.layout.isMovie ? nil : AlbumEntry(recording, named: name)
        let total = record["frames"]?.integer ?? frames.count
        let shown = RecordingFacts(fields: record, remarks: remarks + diagnostics.map(\.description))
        let first = frames.first?.picture
        let ends = Self.disparities(of: frames)
        let values: [String: [UInt8]] = [
            "policy": Array(Self.policy.utf8), "tool": Array(options.tool.forPage.utf8),
            "entry": entry?.element ?? [],
            "navigation": options.navigation, "style": resources.style, "script": resources.script,
            "title": Array(title.utf8),
            "facts": Array(shown.facts(showing: frames.count, scale.isMetric ? ends : nil).utf8),
            "last": Array("\(frames.count - 1)".utf8),
            "alt": Array("A frame of \(title)".utf8), "width": Array("\(first?.size.width ?? 640)".utf8),
            "height": Array("\(first?.size.height ?? 480)".utf8),
            "photo": Array("data:image/jpeg;base64,\(encodeBase64(first?.jpeg ?? []))".utf8),
            "record": Array(shown.html.utf8), "json": Array(record.serialized.forPage.utf8),
            "data": Self.data(
                frames, cloud, recording.frames.compactMap(\.pose).map(\.position), scale, total,
                ends ?? 0...0),
        ]
        bytes = resources.template.filled(with: values)
        self.diagnostics = diagnostics
        fields = [
            ("frames", .integer(frames.count)), ("points", .integer(cloud?.shape.count ?? 0)),
            ("triangles", .integer(cloud?.shape.triangleCount ?? 0)),
            ("bytes", .integer(bytes.count)),
        ]
    }

    /// Frames spread evenly over a recording, including the first and the last. Frames that cannot be decoded are skipped.
    fileprivate static func frames(
        of recording: Recording, _ options: PageOptions, _ diagnostics: inout [Diagnostic]
    ) throws -> [PageFrame] {
        let total = recording.frameCount
        let count = max(1, min(options.frameCount, total))
        let wanted = Set((0..<count).map { count > 1 ? $0 * (total - 1) / (count - 1) : 0 })
        let indices = wanted.filter(recording.frames.indices.contains).sorted()
        var frames: [PageFrame] = []
        var failures: [ContainerError] = []
        let reader = RecordingReader(recording, indices: indices)
        try SceneLoop().forEach(reader, [.picture, .depth]) { decoded in
            if case .failure(let error) = decoded.result {
                let known = error as? ContainerError
                return failures.append(known ?? ContainerError(.damaged(detail: "\(error)")))
            }
            let made = try PageFrame(decoded.scene, unitsPerMeter: recording.unitsPerMeter, options)
            if made.picture != nil { frames.append(made) }
        }
        if let first = failures.first {
            guard !frames.isEmpty else { throw first }
            diagnostics.append(Diagnostic(first, .unreadablePlane, "a frame"))
        }
        guard !frames.isEmpty else { throw RecordingPageError.noFrames }
        if frames.count < total {
            diagnostics.append(
                .note(.omittedSamples, "the page shows \(frames.count) of \(total) frames, spread evenly"))
        }
        return frames
    }

    /// The disparities between which nearly all of the frames are; `nil` without known depth.
    private static func disparities(of frames: [PageFrame]) -> ClosedRange<Double>? {
        let disparities = frames.flatMap(\.disparities).sorted()
        guard !disparities.isEmpty else { return nil }
        func end(_ share: Double) -> Double {
            Double(disparities[Int(Double(disparities.count - 1) * share)])
        }
        return end(0.01)...end(0.99)
    }

    /// The blocks of data that the script reads.
    private static func data(
        _ frames: [PageFrame], _ cloud: PageCloud?, _ path: [SIMD3<Double>], _ scale: DepthScale,
        _ total: Int, _ ends: ClosedRange<Double>
    ) -> [UInt8] {
        var blocks = DataBlocks()
        let record = JSONValue.object([
            ("total", .integer(total)), ("frames", .array(frames.map(\.record))),
            ("unit", scale.isMetric ? .text("m") : .null), ("accuracy", .text(scale.accuracy.rawValue)),
            ("low", .number(ends.lowerBound)), ("high", .number(ends.upperBound)),
            ("cloud", cloud?.record ?? .null),
            (
                "path",
                cloud == nil
                    ? .array([])
                    : .numbers(
                        thinned(path).flatMap { point in (0..<3).map { (point[$0] * 1e4).rounded() / 1e4 } })
            ),
            ("colors", .text(ColorMap.turbo.hexadecimal)),
        ])
        blocks.append("scene", json: record.forPage)
        for (index, frame) in frames.enumerated() {
            if index > 0, let picture = frame.picture {
                blocks.append("frame-\(index)", base64: picture.jpeg)
            }
            if let depth = frame.depth { blocks.append("depth-\(index)", base64: depth.png) }
        }
        cloud?.append(to: &blocks)
        return blocks.bytes
    }

    /// At most 2,000 points of the path.
    private static func thinned(_ path: [SIMD3<Double>]) -> [SIMD3<Double>] {
        stride(from: 0, to: path.count, by: max(1, (path.count + 1999) / 2000)).map { path[$0] }
    }
}

extension SceneThumbnail {
    /// A small picture of the first frame that can be shown. Throws if no frame can.
    package init(of recording: Recording, longestSide: Int) throws {
        var options = PageOptions()
        (options.frameCount, options.frameSide, options.hasOwnFrameSide) = (1, longestSide, true)
        var diagnostics: [Diagnostic] = []
        let frames = try RecordingPage.frames(of: recording, options, &diagnostics)
        guard let picture = frames.first?.picture else { throw RecordingPageError.noFrames }
        jpeg = picture.jpeg
    }
}

/// Why a recording cannot be shown.
package enum RecordingPageError: Error, CustomStringConvertible {
    /// No frame has a picture or depth.
    case noFrames

    /// What is wrong.
    package var description: String { "no frame of the recording has a picture or depth" }
}
