package import Bytes
package import DepthMaps
internal import DepthTypes
package import RasterFormats

extension RasterDecoder {
    /// The pixels of a raster as colors, without alpha; a single channel becomes gray.
    ///
    /// Throws unless samples are unsigned integers of at most 16 bits.
    /// PQ and HLG stay so in 16 bits if `keepsHDR` is set.
    package func color(
        of raster: RasterDescription, keepsHDR: Bool = false
    ) throws(ContainerError) -> ColorImage {
        let image: ColorImage = try picture(
            of: raster, { Self.colors($0, raster) }, { Self.colors($0, raster) })
        return (raster.codedColor.map { image.described(by: $0, keepingHDR: keepsHDR) } ?? image)
            .resolvingGrayProfile()
    }

    /// The pixels of a raster as colors with straight alpha, opaque if alpha is missing.
    ///
    /// Throws in the same cases as ``color(of:)``.
    package func translucent(of raster: RasterDescription) throws(ContainerError) -> RGBAImage {
        let image: RGBAImage = try picture(
            of: raster, { Self.translucentColors($0, raster) }, { Self.translucentColors($0, raster) })
        return raster.codedColor.map(image.described) ?? image
    }

    private func picture<Picture: ProfiledPicture>(
        of raster: RasterDescription, _ eight: ([UInt8]) -> [Picture.Eight],
        _ sixteen: ([UInt16]) -> [Picture.Sixteen]
    ) throws(ContainerError) -> Picture {
        let channels = Picture.hasAlpha ? 4 : 3
        let pixels: PixelArray<Picture.Eight, Picture.Sixteen> =
            switch try layout(of: raster, channels: channels) {
            case .pixels8: .uint8(try directPixels(of: raster, channels: channels))
            case .pixels16: .uint16(try directPixels(of: raster, channels: channels))
            case .samples: try colorSamples(of: raster).map(eight, sixteen)
            }
        let profile = raster.codedColor == nil ? try colorProfile(of: raster) : []
        return Picture(width: raster.width, height: raster.height, pixels: pixels, colorProfile: profile)
    }

    /// The layout of the decoder's output.
    private enum ColorLayout {
        case pixels8
        case pixels16
        case samples
    }

    /// libpng converts everything to pixels of 3 or 4 channels; TIFF files may already have them.
    private func layout(of raster: RasterDescription, channels: Int) throws(ContainerError) -> ColorLayout {
        if let readError = raster.readError { throw readError }
        let isReady =
            raster.channels == channels && raster.maximumCode == nil
            && (channels == 3 || raster.alpha == .straight)
        guard raster.format == .png || raster.format == .tiff && isReady else { return .samples }
        switch raster.sampleType {
        case .uint8: return .pixels8
        case .uint16: return .pixels16
        default: return .samples
        }
    }

    private func directPixels<Pixel: BitwiseCopyable>(
        of raster: RasterDescription, channels: Int
    ) throws(ContainerError) -> [Pixel] {
        let pixels = try limits.pixelCount(width: raster.width, height: raster.height)
        let byteCount = pixels * channels * raster.sampleType.byteCount
        try checkPlausible(raster.format == .png ? pixels / 8 : byteCount, of: raster)
        try checkMemory(of: raster, byteCount: byteCount)
        guard raster.format == .png else { return try samplesOfTIFF(raster, byteCount: byteCount) }
        return try samplesOfPNG(raster, channels: channels, byteCount: byteCount)
    }

    /// The samples as stored, with 0 for black and the maximum for white.
    private func colorSamples(of raster: RasterDescription) throws(ContainerError) -> SamplePlane.Codes {
        guard raster.sampleType == .uint8 || raster.sampleType == .uint16 else {
            throw Self.notColors(raster)
        }
        let samples: SamplePlane.Codes
        switch try interleavedSamples(of: raster, channels: raster.channels) {
        case .uint8(let codes): samples = .uint8(codes)
        case .uint16(let codes): samples = .uint16(codes)
        case .float: throw Self.notColors(raster)
        }
        guard raster.isInverted || raster.maximumCode != nil else { return samples }
        return samples.map({ Self.full($0, raster) }, { Self.full($0, raster) })
    }

    private static func full<Code: FixedWidthInteger>(_ codes: [Code], _ raster: RasterDescription) -> [Code]
    {
        let maximum = raster.maximumCode ?? Int(Code.max)
        var full = codes
        for index in full.indices {
            let code = (min(Int(full[index]), maximum) * Int(Code.max) + maximum / 2) / maximum
            full[index] = Code(truncatingIfNeeded: raster.isInverted ? Int(Code.max) - code : code)
        }
        return full
    }

    /// The channel indices of green, blue and alpha; red is 0.
    private static func places(_ raster: RasterDescription) -> (green: Int, blue: Int, alpha: Int?) {
        let colors = raster.channels >= 3 ? 3 : 1
        let alpha = raster.alpha != nil && raster.channels > colors ? colors : nil
        return colors == 3 ? (1, 2, alpha) : (0, 0, alpha)
    }

    private static func colors<Code>(_ codes: [Code], _ raster: RasterDescription) -> [RGB<Code>] {
        let (green, blue, _) = places(raster)
        var pixels: [RGB<Code>] = []
        pixels.reserveCapacity(codes.count / raster.channels)
        for start in stride(from: 0, to: codes.count, by: raster.channels) {
            pixels.append(RGB(red: codes[start], green: codes[start + green], blue: codes[start + blue]))
        }
        return pixels
    }

    private static func translucentColors<Code>(
        _ codes: [Code], _ raster: RasterDescription
    ) -> [RGBA<Code>] {
        let (green, blue, alphaPlace) = places(raster)
        let isPremultiplied = raster.alpha == .premultiplied
        var pixels: [RGBA<Code>] = []
        pixels.reserveCapacity(codes.count / raster.channels)
        for start in stride(from: 0, to: codes.count, by: raster.channels) {
            var pixel = RGBA(
                red: codes[start], green: codes[start + green], blue: codes[start + blue], alpha: Code.max)
            if let alphaPlace { pixel.alpha = codes[start + alphaPlace] }
            pixels.append(isPremultiplied ? pixel.straight : pixel)
        }
        return pixels
    }

    private static func notColors(_ raster: RasterDescription) -> ContainerError {
        ContainerError(.unsupported(feature: "a color image of \(raster.sampleType.rawValue)"))
    }
}
