internal import DepthTypes

/// Row-major pixels or samples of either depth, in the smaller type that fits them.
public enum PixelArray<
    Eight: BitwiseCopyable & Hashable & Sendable, Sixteen: BitwiseCopyable & Hashable & Sendable
>: Hashable, Sendable {
    /// Up to 8 bits a sample.
    case uint8([Eight])
    /// Up to 16 bits a sample; pixels of pictures use 0…65535 for any stored depth.
    case uint16([Sixteen])
}

extension PixelArray {
    /// The pixels that one generic function returns, passed twice as for ``map(_:_:)``.
    package init<Failure>(
        in16Bits: Bool, _ eight: () throws(Failure) -> [Eight], _ sixteen: () throws(Failure) -> [Sixteen]
    ) throws(Failure) {
        self = in16Bits ? .uint16(try sixteen()) : .uint8(try eight())
    }

    /// Whether samples have up to 16 bits.
    package var is16Bit: Bool { if case .uint16 = self { true } else { false } }

    /// The number of pixels.
    package var count: Int { apply(\.count, \.count) }

    /// New pixels of the same depth. Pass one generic function twice: Swift chooses its types for each depth.
    package func map<NewEight, NewSixteen, Failure>(
        _ eight: ([Eight]) throws(Failure) -> [NewEight],
        _ sixteen: ([Sixteen]) throws(Failure) -> [NewSixteen]
    ) throws(Failure) -> PixelArray<NewEight, NewSixteen> {
        switch self {
        case .uint8(let pixels): .uint8(try eight(pixels))
        case .uint16(let pixels): .uint16(try sixteen(pixels))
        }
    }

    /// The result of one generic function, passed twice as for ``map(_:_:)``.
    package func apply<Result, Failure>(
        _ eight: ([Eight]) throws(Failure) -> Result, _ sixteen: ([Sixteen]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch self {
        case .uint8(let pixels): try eight(pixels)
        case .uint16(let pixels): try sixteen(pixels)
        }
    }

    /// The pixels of a picture turned by an orientation.
    func oriented(width: Int, height: Int, by orientation: Orientation) -> Self {
        func turned<Pixel: BitwiseCopyable & Sendable>(_ pixels: [Pixel]) -> [Pixel] {
            reoriented(pixels, width: width, height: height, by: orientation)
        }
        return map(turned, turned)
    }

    /// The pixels of a rectangle, which must be within the picture.
    package func cropped(width: Int, to columns: Range<Int>, _ rows: Range<Int>) -> Self {
        func part<Pixel>(_ pixels: [Pixel]) -> [Pixel] {
            pixels.cropped(width: width, to: columns, rows)
        }
        return map(part, part)
    }
}

extension Array {
    /// The samples of a rectangle of a plane with rows of `width`.
    package func cropped(width: Int, to columns: Range<Int>, _ rows: Range<Int>) -> [Element] {
        var part: [Element] = []
        part.reserveCapacity(columns.count * rows.count)
        for row in rows { part += self[row * width + columns.lowerBound..<row * width + columns.upperBound] }
        return part
    }
}

/// New elements computed from those of an array, on all cores.
@inline(__always)
func parallelMap<Input: Sendable, Output: BitwiseCopyable>(
    _ input: [Input], _ convert: @Sendable (Input) -> Output
) -> [Output] {
    parallelMapRows(width: 1, height: input.count, minimum: 1 << 14) { indices, output in
        let part = input.span.extracting(indices)
        for index in part.indices { output[index] = convert(part[index]) }
    }
}
