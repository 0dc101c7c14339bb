extension ColorImage {
    /// The picture at another size, each pixel the mean of the area that it covers, in linear light by the curve of
    /// sRGB (Display P3 has the same), 8 bits a sample. Where it is enlarged, pixels become squares.
    ///
    /// The result stays in the color space of ``colorProfile``.
    public func averaged(toWidth newWidth: Int, height newHeight: Int) -> [RGB<UInt8>] {
        precondition(newWidth >= 0 && newHeight >= 0, "a size is not negative")
        precondition(width > 0 && height > 0, "a picture without pixels has no colors")
        switch pixels {
        case .uint8(let pixels):
            if (newWidth, newHeight) == (width, height) { return pixels }
            let light = (0...255).map { TransferFunction.sRGB.light(of: Float($0) / 255) }
            return averaged(pixels, newWidth, newHeight, light: light, shift: 0)
        case .uint16(let pixels):
            let light = (0...4095).map { TransferFunction.sRGB.light(of: Float($0) / 4095) }
            return averaged(pixels, newWidth, newHeight, light: light, shift: 4)
        }
    }

    /// `light` is that of a sample without its last `shift` bits.
    private func averaged<Sample: FixedWidthInteger>(
        _ pixels: [RGB<Sample>], _ newWidth: Int, _ newHeight: Int, light: [Float], shift: Int
    ) -> [RGB<UInt8>] {
        let (width, height) = (width, height)
        let columns = (0..<newWidth).map { CoveredPixels($0, of: newWidth, in: width) }
        return parallelMapRows(width: newWidth, height: newHeight, minimum: 4) { rows, output in
            var sums = [SIMD4<Float>](repeating: .zero, count: width)
            for row in rows {
                let covered = CoveredPixels(row, of: newHeight, in: height)
                for index in sums.indices { sums[index] = .zero }
                for source in covered.range {
                    add(
                        pixels.span.extracting(source * width..<(source + 1) * width),
                        covered.weight(of: source),
                        to: &sums, light: light, shift: shift)
                }
                let start = (row - rows.lowerBound) * newWidth
                for column in 0..<newWidth { output[start + column] = columns[column].mean(of: sums) }
            }
        }
    }
}

/// Adds the light of a row of pixels, weighted.
private func add<Sample: FixedWidthInteger>(
    _ pixels: Span<RGB<Sample>>, _ weight: Float, to sums: inout [SIMD4<Float>], light: [Float], shift: Int
) {
    let light = light.span
    var sums = sums.mutableSpan
    for column in pixels.indices {
        let pixel = pixels[column]
        let value = SIMD4(
            light[Int(pixel.red) >> shift], light[Int(pixel.green) >> shift], light[Int(pixel.blue) >> shift],
            0)
        sums[column] += value * weight
    }
}

/// The old pixels in a row or column that a new one covers, and how much of each.
private struct CoveredPixels {
    let range: Range<Int>
    private let start: Float
    private let end: Float

    init(_ index: Int, of newCount: Int, in count: Int) {
        let low = index * count / newCount
        let high = ((index + 1) * count + newCount - 1) / newCount
        range = low..<high
        // Counted from the first pixel of the range, so that a float has room for the fraction.
        start = Float(Double(index * count) / Double(newCount) - Double(low))
        end = Float(Double((index + 1) * count) / Double(newCount) - Double(low))
    }

    /// The share of the new pixel that an old one of ``range`` fills; all of them sum up to 1.
    func weight(of pixel: Int) -> Float {
        let place = Float(pixel - range.lowerBound)
        return (min(end, place + 1) - max(start, place)) / (end - start)
    }

    func mean(of sums: [SIMD4<Float>]) -> RGB<UInt8> {
        var sum = SIMD4<Float>.zero
        for pixel in range { sum += sums[pixel] * weight(of: pixel) }
        return RGB(red: code(ofLight: sum.x), green: code(ofLight: sum.y), blue: code(ofLight: sum.z))
    }
}

/// The sRGB code nearest to a light of 0…1.
private func code(ofLight light: Float) -> UInt8 {
    codesOfLight[Int(min(max(light, 0), 1) * 65535 + 0.5)]
}

/// The sRGB code of each of 65,536 steps of light.
private let codesOfLight: [UInt8] = {
    var code = 0
    return (0...65535).map { step in
        let light = Float(step) / 65535
        // Between two codes, half way in code is the border.
        while code < 255, TransferFunction.sRGB.light(of: (Float(code) + 0.5) / 255) < light { code += 1 }
        return UInt8(code)
    }
}()

extension TransferFunction {
    /// The light of a coded value 0…1, linear between the samples of the curve.
    func light(of value: Float) -> Float {
        let place = value * Float(light.count - 1)
        let first = min(Int(place), light.count - 2)
        return light[first] + (light[first + 1] - light[first]) * (place - Float(first))
    }
}
