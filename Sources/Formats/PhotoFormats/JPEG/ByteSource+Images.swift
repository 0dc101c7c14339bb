internal import Bytes

extension ByteSource {
    /// The ranges to fetch before describing images that start at these offsets and follow each other up to the end of the
    /// file: the first bytes of each image, and everything from an image to the end if that is at most 512 KiB.
    ///
    /// Planes are at the end of most photos. Fetching them along with their descriptions saves a request.
    func bytesToDescribeImages(at starts: [Int]) -> [Range<Int>] {
        starts.filter { (1..<byteCount).contains($0) }.map { start in
            start..<(byteCount - start <= (1 << 19) ? byteCount : start + (1 << 14))
        }
    }
}
