internal import Bytes
internal import DepthMaps
internal import DepthTypes
internal import HEVCEncoding
internal import PhotoFormats
internal import PhotoWriting
internal import Scenes

/// Applies an edit to a HEIF photo. Planes are auxiliary items, each with a separate XMP item, as ImageIO writes them.
struct HEIFPhotoEditor {
    private let photo: DepthPhoto
    private var file: HEIFFileEditor
    private let limits: DecodingLimits
    private var codings: [String] = []
    /// The plane after the removed ones of a kind: inserted planes go before it.
    private var following: [PlaneKind: Int] = [:]
    private var diagnostics: [Diagnostic] = []

    init(_ photo: DepthPhoto, _ bytes: [UInt8], limits: DecodingLimits) throws(ContainerError) {
        self.photo = photo
        self.limits = limits
        file = try HEIFFileEditor(bytes, limits: limits)
    }

    mutating func apply(_ edit: PhotoEdit) throws -> EditedPhoto {
        for plane in photo.storedPlanes where edit.removedKinds.contains(plane.kind) {
            guard case .heifItem(let item) = plane.location, plane.carrier == .heifAuxiliary,
                plane.kind.isDepth || plane.kind.isMatte
            else { throw PhotoEditingError.cannotRemove(plane.kind, source: plane.source) }
            let next = photo.storedPlanes.drop { $0.location != plane.location }.first {
                !edit.removedKinds.contains($0.kind)
            }
            if case .heifItem(let next)? = next?.location { following[plane.kind] = next }
            file.remove(item)
        }
        if let depth = edit.depth {
            try add(
                depth.codes, before: following[.depth] ?? following[.disparity],
                type: "urn:mpeg:hevc:2015:auxid:2", subtype: Self.representation(of: depth),
                name: depth.mapping.quantity.rawValue,
                xmp: XMPPacketBuilder(AppleMetadata.properties(of: depth, edit.carried)).serialized())
        }
        for plane in edit.mattes {
            let codes = SamplePlane(
                width: plane.matte.width, height: plane.matte.height, bitDepth: 8,
                codes: .uint8(plane.matte.coverage))
            try add(
                codes, before: following[plane.kind], type: AppleMetadata.type(ofMatte: plane.kind),
                subtype: [], name: plane.kind.rawValue,
                xmp: XMPPacketBuilder(AppleMetadata.versions(ofMatte: plane.kind, plane.carried))
                    .serialized())
        }
        return EditedPhoto(bytes: try file.serialized(), diagnostics: diagnostics, codings: codings)
    }

    /// The SEI message that Apple's readers require to find depth (ITU-T H.265 Annex G).
    private static func representation(of depth: CodedDepth) throws(ContainerWritingError) -> [UInt8] {
        let (low, high) = (Double(depth.mapping.low), Double(depth.mapping.high))
        let encoder =
            depth.mapping.quantity == .disparity
            ? DepthRepresentationEncoder(.disparity, dMin: low, dMax: high)
            : DepthRepresentationEncoder(.distance, zNear: low, zFar: high)
        return try encoder.auxiliarySubtype()
    }

    private mutating func add(
        _ plane: SamplePlane, before next: Int?, type: String, subtype: [UInt8], name: String, xmp: [UInt8]
    ) throws {
        let itemType: FourCC
        let data: [UInt8]
        var properties: [ItemGraph.Association] = []
        func use(_ property: ItemProperty) throws -> ItemGraph.Association {
            ItemGraph.Association(
                number: try file.graph.addProperty(property), isEssential: property.isEssential)
        }
        guard plane.width <= 65_535, plane.height <= 65_535 else {
            throw PhotoEditingError.noRoom("an image of HEVC or JPEG (65,535 samples each way)")
        }
        if case .uint8(let samples) = plane.codes, plane.bitDepth == 8 {
            let picture = LosslessHEVCPicture(width: plane.width, height: plane.height, samples: samples)
            (itemType, data) = ("hvc1", picture.data)
            properties.append(try use(.hevcConfiguration(picture.configuration)))
            codings.append("\(name): lossless HEVC of 8 bits, \(data.count) bytes")
        } else {
            let image = try PlaneImage(plane, quality: nil, kept: nil, limits: limits)
            (itemType, data) = ("jpeg", image.jpeg)
            diagnostics.append(
                Diagnostic(
                    .warning, .unusualCoding,
                    "the \(name) plane has \(plane.bitDepth) bits and is a JPEG item: older readers, such as libheif 1.15, do not open "
                        + "such a photo at all"
                ))
            codings.append("\(name): \(image.description)")
        }
        guard let width = UInt32(exactly: plane.width), let height = UInt32(exactly: plane.height) else {
            throw PhotoEditingError.noRoom("an image's size (ispe)")
        }
        properties.append(try use(.imageSpatialExtents(width: width, height: height)))
        // Planes are turned like the photo, by the same properties.
        for turn in file.graph.associations(of: file.graph.primaryItem)
        where ["irot", "imir"].contains(file.graph.type(ofProperty: turn.number)) {
            properties.append(turn)
        }
        properties.append(try use(.pixelInformation(bitsPerChannel: [UInt8(plane.bitDepth)])))
        properties.append(try use(.auxiliaryType(type, subtype: subtype)))
        let item = try file.addItem(type: itemType, data)
        file.graph.associate(item, properties)
        file.graph.addReference("auxl", from: item, to: masters, before: next)
        let packet = try file.addItem(type: "mime", contentType: "application/rdf+xml", xmp)
        file.graph.addReference("cdsc", from: packet, to: [item])
    }

    /// The images that planes belong to: the images of another plane of the photo, otherwise the photo.
    private var masters: [Int] {
        let primary = file.graph.primaryItem
        let known = file.graph.references.first { $0.type == "auxl" && $0.to.contains(primary) }
        return known?.to ?? [primary]
    }
}
