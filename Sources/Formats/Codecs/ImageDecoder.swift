package import Bytes
package import DepthMaps
package import PhotoFormats

/// Decodes images to samples. It gets one image at a time, and nothing that it does not need.
///
/// The output of a decoder is checked against the container's declarations, and every warning of a decoder is treated as
/// damage: decoders return success for pictures with samples that were never written.
package struct ImageDecoder: Sendable {
    let source: any ByteSource
    let limits: DecodingLimits
    /// Whether pictures in PQ and HLG stay so in 16 bits. Otherwise they are in standard range.
    let keepsHDR: Bool

    /// Decodes images whose bytes are in `source`.
    package init(_ source: any ByteSource, limits: DecodingLimits, keepsHDR: Bool = false) {
        (self.source, self.limits, self.keepsHDR) = (source, limits, keepsHDR)
    }

    /// The samples of a plane as coded: the only channel, or luma if there are several.
    ///
    /// `width` and `height` are the size of the coded image that the container declares; `crop` is the part to keep. With
    /// `expandsRange`, samples that a video codec coded in limited range (16…235 of 8 bits) are expanded to the full range.
    package func codes(
        of image: CodedImage, width: Int, height: Int, crop: PixelCrop? = nil, expandsRange: Bool = false
    ) throws(ContainerError) -> SamplePlane {
        try check(image, width: width, height: height)
        source.prefetch(image.extents)
        let plane: SamplePlane
        switch image {
        case .jpeg(let bytes):
            plane = try decodeJPEG(bytes, width: width, height: height)
        case .png(let bytes): plane = try decodePNG(bytes, width: width, height: height)
        case .raw(let samples): plane = try rawPlane(samples)
        case .segments(let image): plane = try decodeSegments(image, width: width, height: height)
        case .jpegXL(let image): plane = try decodeJPEGXL(image, width: width, height: height)
        case .picture(let picture):
            plane = try lumaPlane(of: GridImage(picture), expandsRange: expandsRange)
        case .grid(let grid): plane = try lumaPlane(of: grid, expandsRange: expandsRange)
        case .overlay: throw ContainerError(.unsupported(feature: "a plane that is an overlay ('iovl')"))
        }
        return crop.map(plane.cropped) ?? plane
    }

    /// The pixels of a color image, in the color space of `colorProfile` if that is an RGB profile.
    ///
    /// `eighths` below 8 permits a smaller result: 1, 2 or 4 eighths for JPEG, half the size for HEVC and AV1 if their tiles
    /// have even sides. The size is rounded up, and the image is decoded only as precisely as it needs. `crop` refers to the
    /// full size.
    package func color(
        of image: CodedImage, width: Int, height: Int, crop: PixelCrop? = nil, colorProfile: [UInt8] = [],
        eighths: Int = 8
    ) throws(ContainerError) -> ColorImage {
        precondition([1, 2, 4, 8].contains(eighths))
        try check(image, width: width, height: height)
        source.prefetch(image.extents)
        func whole(_ pixels: ColorImage.Pixels, _ colorProfile: [UInt8]) -> ColorImage {
            ColorImage(width: width, height: height, pixels: pixels, colorProfile: colorProfile)
        }
        let isReduced = eighths <= 4
        let decoded: ColorImage
        switch image {
        case .jpeg(let bytes):
            decoded = try colorOfJPEG(
                bytes, width: width, height: height, colorProfile: colorProfile, eighths: eighths)
        case .png(let bytes):
            decoded = whole(try decodeColorPNG(bytes, width: width, height: height), colorProfile)
        case .jpegXL(let image):
            let (pixels, colorProfile) = try decodeColorJPEGXL(image, width: width, height: height)
            decoded = whole(pixels, colorProfile).resolvingGrayProfile()
        case .raw, .segments: throw ContainerError(.unsupported(feature: "color in raw samples"))
        case .picture(let picture):
            decoded = try color(of: GridImage(picture), isReduced: isReduced, colorProfile: colorProfile)
                .resolvingGrayProfile()
        case .grid(let grid):
            decoded = try color(of: grid, isReduced: isReduced, colorProfile: colorProfile)
                .resolvingGrayProfile()
        case .overlay(let overlay):
            decoded = try color(of: overlay, colorProfile: colorProfile).resolvingGrayProfile()
        }
        return crop.map(decoded.cropped) ?? decoded
    }

    /// Throws if a picture or grid has another size than its item declares: `ispe` may contradict a derived image, or
    /// the size in a grid's data. The decoders of JPEG, PNG and raw samples compare sizes themselves.
    private func check(_ image: CodedImage, width: Int, height: Int) throws(ContainerError) {
        let size: (width: Int, height: Int)
        switch image {
        case .jpeg, .png, .raw, .segments, .jpegXL: return
        case .picture(let picture): size = (picture.width, picture.height)
        case .grid(let grid): size = (grid.width, grid.height)
        case .overlay(let overlay): size = (overlay.width, overlay.height)
        }
        guard size != (width, height) else { return }
        throw ContainerError(
            .malformed(
                rule:
                    "an image of \(size.width) × \(size.height) is declared as \(width) × \(height) ('ispe')"),
            in: StructurePath("meta").appending("iprp").appending("ispe"))
    }

    /// The bytes of a coded image.
    func bytes(of coded: CodedBytes) throws(ContainerError) -> [UInt8] {
        switch coded {
        case .extents(let extents): return try bytes(of: extents)
        case .decoded(let bytes):
            try limits.check(.codedBytes, bytes.count)
            return bytes
        }
    }

    /// The bytes of an image, joined.
    func bytes(of extents: [Range<Int>]) throws(ContainerError) -> [UInt8] {
        let total = extents.reduce(0) { $0 + $1.count }
        try limits.check(.codedBytes, total, at: extents.first?.lowerBound ?? 0)
        guard extents.count != 1 else { return try source.read(extents[0]) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(total)
        for extent in extents { bytes += try source.read(extent) }
        return bytes
    }
}

extension CodedImage {
    /// The ranges of its bytes in the file, as far as they are known before reading.
    fileprivate var extents: [Range<Int>] {
        switch self {
        case .jpeg(.extents(let extents)), .png(.extents(let extents)): extents
        case .raw(let samples): [samples.range]
        case .picture(let picture): picture.extents
        case .grid(let grid): grid.tiles.flatMap(\.extents)
        case .overlay(let overlay): overlay.layers.flatMap(\.image.extents)
        case .jpeg, .png, .segments, .jpegXL: []
        }
    }

    /// Whether the container declares more than one channel, so that the image has color.
    package var hasChroma: Bool {
        switch self {
        case .jpeg, .png, .raw, .segments, .jpegXL: false
        case .picture(let picture): picture.configuration.chromaFormat != 0
        case .grid(let grid): grid.tiles.first.map { $0.configuration.chromaFormat != 0 } ?? false
        case .overlay(let overlay): overlay.layers.contains { $0.image.hasChroma }
        }
    }
}
