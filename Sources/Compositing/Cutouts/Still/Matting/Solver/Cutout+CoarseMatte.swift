internal import DepthCore

extension Cutout {
    /// The cutout refined along the photo's edges. A matte that `isCoarse` shows where the subject is, and its edges only roughly, such
    /// as a network's of 256 × 256: it is solved anew around its edges. See the module's README for what that is worth.
    ///
    /// A matte that is not smaller than the photo is only brought to its size.
    package func refined(isCoarse: Bool) -> Cutout {
        guard isCoarse, matte.width < photo.width, matte.height < photo.height else { return refined() }
        return refined(in: matte.trimap(width: photo.width, height: photo.height), maskTrust: DepthMask.trust)
    }
}

extension Matte {
    /// How far around what is unsure a coarse matte is not trusted, in its samples.
    private static var band: Float { 0.5 }
    /// How far from 0 and from 255 a coarse matte is unsure.
    private static var doubt: UInt8 { 25 }

    /// Where a coarse matte can be trusted, for a photo of this size.
    package func trimap(width: Int, height: Int) -> Trimap {
        // Fine enough for distances of parts of a sample.
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
