package import Bytes
internal import DepthTypes
package import Embedded
internal import Reconstruction
package import Recordings
package import Scenes

/// One HTML document that shows a scene: the photo in motion, refocused, before other backgrounds and from other sides, depth
/// with values, mattes, lengths, and the record. Of a recording, it shows several frames and their fused cloud. It loads nothing,
/// and all text from files is escaped.
package struct ScenePage: Sendable {
    /// The document, UTF-8.
    package let bytes: [UInt8]
    /// Omitted planes that cannot be read, planes that were reduced, and the reason for a missing cloud.
    package let diagnostics: [Diagnostic]
    /// The frames that cannot be read, and why.
    package let damagedFrames: [(index: Int, error: any Error)]
    /// The contents of the page, for the line of JSON that a tool prints.
    package let fields: [(String, JSONValue)]
    /// A small JPEG file of the photo, or of the first frame, if requested; else empty.
    package let thumbnail: [UInt8]
    /// A small JPEG file of the photo's depth in colors, if requested; `nil` without depth.
    package let depthThumbnail: [UInt8]?

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
        depthThumbnail =
            try parts.depth == nil
            ? nil
            : options.thumbnailSide.map {
                try SceneParts.colored(scene).thumbnail($0, at: parts.thumbnailPlace).jpeg
            }
        (fields, bytes) = PageContent([parts]).page(titled: title, record, remarks, options)
        (diagnostics, damagedFrames, thumbnail) = (parts.diagnostics, [], parts.thumbnail)
    }

    /// Decodes frames spread evenly over a recording, and fuses it, with poses that are estimated if it has none. `record` are
    /// the fields of `isobath.recording/1`. Frames that cannot be decoded are skipped. Throws if no frame can be shown.
    package init(
        _ recording: Recording, title: String, record: JSONValue, remarks: [String] = [],
        options: PageOptions = PageOptions()
    ) throws {
        var diagnostics: [Diagnostic] = []
        // A single frame without a pose is shown as a photo.
        let isFused = recording.frameCount > 1 || recording.poseCount > 0
        let fused = try isFused ? Self.fusing(&diagnostics) { try PageCloud.Fused(recording) } : nil
        diagnostics += fused?.diagnostics ?? []
        let posed = fused?.recording ?? recording
        let (frames, damaged) = try Self.frames(of: posed, options)
        let cloud = try fused.flatMap { fused in
            try Self.fusing(&diagnostics) { try PageCloud(fused, shownBy: frames.map(\.view)) }
        }
        let total = recording.frameCount
        if options.frameCount < total {
            diagnostics.append(
                .note(.omittedSamples, "the page shows \(frames.count) of \(total) frames, spread evenly"))
        }
        let content = PageContent(frames, of: posed, cloud)
        (fields, bytes) = content.page(
            titled: title, record, remarks + diagnostics.map(\.description), options)
        self.diagnostics = diagnostics
        (damagedFrames, thumbnail, depthThumbnail) = (damaged, frames[0].thumbnail, nil)
    }

    /// A part of the cloud; `nil` and a remark if the recording cannot be fused.
    private static func fusing<Part>(
        _ diagnostics: inout [Diagnostic], _ body: () throws -> Part
    ) throws -> Part? {
        do {
            return try body()
        } catch FusionError.interrupted {
            throw FusionError.interrupted
        } catch FusionError.unreadable(let damage) {
            diagnostics.append(Diagnostic(damage, .unreadablePlane, "the cloud"))
        } catch let error as FusionError {
            diagnostics.append(.note(.omittedSamples, "the page has no cloud: \(error)"))
        }
        return nil
    }

    /// Frames spread evenly over a recording, including the first and the last, and those of them that are damaged.
    private static func frames(
        of recording: Recording, _ options: PageOptions
    ) throws -> (shown: [SceneParts], damaged: [(index: Int, error: any Error)]) {
        let total = recording.frameCount
        let count = max(1, min(options.frameCount, total))
        let wanted = Set((0..<count).map { count > 1 ? $0 * (total - 1) / (count - 1) : 0 })
        var frames: [SceneParts] = []
        var damaged: [(index: Int, error: any Error)] = []
        for index in wanted.sorted() where index < total && !Interruption.isRequested {
            var options = options
            if !frames.isEmpty { options.thumbnailSide = nil }
            do {
                let scene = try recording.scene(at: index)
                let listed = recording.frames[index]
                guard listed.hasColor || listed.hasDepth else { continue }
                frames.append(try SceneParts(frame: scene, recording.unitsPerMeter, options))
            } catch {
                damaged.append((index, error))
            }
        }
        guard !frames.isEmpty else { throw damaged.first?.error ?? PageError.noFrames }
        return (frames, damaged)
    }
}

/// The error for a recording that cannot become a page.
package enum PageError: Error, CustomStringConvertible {
    /// No frame has a picture or depth.
    case noFrames

    /// What is wrong.
    package var description: String { "no frame of the recording has a picture or depth" }
}
