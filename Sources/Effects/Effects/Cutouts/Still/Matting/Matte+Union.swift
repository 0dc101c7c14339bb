public import DepthMaps

extension Matte {
    /// The coverage of either matte, at the larger width and height: `1 − (1 − a)(1 − b)`.
    ///
    /// Exact for uncorrelated edges. If two mattes divide a pixel without overlap, as hair and skin do, the true coverage is
    /// more; if their edges coincide, less: this is between the two.
    public func union(with other: Matte) -> Matte {
        let (newWidth, newHeight) = (max(width, other.width), max(height, other.height))
        guard !coverage.isEmpty, !other.coverage.isEmpty else { return coverage.isEmpty ? other : self }
        let first = linear(toWidth: newWidth, height: newHeight).coverage
        let second = other.linear(toWidth: newWidth, height: newHeight).coverage
        let united: [UInt8] = parallelMapRows(width: newWidth, height: newHeight) { band, output in
            let offset = band.lowerBound * newWidth
            let (first, second) = (first.span, second.span)
            for index in output.indices {
                let product = (255 - UInt32(first[offset + index])) * (255 - UInt32(second[offset + index]))
                output[index] = UInt8(255 - (product + 127) / 255)
            }
        }
        return Matte(width: newWidth, height: newHeight, coverage: united)
    }
}
