package import Bytes
internal import RasterFormats

/// 16-bit samples that are not distances as they are stored, recognized by their bits: neighbors in a row differ far more than they do
/// once the samples are unpacked.
enum PackedSamples {
    /// A warning that names the packing; `nil` if samples are plain, or `scale` allows for it.
    static func remark(on codes: [UInt16], _ raster: RasterDescription, scale: Double?) -> Diagnostic? {
        let width = raster.width
        let stored = Roughness(of: codes, width: width) { $0 }
        guard stored.pairs >= 100 else { return nil }
        if raster.format == .pgm {
            let swapped = Roughness(of: codes, width: width) { $0.byteSwapped }
            if swapped.sum > 0, stored.sum / swapped.sum >= 4 {
                return .warning(
                    "swapped-samples",
                    "neighboring samples differ \(stored.sum / swapped.sum) times as much as in the other byte order, so they may be little-endian"
                )
            }
        }
        let rotated = Roughness(of: codes, width: width) { $0 >> 3 | $0 << 13 }
        // Without distances of 8.192 m or more, rotating divides by 8.
        if stored.bits & 7 == 0, stored.bits & 8 != 0, Set(codes).count >= 16, scale != 8000 {
            return .warning(
                .shiftedSamples,
                "all samples are multiples of 8, as in SUN RGB-D and recordings of the first Kinect, which store millimeters shifted by 3 bits"
            )
        }
        if rotated.isSmooth, stored.sum >= 10 * rotated.sum {
            return .warning(
                .packedSamples,
                "neighboring samples jump unless their bits are rotated by 3, as SUN RGB-D stores millimeters; in NumPy, (d >> 3) | (d << 13) unpacks them"
            )
        }
        let low = Roughness(of: codes, width: width) { $0 & 0x1FFF }
        if low.isSmooth, stored.sum >= 4 * max(low.sum, low.pairs) {
            return .warning(
                .packedSamples,
                "neighboring samples jump by multiples of 8192, as in Android's DEPTH16, whose upper 3 bits are a confidence; in NumPy, d & 0x1FFF gives the millimeters"
            )
        }
        return nil
    }
}

/// How much samples differ from the ones before them in their rows, where both are not 0.
private struct Roughness {
    var sum = 0
    var pairs = 0
    /// The bits that occur.
    var bits: UInt16 = 0

    /// Whether a sample differs by less than 1/16 of 8192 from the one before, on average: far less than at random.
    var isSmooth: Bool { sum < 512 * pairs }

    init(of codes: [UInt16], width: Int, _ unpack: (UInt16) -> UInt16) {
        for index in codes.indices {
            let code = codes[index]
            bits |= code
            guard index % width != 0, code != 0, codes[index - 1] != 0 else { continue }
            pairs += 1
            sum += abs(Int(unpack(code)) - Int(unpack(codes[index - 1])))
        }
    }
}

extension Diagnostic.Code {
    /// Samples are 8 times millimeters.
    package static let shiftedSamples: Self = "shifted-samples"
    /// Samples of 16 bits hold more than distances, or have their bits in another order.
    package static let packedSamples: Self = "packed-samples"
}
