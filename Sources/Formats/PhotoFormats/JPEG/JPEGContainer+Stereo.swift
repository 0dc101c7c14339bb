internal import Bytes

extension JPEGContainer {
    /// Finds the second view of a multi-picture file (MPO, CIPA DC-007) and makes it and the photo a pair.
    ///
    /// Views are numbered from the left (`MPIndividualNum`); without numbers the photo is the left one. Returns the offset of
    /// the second view, which is not a plane. From `TestImages/stereo.mpo`, after the index of the images:
    ///
    /// ```
    /// 0004                               four attributes of this image
    /// b000 0007 00000004 30313030        version "0100"
    /// b101 0004 00000001 00000001        the first view
    /// b204 0004 00000001 00000001        is the base of the others
    /// b206 0005 00000001 00000088        rational at 136:
    /// 00000000 0000000d 000000c8         13 / 200 of a meter
    /// ```
    mutating func describeStereo(
        _ index: MultiPictureIndex, _ images: some Sequence<(MultiPictureIndex.Entry, Int)>
    ) -> Int? {
        guard let (entry, end) = images.first(where: { $0.0.isStereoView }) else { return nil }
        do throws(ContainerError) {
            var bytes = WindowedBytes(source)
            let header = try JPEGHeader(&bytes, at: entry.offset, limits: limits)
            var second = CodedView(
                location: .jpegStream(entry.offset..<self.end(of: entry, limit: end)),
                codedWidth: header.width, codedHeight: header.height)
            second.orientation = photo.orientation
            second.colorProfile = header.colorProfile.sorted { $0.number < $1.number }.map(\.range)
            let own = try header.multiPicture.map { (block) throws(ContainerError) in
                try MultiPictureIndex(parsing: try bytes.read(block), at: block.lowerBound, limits: limits)
            }
            let first = CodedView(photo)
            let isSwapped = (index.viewNumber ?? 1) > (own?.viewNumber ?? 2)
            photo.stereo = StereoPair(
                left: isSwapped ? second : first, right: isSwapped ? first : second,
                baseline: index.baseline ?? own?.baseline, source: "mpo")
        } catch {
            diagnostics.append(error)
        }
        return photo.stereo == nil ? nil : entry.offset
    }
}
