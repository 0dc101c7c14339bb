internal import DepthMaps
package import DepthTypes
package import Sequences

/// Composites the subject of each frame, selected by distance or by the frame's matte, over another background.
package final class MaskView: FrameView {
    /// The background.
    package let backdrop: Backdrop
    private var subject: SubjectMatte
    private var stored = StoredMatte()
    private let mattes: [PlaneKind]
    private var matte = GuidedMatte()
    private let tones = TransferFunctionTable<UInt8>(.sRGB)

    /// Distances are in the unit of the depth. Without any, the subject is everything nearer than the best split of the
    /// depth. `softness` is the width of the ramp beyond either end. If `mattes` is not empty, the union of these mattes
    /// of the frames is the coverage of the subject.
    package init(
        _ backdrop: Backdrop, near: Float? = nil, far: Float? = nil, softness: Float? = nil,
        mattes: [PlaneKind] = []
    ) {
        self.backdrop = backdrop
        self.mattes = mattes
        subject = SubjectMatte(near: near, far: far, softness: softness)
    }

    package var parts: FrameParts {
        mattes.isEmpty ? .all : mattes.reduce(.color) { $0.union(.matte($1)) }
    }

    package func render(_ frame: inout SequenceFrame, into output: inout RenderedFrame) throws {
        guard !frame.color.isEmpty else { throw SequenceError.noColor }
        if !mattes.isEmpty {
            stored.add(try frame.united(mattes), of: frame)
            matte.set(stored.coverage, guide: frame.color)
        } else {
            guard !frame.depth.isEmpty else { throw SequenceError.noDepth }
            subject.add(frame)
            matte.set(subject.coverage, guide: frame.color)
        }
        let size = frame.color.size
        try backdrop.show(at: frame.time, size: size)
        // The picture of the frame is reused; only pixels that are not fully subject are written.
        swap(&frame.color, &output.picture)
        let backgroundPixels = backdrop.picture.samples
        output.picture.overwrite(width: size.width, height: size.height, fill: .black) { pixels in
            let background = backgroundPixels.span
            for row in 0..<size.height {
                let upper = Int(matte.rows.first[row])
                let line = row * size.width
                var column = 0
                while column < size.width {
                    let (next, cell) = matte.run(from: column, upper)
                    switch cell {
                    case .full: break
                    case .empty: pixels.copy(background, line + column..<line + next, to: line + column)
                    case .mixed:
                        for place in column..<next {
                            let pixel = pixels[line + place]
                            let share = matte.coverage(place, row, luma: GuidedMatte.luma(pixel))
                            let behind = tones.light(of: background[line + place])
                            pixels[line + place] = tones.pixel(
                                ofLight: behind + (tones.light(of: pixel) - behind) * share)
                        }
                    }
                    column = next
                }
            }
        }
    }
}

extension SequenceFrame {
    /// The union of mattes. Throws ``SequenceError`` if the frame lacks one.
    fileprivate func united(_ kinds: [PlaneKind]) throws(SequenceError) -> FramePlane<UInt8> {
        var planes: [FramePlane<UInt8>] = []
        for kind in kinds {
            guard let plane = SequenceFrame.matte(kind), !self[keyPath: plane].isEmpty else { throw .noMatte }
            planes.append(self[keyPath: plane])
        }
        guard let first = planes.first, planes.count > 1 else { return planes.first ?? FramePlane() }
        let union = planes.dropFirst().reduce(Matte(first)) { $0.union(with: Matte($1)) }
        return FramePlane(width: union.width, height: union.height, samples: union.coverage)
    }
}

extension Matte {
    fileprivate init(_ plane: FramePlane<UInt8>) {
        self.init(width: plane.width, height: plane.height, coverage: plane.samples)
    }
}

extension MutableSpan where Element: BitwiseCopyable {
    /// Copies a range of another span, which must not be this one.
    package mutating func copy(_ source: Span<Element>, _ range: Range<Int>, to first: Int) {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= source.count && first >= 0
                && first + range.count <= count)
        let size = MemoryLayout<Element>.stride
        // SAFETY: both ranges are inside, as checked above.
        unsafe source.withUnsafeBytes { from in
            unsafe self.withUnsafeMutableBytes { to in
                guard let from = from.baseAddress, let to = to.baseAddress else { return }
                unsafe (to + first * size).copyMemory(
                    from: from + range.lowerBound * size, byteCount: range.count * size)
            }
        }
    }
}
