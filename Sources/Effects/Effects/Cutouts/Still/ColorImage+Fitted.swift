package import DepthMaps

extension ColorImage {
    /// The picture at the size of a frame, resampled in linear light: by the mean over a pixel's area when reduced, cubic
    /// (Catmull–Rom) when enlarged. A picture of that size is returned unchanged.
    ///
    /// Needs memory for a few rows besides the result.
    ///
    /// - Throws: `empty` if picture or frame have no pixels.
    package func fitted(
        toWidth newWidth: Int, height newHeight: Int, by fit: BackgroundFit = .cover,
        curve: TransferFunction = .sRGB
    ) throws(CompositingError) -> ColorImage {
        guard width > 0, height > 0, newWidth > 0, newHeight > 0 else { throw .empty }
        guard (newWidth, newHeight) != (width, height) else { return self }
        let placement = fit.placement(of: width, height, in: newWidth, newHeight)
        let (columns, rows) = (placement.columns, placement.rows)
        let fitted = resampled(
            columns: ResamplingAxis(
                of: placement.sourceColumns, width, to: columns.count, by: .areaOrCubic),
            rows: ResamplingAxis(of: placement.sourceRows, height, to: rows.count, by: .areaOrCubic),
            curve: curve)
        guard (fitted.width, fitted.height) != (newWidth, newHeight) else { return fitted }
        func framed<Sample>(_ pixels: [RGB<Sample>]) -> [RGB<Sample>] {
            var frame = [RGB<Sample>](repeating: .black, count: newWidth * newHeight)
            for row in 0..<rows.count {
                let start = (rows.lowerBound + row) * newWidth + columns.lowerBound
                frame.replaceSubrange(
                    start..<start + columns.count,
                    with: pixels[row * columns.count..<(row + 1) * columns.count])
            }
            return frame
        }
        return ColorImage(
            width: newWidth, height: newHeight, pixels: fitted.pixels.map(framed, framed),
            colorProfile: colorProfile)
    }
}
