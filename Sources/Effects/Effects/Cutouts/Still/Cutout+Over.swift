package import DepthMaps
internal import DepthTypes

extension Cutout {
    /// The photo's foreground over a background, with the photo's color profile.
    ///
    /// - Parameters:
    ///   - background: A color, or a picture of the photo's size, both in the photo's color space.
    ///   - in16Bits: Whether the result has 16 bits a sample; otherwise it has as many as the photo.
    /// - Throws: `differentSize` for a picture of another size.
    package func over(_ background: Background, in16Bits: Bool = false) throws(CompositingError) -> ColorImage
    {
        try Compositing(photo: photo, runs: runs, curve: curve).over(background, in16Bits: in16Bits)
    }
}

/// A photo whose foreground is composited over a background.
struct Compositing<Runs: CoverageRuns>: Sendable {
    let photo: ColorImage
    /// Where the foreground is.
    let runs: Runs
    /// The curve from the photo's stored values to light.
    let curve: TransferFunction

    /// As ``Cutout/over(_:in16Bits:)``.
    func over(_ background: Background, in16Bits: Bool = false) throws(CompositingError) -> ColorImage {
        let pixels: ColorImage.Pixels =
            switch photo.pixels {
            case .uint8(let pixels):
                in16Bits ? .uint16(try over(background, pixels)) : .uint8(try over(background, pixels))
            case .uint16(let pixels): .uint16(try over(background, pixels))
            }
        return ColorImage(
            width: photo.width, height: photo.height, pixels: pixels, colorProfile: photo.colorProfile)
    }

    private func over<Front: FixedWidthInteger, Output: FixedWidthInteger>(
        _ background: Background, _ front: [RGB<Front>]
    ) throws(CompositingError) -> [RGB<Output>] {
        switch background {
        case .color(let color):
            return mixed(front, BackgroundRows(color.converted(to: Output.self), width: photo.width))
        case .image(let image):
            guard image.width == photo.width, image.height == photo.height else {
                throw .differentSize(
                    photo: .init(width: photo.width, height: photo.height),
                    other: .init(width: image.width, height: image.height))
            }
            return switch image.pixels {
            case .uint8(let pixels): mixed(front, BackgroundRows(pixels, width: photo.width))
            case .uint16(let pixels): mixed(front, BackgroundRows(pixels, width: photo.width))
            }
        }
    }

    private func mixed<Front: FixedWidthInteger, Back: FixedWidthInteger, Output: FixedWidthInteger>(
        _ front: [RGB<Front>], _ back: BackgroundRows<Back>
    ) -> [RGB<Output>] {
        let (fronts, backs) = (TransferFunctionTable<Front>(curve), TransferFunctionTable<Back>(curve))
        let codes = TransferFunctionTable<Output>(curve)
        let (runs, width) = (runs, photo.width)
        return parallelMapRows(width: width, height: photo.height) { band, output in
            runs.forEach(in: band) { row, columns, coverage, alphas in
                let frontRow = front.span.extracting(row * width..<(row + 1) * width)
                let backRow = back.row(row)
                let start = (row - band.lowerBound) * width
                switch coverage {
                case .front:
                    copyConverted(frontRow.extracting(columns), to: &output, at: start + columns.lowerBound)
                case .behind:
                    copyConverted(backRow.extracting(columns), to: &output, at: start + columns.lowerBound)
                case .soft:
                    for column in columns {
                        let alpha = alphas[column - columns.lowerBound]
                        let (near, far) = (frontRow[column], backRow[column])
                        if alpha >= 1 {
                            output[start + column] = near.converted()
                        } else if alpha <= 0 {
                            output[start + column] = far.converted()
                        } else {
                            let light = backs.light(of: far)
                            output[start + column] = codes.pixel(
                                ofLight: light + (fronts.light(of: near) - light) * alpha)
                        }
                    }
                }
            }
        }
    }
}

/// Copies pixels, as one block if both have the same depth.
func copyConverted<Input: FixedWidthInteger, Output: FixedWidthInteger>(
    _ input: Span<RGB<Input>>, to output: inout MutableSpan<RGB<Output>>, at start: Int
) {
    guard Input.self == Output.self else {
        for index in input.indices { output[start + index] = input[index].converted() }
        return
    }
    precondition(start >= 0 && start + input.count <= output.count)
    let size = MemoryLayout<RGB<Output>>.stride
    unsafe input.withUnsafeBytes { source in
        unsafe output.withUnsafeMutableBytes { target in
            // SAFETY: from here on, both hold `input.count` pixels of the same type, by the precondition.
            unsafe UnsafeMutableRawBufferPointer(rebasing: target[start * size..<start * size + source.count])
                .copyMemory(from: source)
        }
    }
}
