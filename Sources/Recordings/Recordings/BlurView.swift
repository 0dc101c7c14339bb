package import Bytes
internal import Codecs
internal import DepthMaps
internal import Effects
package import Scenes
package import Sequences

/// Blurs each frame by its depth.
package final class BlurView: FrameView {
    private let options: BlurOptions
    private let treatment: MapTreatment
    private let sequence: SequenceDescription
    private let pull = FocusPull()
    /// Remarks on all frames so far, each once.
    package private(set) var diagnostics: [Diagnostic] = []
    /// The last frame with its lens; `nil` before the first.
    package private(set) var last: BlurredScene?

    /// Blurs frames of a sequence, after treating their depth.
    package init(_ options: BlurOptions, _ treatment: MapTreatment, of sequence: SequenceDescription) {
        (self.options, self.treatment, self.sequence) = (options, treatment, sequence)
    }

    package var parts: FrameParts { [.all, .matte] }

    package func render(_ frame: inout SequenceFrame, into output: inout RenderedFrame) throws {
        guard !frame.depth.isEmpty else { throw SequenceError.noDepth }
        guard !frame.color.isEmpty else { throw SequenceError.noColor }
        var planes = SequenceFrame()
        planes.take(parts, of: frame)
        let read = (planes, parts)
        let description = SceneDescription(frame, with: planes.parts, of: sequence)
        let scene = DepthScene(frame: description) { _ in read }.treated(treatment)
        let blurred = try scene.blurredScene(options, following: pull)
        for diagnostic in blurred.diagnostics
        where !diagnostics.contains(where: { $0.code == diagnostic.code }) {
            diagnostics.append(diagnostic)
        }
        let image = blurred.picture.color
        output.picture = FramePlane(width: image.width, height: image.height, samples: image.eightBitPixels)
        last = blurred
    }
}
