package import DepthTypes

/// Where an image is in its container; the container turns it into a ``CodedImage``.
package enum ImageLocation: Hashable, Sendable {
    /// A complete JPEG stream at these bytes of the file.
    case jpegStream(Range<Int>)
    /// A complete PNG stream at these bytes of the file.
    case pngStream(Range<Int>)
    /// Uncoded samples.
    case rawSamples(RawSamples)
    /// A complete JPEG or PNG stream in base64, at this path of the photo's XMP.
    case xmpPayload(XMPPath)
    /// Strips or tiles of a TIFF file.
    case segments(SegmentedImage)
    /// The color of a JPEG XL image (`nil`), or the extra channel with this index.
    case jpegXLChannel(Int?)
    /// An item of a HEIF file.
    case heifItem(Int)
    /// The samples of a plain raster file, or a complete picture file; not used by photo containers.
    case raster
}

extension ImageLocation {
    /// The offset of an image that is a separate stream in the file.
    var start: Int? { range?.lowerBound }

    /// The end of such an image.
    var end: Int? { range?.upperBound }

    private var range: Range<Int>? {
        switch self {
        case .jpegStream(let range), .pngStream(let range): range
        case .rawSamples(let samples): samples.range
        case .segments, .jpegXLChannel, .xmpPayload, .heifItem, .raster: nil
        }
    }
}

/// The coded form of an image: everything a decoder needs, nothing decoded.
package enum CodedImage: Sendable {
    /// A JPEG stream.
    case jpeg(CodedBytes)
    /// A PNG stream; a plane is its first channel.
    case png(CodedBytes)
    /// Uncoded samples.
    case raw(RawSamples)
    /// Strips or tiles of a TIFF file.
    case segments(SegmentedImage)
    /// Channels of a JPEG XL image.
    case jpegXL(JPEGXLImage)
    /// One HEVC or AV1 picture.
    case picture(CodedPicture)
    /// A picture composed of tiles of equal size, row by row; pixels beyond its right and bottom edge are cut off (ISO/IEC
    /// 23008-12 §6.6.2.3).
    case grid(GridImage)
    /// Pictures laid over each other on a canvas (ISO/IEC 23008-12 §6.6.2.2).
    case overlay(OverlayImage)
}

/// The bytes of a coded image.
package enum CodedBytes: Hashable, Sendable {
    /// Ranges of the file, to be joined.
    case extents([Range<Int>])
    /// Bytes that the file has in another form, such as base64 in XMP.
    case decoded([UInt8])

    /// Their offset in the file, for messages.
    package var offset: Int {
        if case .extents(let extents) = self { extents.first?.lowerBound ?? 0 } else { 0 }
    }
}

/// A plane of one byte per sample, rows tightly packed.
package struct RawSamples: Hashable, Sendable {
    /// The bytes of the samples.
    package var range: Range<Int>
    /// The width in samples.
    package var width: Int
    /// The height in samples.
    package var height: Int
    /// How to turn the rows to the orientation of the photo's stored pixels.
    package var orientation = Orientation.up

    /// Samples of one byte each: `range` has `width` × `height` bytes.
    package init(range: Range<Int>, width: Int, height: Int, orientation: Orientation = .up) {
        (self.range, self.width, self.height, self.orientation) = (range, width, height, orientation)
    }
}

/// One HEVC or AV1 picture of a HEIF file.
package struct CodedPicture: Hashable, Sendable {
    /// The coding, its parameter sets if they are stored separately, and the sample format.
    package var configuration: PictureConfiguration
    /// The ranges of the item's data, to be joined.
    package var extents: [Range<Int>]
    /// The width that the container declares (`ispe`).
    package var width: Int
    /// The height that the container declares.
    package var height: Int
    /// The color coding that the container declares, which takes precedence over the picture's.
    package var color: CodedColor?
    /// The item's id, for messages.
    package var itemID: Int
}

/// The coding of a picture, as its container declares it.
package enum PictureConfiguration: Hashable, Sendable {
    /// `hvcC`
    case hevc(HEVCConfiguration)
    /// `av1C`
    case av1(AV1Configuration)

    /// 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    package var chromaFormat: Int {
        switch self {
        case .hevc(let configuration): configuration.chromaFormat
        case .av1(let configuration): configuration.chromaFormat
        }
    }

    /// Bits of a luma sample.
    package var bitDepth: Int {
        switch self {
        case .hevc(let configuration): configuration.bitDepth
        case .av1(let configuration): configuration.bitDepth
        }
    }

    /// Whether pictures of both have the same sample format.
    func hasSameFormat(as other: PictureConfiguration) -> Bool {
        (chromaFormat, bitDepth) == (other.chromaFormat, other.bitDepth)
    }
}

/// A picture made of tiles.
package struct GridImage: Sendable {
    /// Rows of tiles.
    package var rows: Int
    /// Columns of tiles.
    package var columns: Int
    /// The width of the complete picture, in pixels.
    package var width: Int
    /// The height of the complete picture, in pixels.
    package var height: Int
    /// The tiles, row by row.
    package var tiles: [CodedPicture]

    /// A single picture as a grid of one tile.
    package init(_ picture: CodedPicture) {
        self.init(rows: 1, columns: 1, width: picture.width, height: picture.height, tiles: [picture])
    }

    init(rows: Int, columns: Int, width: Int, height: Int, tiles: [CodedPicture]) {
        (self.rows, self.columns, self.width, self.height, self.tiles) = (rows, columns, width, height, tiles)
    }
}

/// Pictures laid over each other on a canvas of one color. Pixels outside the canvas are cut off.
package struct OverlayImage: Sendable {
    /// A picture on the canvas, and how it is cropped and turned first.
    package struct Layer: Sendable {
        /// The coded picture; never an overlay.
        package var image: CodedImage
        /// The width of the coded picture.
        package var width: Int
        /// The height of the coded picture.
        package var height: Int
        /// The part of the coded picture to use.
        package var crop: PixelCrop?
        /// How to turn that part.
        package var orientation: Orientation
        /// The column of its first pixel on the canvas; may be negative.
        package var left: Int
        /// The row of its first pixel on the canvas.
        package var top: Int
    }

    /// The width of the canvas.
    package var width: Int
    /// The height of the canvas.
    package var height: Int
    /// Red, green, blue and opacity of the canvas, 0…65535. The opacity is not used, because pictures here have no
    /// alpha.
    package var fill: [UInt16]
    /// The layers, from the lowest to the highest.
    package var layers: [Layer]
}
