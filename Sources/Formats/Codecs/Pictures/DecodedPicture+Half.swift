internal import Bytes

extension DecodedPicture {
    /// Calls `body` with the picture at half its width and height, which must be even. `Sample` is the type of the samples of
    /// all channels.
    ///
    /// Luma is the mean of four samples, as in a JPEG image decoded at half its size. So is chroma, unless it is coded at
    /// that size (4:2:0).
    func withHalf<Sample: ScalableSample>(
        as _: Sample.Type, _ body: (DecodedPicture) throws(ContainerError) -> Void
    ) throws(ContainerError) {
        let (halfWidth, halfHeight) = (width / 2, height / 2)
        let memory = UnsafeMutablePointer<Sample>.allocate(capacity: 3 * halfWidth * halfHeight)
        defer { unsafe memory.deallocate() }
        // SAFETY: the channels have luma's size or, if subsampled, half its width and its height or half of it; each of the
        // three has a third of the memory.
        func half(_ channel: Channel, _ index: Int, isWide: Bool, isHigh: Bool) -> Channel {
            guard isWide || isHigh else { return channel }
            let output = unsafe memory + index * halfWidth * halfHeight
            unsafe Sample.scale(
                channel.row(0, as: Sample.self), stride: Int32(channel.stride / MemoryLayout<Sample>.size),
                width: Int32(isWide ? width : halfWidth), height: Int32(isHigh ? height : halfHeight),
                to: output, stride: Int32(halfWidth), width: Int32(halfWidth), height: Int32(halfHeight))
            return unsafe Channel(
                samples: UnsafeRawPointer(output), stride: halfWidth * MemoryLayout<Sample>.size)
        }
        let (isWide, isHigh) = (chromaFormat == 3, chromaFormat >= 2)
        try body(
            DecodedPicture(
                width: halfWidth, height: halfHeight, chromaFormat: min(chromaFormat, 1) * 3,
                lumaBitDepth: lumaBitDepth, chromaBitDepth: chromaBitDepth, color: color,
                luma: half(luma, 0, isWide: true, isHigh: true),
                blueDifference: blueDifference.map { half($0, 1, isWide: isWide, isHigh: isHigh) },
                redDifference: redDifference.map { half($0, 2, isWide: isWide, isHigh: isHigh) }))
    }
}
