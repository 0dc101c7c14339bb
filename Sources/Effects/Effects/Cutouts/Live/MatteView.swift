internal import DepthMaps
package import DepthTypes
package import Sequences

/// Shows a matte of each frame in gray, at its own size: white where it covers a pixel completely.
package final class MatteView: FrameView {
    private let kind: PlaneKind

    /// Shows the matte of a kind.
    package init(_ kind: PlaneKind) { self.kind = kind }

    package var parts: FrameParts { .matte(kind) }

    package func render(_ frame: inout SequenceFrame, into output: inout RenderedFrame) throws {
        guard let plane = SequenceFrame.matte(kind), !frame[keyPath: plane].isEmpty else {
            throw SequenceError.noMatte
        }
        let matte = frame[keyPath: plane]
        output.picture.overwrite(width: matte.width, height: matte.height, fill: .black) { pixels in
            let samples = matte.samples.span
            for index in pixels.indices {
                let code = samples[index]
                pixels[index] = RGB(red: code, green: code, blue: code)
            }
        }
    }
}
