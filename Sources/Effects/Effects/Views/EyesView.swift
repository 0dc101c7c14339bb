internal import DepthMaps
internal import DepthTypes
package import Sequences

/// Shows the recorded pictures of both eyes in one: side by side, or for glasses of red and cyan.
package final class EyesView: FrameView {
    private let form: StereoForm

    /// The form is side by side or an anaglyph.
    package init(_ form: StereoForm) { self.form = form }

    package var parts: FrameParts { [.color, .right] }

    package func render(_ frame: inout SequenceFrame, into output: inout RenderedFrame) throws {
        guard !frame.color.isEmpty else { throw SequenceError.noColor }
        guard frame.right.size == frame.color.size else { throw SequenceError.noRightEye }
        let (left, right) = (frame.color.samples, frame.right.samples)
        let size = frame.color.size
        let isWide = form == .sideBySide
        let picture =
            isWide
            ? StereoPicture.sideBySide(left, right, width: size.width) : StereoPicture.anaglyph(left, right)
        output.picture.overwrite(
            width: isWide ? 2 * size.width : size.width, height: size.height, fill: .black
        ) {
            let source = picture.span
            $0.copy(source, 0..<source.count, to: 0)
        }
    }
}

/// Shows the recorded picture of the right eye.
package final class RightEyeView: FrameView {
    package init() {}

    package var parts: FrameParts { .right }

    package func render(_ frame: inout SequenceFrame, into output: inout RenderedFrame) throws {
        guard !frame.right.isEmpty else { throw SequenceError.noRightEye }
        swap(&frame.right, &output.picture)
    }
}
