extension FloatPlane {
    /// The plane with every sample unknown whose stored confidence is below `threshold`.
    ///
    /// A confidence plane of another size is read at the nearest sample.
    public func masked(byConfidence confidence: SamplePlane, below threshold: Int) -> Self {
        let trusted = confidence.mapped(through: (0...confidence.maximumCode).map { $0 >= threshold })
        let columns = ResamplingAxis.nearest(of: confidence.width, at: width)
        let rows = ResamplingAxis.nearest(of: confidence.height, at: height)
        precondition(samples.isEmpty || !trusted.isEmpty, "a confidence plane has samples")
        var masked = samples
        for (row, fromRow) in rows.enumerated() {
            for (column, fromColumn) in columns.enumerated()
            where !trusted[fromRow * confidence.width + fromColumn] {
                masked[row * width + column] = .nan
            }
        }
        return replacing(samples: masked, width: width, height: height)
    }
}

extension SamplePlane {
    /// The confidence of the nearest sample at another size, as a fraction of ``maximumCode``: 0…1.
    package func shares(atWidth newWidth: Int, height newHeight: Int) -> [Float] {
        precondition(width > 0 && height > 0, "a plane without samples has no shares")
        let shares = mapped(through: (0...maximumCode).map { Float($0) / Float(maximumCode) })
        let columns = ResamplingAxis.nearest(of: width, at: newWidth)
        return ResamplingAxis.nearest(of: height, at: newHeight).flatMap { row in
            columns.map { shares[row * width + $0] }
        }
    }
}
