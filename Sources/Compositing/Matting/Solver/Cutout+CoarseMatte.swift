internal import DepthCore
internal import Glibc

extension Cutout {
    /// The cutout by a matte that knows where the subject is, and its edges only roughly, such as a network's of 256 × 256: solved anew
    /// around its edges, in a band whose width is that of the matte's own samples.
    package func solved() -> Cutout {
        guard matte.width < photo.width, matte.height < photo.height, unsafe getenv("ISO_MODE") == nil else {
            return refined()
        }
        func env(_ name: String, _ value: Float) -> Float {
            unsafe getenv(name).flatMap { unsafe Float(String(cString: $0)) } ?? value
        }
        let trimap = matte.trimap(
            width: photo.width, height: photo.height, band: env("ISO_BAND", 1.5), doubt: env("ISO_DOUBT", 0.1)
        )
        return refined(in: trimap, maskTrust: env("ISO_TRUST", 0.1))
    }
}

extension Matte {
    /// Where the matte can be trusted, for a photo of this size: not within `band` of its samples of a place where it is more than `doubt`
    /// from 0 and from 1.
    package func trimap(width: Int, height: Int, band: Float, doubt: Float) -> Trimap {
        // Fine enough for distances of parts of a sample.
        let scale = max(1, min(4, width / max(self.width, 1)))
        let fine = linear(toWidth: self.width * scale, height: self.height * scale)
        let (low, high) = (UInt8(doubt * 255), UInt8(255 - doubt * 255))
        let sure = Matte(
            width: fine.width, height: fine.height,
            coverage: fine.coverage.map { $0 <= low ? 0 : $0 >= high ? 255 : $0 })
        let distances = MaskEdgeDistances(sure)
        let reach = band * Float(scale)
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
