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
        if case .image(let image) = background,
            (image.width, image.height) != (photo.width, photo.height)
        {
            throw .differentSize(
                photo: .init(width: photo.width, height: photo.height),
                other: .init(width: image.width, height: image.height))
        }
        func over<Sample: PictureSample>(_ front: [RGB<Sample>]) -> [RGB<Sample>] {
            mixed(front, BackgroundRows(background, width: photo.width))
        }
        return ColorImage(
            width: photo.width, height: photo.height,
            pixels: photo.pixels(in16Bits: in16Bits).map(over, over),
            colorProfile: photo.colorProfile)
    }

    private func mixed<Sample>(_ front: [RGB<Sample>], _ back: BackgroundRows<Sample>) -> [RGB<Sample>] {
        let tones = TransferFunctionTable<Sample>(curve)
        let (runs, width) = (runs, photo.width)
        return parallelMapRows(width: width, height: photo.height) { band, output in
            runs.forEach(in: band) { row, columns, coverage, alphas in
                let frontRow = front.span.extracting(row * width..<(row + 1) * width)
                let backRow = back.row(row)
                let start = (row - band.lowerBound) * width
                switch coverage {
                case .front: output.copy(frontRow, columns, to: start + columns.lowerBound)
                case .behind: output.copy(backRow, columns, to: start + columns.lowerBound)
                case .soft:
                    for column in columns {
                        let alpha = alphas[column - columns.lowerBound]
                        let (near, far) = (frontRow[column], backRow[column])
                        if alpha >= 1 {
                            output[start + column] = near
                        } else if alpha <= 0 {
                            output[start + column] = far
                        } else {
                            let light = tones.light(of: far)
                            output[start + column] = tones.pixel(
                                ofLight: light + (tones.light(of: near) - light) * alpha)
                        }
                    }
                }
            }
        }
    }
}
