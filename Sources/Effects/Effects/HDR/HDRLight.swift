package import DepthMaps

/// A picture and its HDR rendition at a small size, as images of 16 bits that effects can be applied to.
///
/// Stored values are light divided by ``peak``, on the picture's curve. Effects that mix light, such as compositing and blur,
/// give the same result at any scale. The picture is included because the quotient of both results is then never beyond the
/// factors of the gain map, even at edges that are a little elsewhere than in the large picture.
package struct HDRLight: Sendable {
    /// If ``isGray``, one image: red is the luminance of the rendition, green and blue that of the picture. Otherwise the
    /// rendition and the picture, in color.
    package private(set) var images: [ColorImage]
    /// Whether only luminance is kept, for a gain map of one plane.
    package private(set) var isGray: Bool
    /// The light of the largest stored value, where 1 is the picture's white.
    package let peak: Float
    /// The curve from stored values to light.
    package let curve: TransferFunction

    /// A picture at the size of a gain map, and its rendition by the map.
    package init(
        _ picture: ColorImage, _ gainMap: GainMap, isGray: Bool, peak: Float, curve: TransferFunction
    ) {
        let (base, alternate) = gainMap.offsets
        self.init(picture, gainMap.width, gainMap.height, isGray, peak, curve) { light, index in
            (light + base) * gainMap.factor(at: index) - alternate
        }
    }

    /// A picture without a gain map at another size, which is its own rendition.
    package init(
        _ picture: ColorImage, width: Int, height: Int, isGray: Bool, peak: Float, curve: TransferFunction
    ) {
        self.init(picture, width, height, isGray, peak, curve) { light, _ in light }
    }

    private init(
        _ picture: ColorImage, _ width: Int, _ height: Int, _ isGray: Bool, _ peak: Float,
        _ curve: TransferFunction, _ rendition: @Sendable (SIMD4<Float>, Int) -> SIMD4<Float>
    ) {
        let light = picture.averagedLight(toWidth: width, height: height, curve: curve)
        let codes = TransferFunctionTable<UInt16>(curve)
        func image(_ pixel: @Sendable (Int) -> SIMD4<Float>) -> ColorImage {
            let pixels = parallelPixels(width: width, height: height) { column, row in
                codes.pixel(ofLight: pixel(row * width + column) / peak)
            }
            return ColorImage(
                width: width, height: height, pixels: .uint16(pixels), colorProfile: picture.colorProfile)
        }
        if isGray {
            images = [
                image { index in
                    let gray = light[index].luminance
                    return SIMD4(rendition(light[index], index).luminance, gray, gray, 0)
                }
            ]
        } else {
            images = [image { rendition(light[$0], $0) }, image { light[$0] }]
        }
        (self.isGray, self.peak, self.curve) = (isGray, peak, curve)
    }

    /// The result of an effect on the picture and its rendition.
    package func applying(_ effect: (ColorImage) throws -> ColorImage) rethrows -> HDRLight {
        var result = self
        result.images = try images.map(effect)
        return result
    }

    /// The luminance alone.
    package var inGray: HDRLight {
        guard !isGray else { return self }
        let table = TransferFunctionTable<UInt16>(curve)
        let pixels = zip(images[0].sixteenBitPixels, images[1].sixteenBitPixels).map { bright, plain in
            let gray = table.light(of: plain).luminance
            return table.pixel(ofLight: SIMD4(table.light(of: bright).luminance, gray, gray, 0))
        }
        var result = self
        result.images = [
            ColorImage(
                width: images[0].width, height: images[0].height, pixels: .uint16(pixels),
                colorProfile: images[0].colorProfile)
        ]
        result.isGray = true
        return result
    }

    /// The light of one color of the rendition, and of the picture; the luminance of both if ``isGray``.
    func light(of channel: Int) -> [SIMD2<Float>] {
        let (bright, plain) = planes
        let table = TransferFunctionTable<UInt16>(curve)
        return bright.indices.map { index in
            SIMD2(
                table.light(of: bright[index])[channel],
                table.light(of: plain[index])[isGray ? 1 : channel]) * peak
        }
    }

    /// Whether some light has the largest stored value, so that more may be clipped.
    package var reachesPeak: Bool {
        images[0].sixteenBitPixels.contains { $0.greatest == .max }
    }

    /// The pixels of the rendition and of the picture.
    fileprivate var planes: (rendition: [RGB<UInt16>], picture: [RGB<UInt16>]) {
        (images[0].sixteenBitPixels, images[images.count - 1].sixteenBitPixels)
    }
}

extension SIMD4<Float> {
    /// The luminance of red, green and blue light by ITU-R BT.709.
    fileprivate var luminance: Float { 0.2126 * x + 0.7152 * y + 0.0722 * z }
}

extension RGBAImage {
    /// The picture with its light divided by `peak`, at 16 bits, to be inserted into the images of an ``HDRLight``. `isGray`
    /// leaves only its luminance.
    package func dimmed(by peak: Float, isGray: Bool, curve: TransferFunction) -> RGBAImage {
        let table = TransferFunctionTable<UInt16>(curve)
        let pixels = UInt16.pixels(of: pixels).map { pixel in
            let color = RGB(red: pixel.red, green: pixel.green, blue: pixel.blue)
            let light = table.light(of: color) / peak
            let dimmed = table.pixel(ofLight: isGray ? SIMD4(repeating: light.luminance) : light)
            return RGBA(red: dimmed.red, green: dimmed.green, blue: dimmed.blue, alpha: pixel.alpha)
        }
        return RGBAImage(width: width, height: height, pixels: .uint16(pixels), colorProfile: colorProfile)
    }
}

extension GainMap {
    /// The factors of red, green and blue at an index; the fourth element is 1.
    fileprivate func factor(at index: Int) -> SIMD4<Float> {
        factors.count == 1
            ? SIMD4(repeating: factors[0][index])
            : SIMD4(factors[0][index], factors[1][index], factors[2][index], 1)
    }

    /// The gain map, stored in the same way and of the size of `hdr`, that makes an HDR rendition of a picture which an effect
    /// was applied to.
    ///
    /// - Parameters:
    ///   - hdr: The effect on the picture and its rendition, in gray for a map with one plane.
    ///   - picture: The effect on the large picture. Where this is the brighter one, as highlights in a blur may be, the factor is
    ///     less.
    package func making(_ hdr: HDRLight, of picture: ColorImage) -> GainMap {
        precondition(hdr.isGray == (factors.count == 1), "a map has the planes of the light")
        let (width, height) = (hdr.images[0].width, hdr.images[0].height)
        let light = picture.averagedLight(toWidth: width, height: height, curve: hdr.curve)
        let table = TransferFunctionTable<UInt16>(hdr.curve)
        let (base, alternate) = offsets
        let (rendition, plain) = hdr.planes
        let made = factors.indices.map { channel -> [Float] in
            parallelPixels(width: width, height: height) { column, row in
                let place = row * width + column
                let bright = table.light(of: rendition[place])[channel] * hdr.peak
                let small = table.light(of: plain[place])[hdr.isGray ? 1 : channel] * hdr.peak
                let large = hdr.isGray ? light[place].luminance : light[place][channel]
                let given = max(small, large) + base[channel]
                let wanted = bright + alternate[channel]
                return given > 1e-5 && wanted > 0 ? wanted / given : 1
            }
        }
        return GainMap(width: width, height: height, factors: made, parameters: parameters)
    }

    /// The map with the factors of another one, of any size, where an effect has changed the picture, or where `isAffected` is
    /// true for an index: white remains white, however bright it was.
    package func changed(
        to other: GainMap, where before: ColorImage, became after: ColorImage, or isAffected: (Int) -> Bool
    ) -> GainMap {
        let isChanged = before.changes(to: after, width: width, height: height)
        let other = other.resampled(toWidth: width, height: height, by: .bilinear)
        let mixed = zip(factors, other.factors).map { old, new in
            old.indices.map { isChanged[$0] || isAffected($0) ? new[$0] : old[$0] }
        }
        return GainMap(width: width, height: height, factors: mixed, parameters: parameters)
    }
}

extension ColorImage {
    /// Whether pixels differ from those of another image of the same size and depth, in each cell of a grid.
    fileprivate func changes(to other: ColorImage, width newWidth: Int, height newHeight: Int) -> [Bool] {
        guard is16Bit == other.is16Bit else { return Array(repeating: true, count: newWidth * newHeight) }
        func changes<Sample: PictureSample>(_ old: [RGB<Sample>]) -> [Bool] {
            changed(old, Sample.pixels(of: other.pixels), newWidth, newHeight)
        }
        return pixels.apply(changes, changes)
    }

    private func changed<Sample>(
        _ old: [RGB<Sample>], _ new: [RGB<Sample>], _ newWidth: Int, _ newHeight: Int
    ) -> [Bool] {
        precondition(old.count == new.count, "both have one size")
        let (width, height) = (width, height)
        return parallelPixels(width: newWidth, height: newHeight) { column, row in
            let (top, left) = (row * height / newHeight, column * width / newWidth)
            let right = max(left + 1, (column + 1) * width / newWidth)
            for y in top..<max(top + 1, (row + 1) * height / newHeight) {
                for place in y * width + left..<y * width + right where old[place] != new[place] {
                    return true
                }
            }
            return false
        }
    }
}
