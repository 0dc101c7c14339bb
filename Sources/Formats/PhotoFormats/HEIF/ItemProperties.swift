internal import Bytes
internal import DepthTypes

/// The known properties of one item (ISO/IEC 23008-12 §6.5).
struct ItemProperties {
    /// `ispe`: the size before transforms.
    var size: (width: Int, height: Int)?
    /// `pixi`: bits of each channel.
    var bitDepths: [Int] = []
    /// `auxC`: the type's URN.
    var auxiliaryType: String?
    /// The SEI messages in the subtype bytes of `auxC`.
    var depthRepresentation: DepthRepresentation?
    /// `clap`, and how the image was turned before it (ISO/IEC 23008-12 §6.5.1: transforms apply in the order of `ipma`).
    var cleanAperture: (aperture: CleanAperture, turned: Orientation)?
    /// `irot` and `imir` together; `nil` if the item has neither.
    var orientation: Orientation?
    /// `hvcC`: the range of its payload in the file.
    var hevcConfiguration: Range<Int>?
    /// `av1C`
    var av1Configuration: AV1Configuration?
    /// `uncC`
    var uncompressed: UncompressedSamples?
    /// Bits of a luma sample, from `hvcC`, `av1C` or `uncC`.
    var codedBitDepth: Int?
    /// `colr` of type `prof` or `rICC`: the range of the profile.
    var colorProfile: Range<Int>?
    /// `colr` of type `nclx`
    var codedColor: CodedColor?
    /// `cmin`: the camera.
    var cameraIntrinsics: CameraIntrinsics?
    /// `cmex`: the camera's position in meters, and its rotation.
    var cameraExtrinsics: CameraCalibration.Extrinsics?
    /// An unknown essential property: the item cannot be shown correctly.
    var unknownEssential: FourCharacterCode?
    /// Problems of single properties.
    var diagnostics: [Diagnostic] = []

    /// No properties.
    init() {}

    /// Reads the payloads of an item's associations from the `meta` box.
    init(
        parsing associations: [ItemPropertyTable.Association], meta: [UInt8], metaOffset: Int,
        in path: StructurePath
    ) throws(ContainerError) {
        for association in associations {
            let entry = association.entry
            let range = entry.payload.lowerBound - metaOffset..<entry.payload.upperBound - metaOffset
            var box = ByteCursor(
                meta.span.extracting(range), base: entry.payload.lowerBound, path: path.appending(entry.type))
            do {
                try read(entry, &box, isEssential: association.isEssential)
            } catch {
                // A few are enough; hundreds of items may have thousands each.
                if diagnostics.count < 8 { diagnostics.append(error) }
            }
        }
    }

    private mutating func read(
        _ entry: Box, _ box: inout ByteCursor, isEssential: Bool
    ) throws(ContainerError) {
        switch entry.type {
        case "ispe":
            _ = try box.readFullBoxHeader()
            size = (try box.readUInt32(), try box.readUInt32())
        case "pixi":
            _ = try box.readFullBoxHeader()
            bitDepths = try box.readBytes(Int(try box.readByte())).map(Int.init)
        case "auxC": try readAuxiliaryType(&box)
        case "clap": cleanAperture = (try CleanAperture(parsing: &box), orientation ?? .up)
        case "irot":
            let turn = Orientation(quarterTurnsAnticlockwise: Int(try box.readByte()))
            orientation = (orientation ?? .up).followed(by: turn)
        case "imir":
            let flip: Orientation = try box.readByte() & 1 == 0 ? .downMirrored : .upMirrored
            orientation = (orientation ?? .up).followed(by: flip)
        case "hvcC":
            hevcConfiguration = entry.payload
            try box.skip(17)
            codedBitDepth = Int(try box.readByte() & 7) + 8
        case "av1C":
            let configuration = try AV1Configuration(parsing: &box)
            (av1Configuration, codedBitDepth) = (configuration, configuration.bitDepth)
        case "uncC":
            uncompressed = try UncompressedSamples(parsing: &box)
            codedBitDepth = uncompressed?.bitDepth
            if uncompressed == nil { unknownEssential = entry.type }
        case "colr": try readColor(&box)
        case "cmin": cameraIntrinsics = try CameraIntrinsics(parsing: &box)
        case "cmex": cameraExtrinsics = try CameraIntrinsics.extrinsics(parsing: &box)
        case "uuid" where entry.uuid == CameraIntrinsics.uuid:
            cameraIntrinsics = try CameraIntrinsics(parsing: &box)
        case "uuid" where entry.uuid == CameraIntrinsics.positionUUID:
            cameraExtrinsics = try CameraIntrinsics.extrinsics(parsing: &box)
        default:
            if isEssential, !Self.harmless.contains(entry.type) { unknownEssential = entry.type }
        }
    }

    private mutating func readAuxiliaryType(_ box: inout ByteCursor) throws(ContainerError) {
        _ = try box.readFullBoxHeader()
        // Hundreds of items may use the same one, and each keeps a copy.
        guard box.remaining <= 1 << 16 else {
            throw box.malformed("auxiliary type and subtype have \(box.remaining) bytes; 65536 is the most")
        }
        auxiliaryType = try box.readString()
        depthRepresentation = try DepthRepresentation.find(inSubtype: &box)
    }

    private mutating func readColor(_ box: inout ByteCursor) throws(ContainerError) {
        let kind = try box.readCode()
        switch kind {
        case "prof", "rICC": colorProfile = box.remainingRange
        case "nclx":
            codedColor = CodedColor(
                primaries: try box.readUInt16(), transfer: try box.readUInt16(),
                matrixCoefficients: try box.readUInt16(), isFullRange: try box.readByte() & 0x80 != 0)
        default: break
        }
    }

    /// Known properties that do not affect the samples of their image.
    private static let harmless: Set<FourCharacterCode> = [
        "pasp", "jpgC", "lsel", "a1op", "a1lx", "clli", "mdcv", "cclv", "amve", "udes", "cmin",
        "cmex",
        "cmpd", "uuid", "rloc", "free", "skip",
    ]
}
