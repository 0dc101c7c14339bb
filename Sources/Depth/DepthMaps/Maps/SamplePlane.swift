public import DepthTypes

/// Samples as stored: integers without a unit, row-major.
public struct SamplePlane: Hashable, Sendable {
    /// The samples, in the smaller type that fits them.
    public typealias Codes = PixelArray<UInt8, UInt16>

    /// Samples in a row.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// Significant bits of a sample, 1…16.
    public let bitDepth: Int
    /// The samples, row by row.
    public let codes: Codes

    /// Row-major samples. Their number must be `width · height`.
    public init(width: Int, height: Int, bitDepth: Int, codes: Codes) {
        precondition(codes.count == width * height && bitDepth <= (codes.is16Bit ? 16 : 8))
        (self.width, self.height, self.bitDepth, self.codes) = (width, height, bitDepth, codes)
    }

    /// The largest value of the bit depth.
    public var maximumCode: Int { (1 << bitDepth) - 1 }

    /// The plane turned by an orientation.
    public func oriented(by orientation: Orientation) -> SamplePlane {
        let size = orientation.size(width: width, height: height)
        return SamplePlane(
            width: size.width, height: size.height, bitDepth: bitDepth,
            codes: codes.oriented(width: width, height: height, by: orientation))
    }

    /// Every value subtracted from the largest.
    package var complemented: SamplePlane {
        let highest = maximumCode
        func turned<Code: FixedWidthInteger>(_ codes: [Code]) -> [Code] {
            codes.map { Code(clamping: highest - Int($0)) }
        }
        return SamplePlane(width: width, height: height, bitDepth: bitDepth, codes: codes.map(turned, turned))
    }

    /// The smallest and largest value; `nil` for a plane without samples.
    public var range: ClosedRange<Int>? { codes.apply(Self.range, Self.range) }

    /// How often each code occurs, those beyond the bit depth as the greatest.
    package var histogram: [Int] {
        var counts = [Int](repeating: 0, count: maximumCode + 1)
        let last = maximumCode
        func count<Sample: FixedWidthInteger>(_ samples: [Sample]) {
            for sample in samples { counts[min(Int(sample), last)] += 1 }
        }
        codes.apply(count, count)
        return counts
    }

    private static func range<Sample: FixedWidthInteger>(_ samples: [Sample]) -> ClosedRange<Int>? {
        guard var low = samples.first else { return nil }
        var high = low
        for sample in samples {
            low = min(low, sample)
            high = max(high, sample)
        }
        return Int(low)...Int(high)
    }

    /// Looks up every value in a table of `maximumCode + 1` entries; values beyond the bit depth use the last entry.
    func mapped<Value: BitwiseCopyable>(through table: [Value]) -> [Value] {
        let last = table.count - 1
        precondition(last == maximumCode)
        func mapped<Sample: FixedWidthInteger>(_ samples: [Sample]) -> [Value] {
            unsafe [Value](unsafeUninitializedCapacity: samples.count) { output, count in
                for index in samples.indices {
                    unsafe output.initializeElement(at: index, to: table[min(Int(samples[index]), last)])
                }
                count = samples.count
            }
        }
        return codes.apply(mapped, mapped)
    }

    /// The values stretched to 16 bits: the lower bound becomes 0, the upper 65535.
    ///
    /// If values exceed the declared range, the full range of the bit depth is used instead, so that nothing is lost. The
    /// range that was used is returned.
    package func stretchedTo16Bits(over declared: ClosedRange<Int>) -> (
        samples: [UInt16], codes: ClosedRange<Int>
    ) {
        let found = range ?? declared
        let fits = declared.lowerBound <= found.lowerBound && found.upperBound <= declared.upperBound
        let codes = fits && declared.count > 1 ? declared : 0...maximumCode
        let span = codes.upperBound - codes.lowerBound
        let table = (0...maximumCode).map { code in
            UInt16(
                ((min(max(code, codes.lowerBound), codes.upperBound) - codes.lowerBound) * 65535 + span / 2)
                    / span)
        }
        return (mapped(through: table), codes)
    }
}
