internal import Bytes
internal import DepthTypes

/// A DNG file with its depth map and semantic masks (Adobe DNG 1.6; Apple ProRAW).
///
/// The raw image is not developed: the photo is the largest JPEG preview in it.
struct DNGContainer: ParsedContainer {
    let format = ContainerKind.dng
    private(set) var photo: PhotoDescription
    private(set) var planes: [AuxiliaryPlane] = []
    private(set) var diagnostics: [Diagnostic] = []
    private let file: TIFFFile
    private let main: TIFFFile.Directory

    /// Values of NewSubfileType.
    private enum Subfile {
        static let preview = 1
        static let depth = 8
        static let reducedDepth = 9
        static let semanticMask = 0x10004
    }

    /// Searches for the field DNGVersion in the first directory.
    static func recognizes(_ start: [UInt8], of source: any ByteSource) -> Bool {
        guard start.starts(with: [0x49, 0x49, 42, 0]) || start.starts(with: [0x4D, 0x4D, 0, 42]) else {
            return false
        }
        // The first directory may be anywhere in the file.
        guard let file = try? TIFFFile(source, limits: DecodingLimits()),
            let first = try? file.directory(at: file.first)
        else { return false }
        return first.has(.dngVersion)
    }

    init(_ source: any ByteSource, start: [UInt8], limits: DecodingLimits) throws(ContainerError) {
        file = try TIFFFile(source, limits: limits)
        let (directories, failure) = try file.directories()
        if let failure { diagnostics.append(failure) }
        main = directories[0]
        photo = try Self.describePhoto(directories, of: file)
        for directory in directories {
            do throws(ContainerError) {
                let subfile = try directory.integer(.newSubfileType) ?? 0
                switch subfile {
                case Subfile.depth, Subfile.reducedDepth: planes.append(try depthPlane(directory))
                case Subfile.semanticMask: planes.append(try mask(directory))
                default: break
                }
            } catch {
                diagnostics.append(error)
            }
        }
        planes.number()
    }

    private static func describePhoto(
        _ directories: [TIFFFile.Directory], of file: TIFFFile
    ) throws(ContainerError) -> PhotoDescription {
        let main = directories[0]
        var photo = PhotoDescription(
            width: try main.integer(.imageWidth) ?? 0, height: try main.integer(.imageLength) ?? 0,
            codedWidth: 0,
            codedHeight: 0, location: .raster)
        for directory in directories {
            guard try directory.integer(.newSubfileType) == Subfile.preview,
                try directory.integer(.compression) == 7,
                [1, 6].contains(try directory.integer(.photometricInterpretation)),
                let width = try directory.integer(.imageWidth),
                let height = try directory.integer(.imageLength),
                let range = try directory.segments().first, try directory.segments().count == 1,
                photo.location == .raster || width > photo.width
            else { continue }
            (photo.width, photo.height, photo.location) = (width, height, .jpegStream(range))
            do {
                let path = StructurePath("TIFF")
                _ = try file.limits.pixelCount(width: width, height: height, at: directory.offset, in: path)
                try file.source.check(range, in: path)
                photo.readError = nil
            } catch {
                photo.readError = error
            }
        }
        if photo.location == .raster {
            photo.readError = ContainerError(
                .unsupported(feature: "developing raw data of a DNG without a JPEG preview"), at: main.offset,
                in: StructurePath("TIFF"))
        }
        (photo.codedWidth, photo.codedHeight) = (photo.width, photo.height)
        photo.orientation = Orientation(rawValue: try main.integer(.orientation) ?? 1) ?? .up
        (photo.make, photo.model) = (try main.text(.make), try main.text(.model))
        if let offset = try main.integer(.exifDirectory), let exif = try? file.directory(at: offset) {
            let focalLength = try exif.integer(.focalLengthIn35mmFilm)
            photo.focalLength35mm = focalLength == 0 ? nil : focalLength
        }
        return photo
    }

    /// Describes the picture of a directory. If it cannot be read, ``AuxiliaryPlane/readError`` is the reason.
    private func plane(_ directory: TIFFFile.Directory, kind: PlaneKind, type: String, carrier: PlaneCarrier)
        throws(ContainerError) -> AuxiliaryPlane
    {
        let (width, height) = (
            try directory.integer(.imageWidth) ?? 0, try directory.integer(.imageLength) ?? 0
        )
        _ = try file.limits.pixelCount(
            width: width, height: height, at: directory.offset, in: StructurePath("TIFF"))
        let names = [1: "uncompressed", 7: "jpeg", 8: "deflate", 32946: "deflate", 34892: "jpeg"]
        let compression = try directory.integer(.compression) ?? 1
        var plane = AuxiliaryPlane(
            kind: kind, width: width, height: height, codedWidth: width, codedHeight: height,
            bitDepth: try directory.integer(.bitsPerSample), components: 1,
            codec: names[compression] ?? "tiff-\(compression)",
            carrier: carrier, type: type, orientation: photo.orientation, location: .raster)
        do {
            let image = try SegmentedImage(directory, of: file)
            plane.location = .segments(image)
            for segment in image.segments { try file.source.check(segment, in: StructurePath("TIFF")) }
            try file.limits.check(
                .codedBytes, image.segments.reduce(0) { $0 + $1.count }, at: directory.offset)
        } catch {
            plane.readError = error
        }
        return plane
    }

    /// Describes a depth map. The fields for the meaning of its samples are in the mask's directory or in the first.
    private func depthPlane(_ directory: TIFFFile.Directory) throws(ContainerError) -> AuxiliaryPlane {
        let owner = directory.has(.depthFormat) ? directory : main
        let depth = DNGDepthRange(
            format: try owner.integer(.depthFormat) ?? 0, near: try owner.rational(.depthNear) ?? .nan,
            far: try owner.rational(.depthFar) ?? .nan, unit: try owner.integer(.depthUnits) ?? 0)
        let bitDepth = min(max(try directory.integer(.bitsPerSample) ?? 8, 1), 16)
        let mapping = depth.mapping(bitDepth: bitDepth)
        var plane = try plane(
            directory, kind: mapping.quantity == .depth ? .depth : .disparity, type: depth.formatName,
            carrier: .dngDepth)
        plane.mapping = mapping
        plane.accuracy = mapping.hasUnit ? .relative : .unknown
        plane.isAlongRay = try owner.integer(.depthMeasureType) == 2
        return plane
    }

    private func mask(_ directory: TIFFFile.Directory) throws(ContainerError) -> AuxiliaryPlane {
        let name = try directory.text(.semanticName) ?? ""
        var plane = try plane(
            directory, kind: planeKind(ofAuxiliaryType: name), type: name, carrier: .dngSemanticMask)
        let area = try directory.integers(.maskSubArea, limit: .directoryEntries)
        if area.count == 4, area != [0, 0, plane.width, plane.height] {
            plane.readError =
                plane.readError
                ?? ContainerError(
                    .unsupported(feature: "a semantic mask of a part of the photo"), at: directory.offset,
                    in: StructurePath("TIFF"))
        }
        return plane
    }

    func codedImage(at location: ImageLocation) throws(ContainerError) -> CodedImage {
        switch location {
        case .jpegStream(let range): return .jpeg(.extents([range]))
        case .segments(let image): return .segments(image)
        default:
            throw photo.readError ?? ContainerError(.unsupported(feature: "this image of a DNG file"))
        }
    }

    func photoXMP() throws(ContainerError) -> XMPProperties {
        guard let (bytes, offset) = try main.bytes(.xmp) else { return XMPProperties() }
        return try XMPProperties(parsing: bytes, limits: file.limits, at: offset, in: StructurePath("XMP"))
    }

    /// An Exif block made of the fields that describe the photo, in the first directory and those that it refers to. A DNG
    /// file has these fields, but no Exif block.
    func photoExif() throws(ContainerError) -> MetadataBlock {
        let tree = try ExifTree(file, at: file.first)
        guard tree != ExifTree() else { return MetadataBlock() }
        return MetadataBlock(bytes: tree.block(file.byteOrder), offset: file.first)
    }

    func photoXMPPacket() throws(ContainerError) -> MetadataBlock {
        guard let (bytes, offset) = try main.bytes(.xmp) else { return MetadataBlock() }
        return MetadataBlock(bytes: bytes, offset: offset)
    }
}

/// The depth fields of a DNG (DNG 1.5: DepthFormat, DepthNear, DepthFar, DepthUnits).
struct DNGDepthRange {
    /// 1: linear in distance; 2: linear in its reciprocal; 0: unknown.
    var format: Int
    /// The distance of sample 0; `nan` if unknown.
    var near: Double
    /// The distance of the largest sample; may be infinite.
    var far: Double
    /// 1: meters; 0: unknown.
    var unit: Int

    /// The raw format, as the standard names it.
    var formatName: String {
        switch format {
        case 1: "linear"
        case 2: "inverse"
        default: "unknown"
        }
    }

    /// `z = near + c · (far − near)` or `1/z = 1/near + c · (1/far − 1/near)` for a sample `c` of 0…1. Without a unit or a
    /// range, values are 0…1 in the order of the format: near first.
    func mapping(bitDepth: Int) -> SampleMapping {
        let top = (1 << bitDepth) - 1
        if unit == 1, near.isFinite, near >= 0, far > near {
            if format == 1, far.isFinite {
                return SampleMapping(.depth, codes: 0...top, low: Float(near), high: Float(far))
            }
            if format == 2, near > 0 {
                return SampleMapping(.disparity, codes: 0...top, low: Float(1 / near), high: Float(1 / far))
            }
        }
        var mapping = SampleMapping(undeclared: format == 2 ? .disparity : .depth, bitDepth: bitDepth)
        if format == 2 { (mapping.low, mapping.high) = (1, 0) }
        return mapping
    }
}
