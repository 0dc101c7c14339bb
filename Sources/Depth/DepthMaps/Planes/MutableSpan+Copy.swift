extension MutableSpan where Element: BitwiseCopyable {
    /// Copies a range of another span, which must not be this one, to the elements from `first` on.
    @inlinable
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
