internal import DepthMaps

extension Cutout {
    /// The cutout refined along the photo's edges. A matte that `isCoarse` has only approximate edges, such as a network's of
    /// 256 × 256: it is solved again around them. The module's README measures the gain.
    ///
    /// A matte that is not smaller than the photo is only scaled to its size.
    package func refined(isCoarse: Bool) -> Cutout {
        guard isCoarse, matte.width < photo.width, matte.height < photo.height else { return refined() }
        return refined(in: matte.trimap(width: photo.width, height: photo.height), maskTrust: DepthMask.trust)
    }
}

extension Matte {
    /// The width of the unreliable band around uncertain samples of a coarse matte, in its samples.
    private static var band: Float { 0.5 }
    /// How far from 0 and from 255 a sample of a coarse matte is uncertain.
    private static var doubt: UInt8 { 25 }

    /// Where a coarse matte is reliable, for a photo of this size.
    package func trimap(width: Int, height: Int) -> Trimap {
        // Fine enough to measure distances in fractions of a sample.
        let scale = max(1, min(4, width / max(self.width, 1)))
        let fine = linear(toWidth: self.width * scale, height: self.height * scale)
        let sure = Matte(
            width: fine.width, height: fine.height,
            coverage: fine.coverage.map { $0 <= Self.doubt ? 0 : $0 >= 255 - Self.doubt ? 255 : $0 })
        let distances = MaskEdgeDistances(sure)
        let reach = Self.band * Float(scale)
        let codes: [UInt8] = parallelMapRows(width: width, height: height) { rows, output in
            for y in rows {
                let row = min(y * sure.height / height, sure.height - 1)
                for x in 0..<width {
                    let index = row * sure.width + min(x * sure.width / width, sure.width - 1)
                    output[(y - rows.lowerBound) * width + x] =
                        distances.distance(index) > reach ? sure.coverage[index] : Trimap.unknown
                }
            }
        }
        return Trimap(width: width, height: height, codes: codes)
    }
}
