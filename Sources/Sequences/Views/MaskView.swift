internal import DepthCore
internal import DepthModel

/// The subject of each frame, what lies between two distances, before another background.
package final class MaskView: FrameView {
    private let backdrop: Backdrop
    private var subject: SubjectMatte
    private var matte = GuidedMatte()
    private let mixing = LightMixing()

    /// Distances are in the unit of the depth. Without any, the subject is what is nearer than the distance that splits the depth
    /// best. `softness` is the width of the ramp at either end.
    package init(_ backdrop: Backdrop, near: Float? = nil, far: Float? = nil, softness: Float? = nil) {
        self.backdrop = backdrop
        subject = SubjectMatte(near: near, far: far, softness: softness)
    }

    package var parts: FrameParts { .all }

    package func render(_ frame: inout SequenceFrame, into output: inout RenderedFrame) throws {
        guard !frame.depth.isEmpty else { throw SequenceError.noDepth }
        guard !frame.color.isEmpty else { throw SequenceError.noColor }
        subject.add(frame)
        matte.set(subject.coverage, guide: frame.color)
        let size = frame.color.size
        try backdrop.show(at: frame.time, size: size)
        // The picture is the frame's; only what is not all subject is written.
        swap(&frame.color, &output.picture)
        let backgroundPixels = backdrop.picture.samples
        output.picture.overwrite(width: size.width, height: size.height, fill: .black) { pixels in
            let background = backgroundPixels.span
            for row in 0..<size.height {
                let upper = Int(matte.rows.first[row])
                let line = row * size.width
                var column = 0
                while column < size.width {
                    let left = matte.columns.first[column]
                    var next = column + 1
                    while next < size.width, matte.columns.first[next] == left { next += 1 }
                    switch matte.cell(Int(left), upper) {
                    case .full: break
                    case .empty:
                        for place in line + column..<line + next { pixels[place] = background[place] }
                    case .mixed:
                        for place in column..<next {
                            let pixel = pixels[line + place]
                            let share = matte.coverage(place, row, luma: GuidedMatte.luma(pixel))
                            pixels[line + place] = mixing.mix(pixel, background[line + place], share: share)
                        }
                    }
                    column = next
                }
            }
        }
    }
}
