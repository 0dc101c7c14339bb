package import DepthMaps
internal import DepthTypes

extension DepthMask {
    /// The weight in its trimap of a mask cut from depth. With less, parts with the colors of the other side are assigned to
    /// it: holes in fur in front of a wall of the same color. With more, hair beside the mask is lost.
    package static var trust: Float { 0.1 }

    /// The cutout that the mask gives, with opacity solved again near the mask's edges.
    package func cutout(of photo: ColorImage, curve: TransferFunction) throws(CompositingError) -> Cutout {
        try Cutout(photo, along: matte, curve: curve).refined(
            in: trimap(width: photo.width, height: photo.height), maskTrust: Self.trust)
    }

    /// Where the mask is reliable, for a photo of this size.
    ///
    /// Between foreground and background is an unknown band. On each side of the mask's edge its width is the sum of two
    /// parts: two samples of the depth map, because a map's edges are off by one or two samples; and a five-hundredth of the
    /// photo's diagonal, because maps that were smoothed or enlarged before storage have more samples than they resolve.
    /// Where the map is unknown, the band is twice as wide. The middle of thin foreground stays foreground.
    package func trimap(width: Int, height: Int) -> Trimap {
        let distances = MaskEdgeDistances(matte)
        let scale = Float(matte.width) / Float(max(width, 1))
        let diagonal = Float(width * width + height * height).squareRoot()
        let reach = scale * (2 * Float(width) / Float(max(mapSize.width, 1)) + diagonal / 500)
        let codes: [UInt8] = parallelMapRows(width: width, height: height) { band, output in
            for y in band {
                let row = min(y * matte.height / height, matte.height - 1)
                for x in 0..<width {
                    let column = min(x * matte.width / width, matte.width - 1)
                    output[(y - band.lowerBound) * width + x] = code(column, row, distances, reach)
                }
            }
        }
        return Trimap(width: width, height: height, codes: codes)
    }

    @inline(__always)
    private func code(_ column: Int, _ row: Int, _ distances: MaskEdgeDistances, _ reach: Float) -> UInt8 {
        let index = row * matte.width + column
        let isFront = matte.coverage[index] >= 128
        let distance = distances.distance(index)
        if distance > 2 * reach { return isFront ? 255 : 0 }
        if distance > reach, !isUnknown(column, row) { return isFront ? 255 : 0 }
        let isCore = isFront && distance > max(reach / 3, 1.5) && distances.isRidge(column, row)
        return isCore ? 255 : Trimap.unknown
    }

    private func isUnknown(_ column: Int, _ row: Int) -> Bool {
        guard let unknown = unknownDepth else { return false }
        let (x, y) = (column * unknown.width / matte.width, row * unknown.height / matte.height)
        return unknown.coverage[y * unknown.width + x] > 0
    }
}
