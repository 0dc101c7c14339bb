internal import ByteParsing

extension ByteSource {
    /// What is worth fetching to describe images that start at these offsets, and stand behind each other up to the end of the
    /// file: the first bytes of each, and everything from there on where no more than 512 KiB are left.
    ///
    /// Planes are at the end of most photos. Their bytes come with those that describe them, and need no request of their own.
    func bytesToDescribeImages(at starts: [Int]) -> [Range<Int>] {
        starts.filter { (1..<byteCount).contains($0) }.map { start in
            start..<(byteCount - start <= (1 << 19) ? byteCount : start + (1 << 14))
        }
    }
}
