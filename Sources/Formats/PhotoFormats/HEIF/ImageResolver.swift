internal import Bytes

/// Resolves the image items of a HEIF file to sizes and crops, and to the coded bytes of derived images (ISO/IEC 23008-12
/// §6.6.2).
struct ImageResolver {
    let file: HEIFFile

    /// The image that the properties of an item describe. An error that does not affect the description, such as data past
    /// the end of the file, becomes its ``ImageShape/readError``.
    func shape(ofItem id: Int) throws(ContainerError) -> ImageShape {
        let path = StructurePath("meta").appending("iprp")
        let properties = try file.properties(ofItem: id)
        var shape = try ImageShape(properties, ofItem: id, limits: file.limits, in: path)
        shape.bitDepth =
            bitDepthOfJPEG(inItem: id) ?? properties.bitDepths.first ?? properties.codedBitDepth
        if let type = properties.unknownEssential {
            shape.readError = ContainerError(
                .unsupported(feature: "essential property '\(type)' of item \(id)"), in: path)
        }
        inherit(into: &shape, ofItem: id)
        if let bitDepth = shape.bitDepth, !(1...16).contains(bitDepth) {
            shape.bitDepth = nil
            shape.readError =
                shape.readError
                ?? ContainerError(
                    .unsupported(feature: "an image of \(bitDepth) bits a sample (item \(id))"),
                    in: path.appending("pixi"))
        }
        // An identity derivation has no data.
        if file.item(id)?.type == "iden" { return shape }
        do {
            let extents = try file.extents(ofItem: id)
            for extent in extents { try file.source.check(extent, in: StructurePath("iloc")) }
            try checkCodedBytes(extents)
        } catch {
            shape.readError = shape.readError ?? error
        }
        return shape
    }

    /// Copies the ICC profile and the bit depth from a derived image's first input, if the image does not specify them.
    /// iOS 11 describes the color of a grid only on its tiles.
    private func inherit(into shape: inout ImageShape, ofItem id: Int) {
        var input = id
        // Derivations may be circular, which decoding reports.
        for _ in 0..<file.limits[.nesting] where shape.colorProfile == nil || shape.bitDepth == nil {
            guard let type = file.item(input)?.type, Self.derivedTypes.contains(type),
                let first = file.targets(of: "dimg", from: input).first,
                let properties = try? file.properties(ofItem: first)
            else { return }
            shape.colorProfile = shape.colorProfile ?? properties.colorProfile
            shape.codedColor = shape.codedColor ?? properties.codedColor
            shape.bitDepth = shape.bitDepth ?? properties.bitDepths.first ?? properties.codedBitDepth
            input = first
        }
    }

    /// The types of images that are derived from others (ISO/IEC 23008-12 §6.6.2).
    static let derivedTypes: Set<FourCharacterCode> = ["grid", "iden", "iovl"]

    /// Bits of a sample of a `jpeg` item, from its frame header: `pixi` may be missing, and decoders use the header. `nil`
    /// for other items, and without a readable header, which decoding reports.
    private func bitDepthOfJPEG(inItem id: Int) -> Int? {
        guard file.item(id)?.type == "jpeg", let extents = try? file.extents(ofItem: id),
            let first = extents.first
        else { return nil }
        var bytes = WindowedBytes(file.source)
        return try? JPEGHeader(&bytes, at: first.lowerBound, limits: file.limits).bitDepth
    }

    private func hevcConfiguration(
        at range: Range<Int>, _ known: inout [Range<Int>: HEVCConfiguration]
    ) throws(ContainerError) -> HEVCConfiguration {
        if let configuration = known[range] { return configuration }
        let configuration = try file.hevcConfiguration(at: range)
        known[range] = configuration
        return configuration
    }

    private func checkCodedBytes(_ extents: [Range<Int>]) throws(ContainerError) {
        try file.limits.check(
            .codedBytes, extents.reduce(0) { $0 + $1.count }, at: extents.first?.lowerBound)
    }
}

extension ImageResolver {
    /// Everything that a decoder needs for an item, following derivations.
    ///
    /// Throws if an item is missing, of an unsupported type, or derived from itself.
    func codedImage(ofItem id: Int) throws(ContainerError) -> CodedImage {
        try codedImage(ofItem: id, derivedTo: [])
    }

    /// `outer` are the images that are derived from this one.
    private func codedImage(ofItem id: Int, derivedTo outer: [Int]) throws(ContainerError) -> CodedImage {
        let path = StructurePath("meta").appending("iinf")
        guard !outer.contains(id) else {
            throw ContainerError(.malformed(rule: "image item \(id): derivation is circular"), in: path)
        }
        try file.limits.check(.nesting, outer.count + 1, in: path)
        guard let item = file.item(id) else {
            throw ContainerError(.malformed(rule: "image item \(id) does not exist"), in: path)
        }
        switch item.type {
        case "hvc1", "hev1", "av01":
            var configurations: [Range<Int>: HEVCConfiguration] = [:]
            return .picture(try picture(ofItem: id, isAV1: item.type == "av01", &configurations))
        case "jpeg": return .jpeg(.extents(try file.extents(ofItem: id)))
        case "unci": return .segments(try uncompressedImage(ofItem: id))
        case "grid": return .grid(try gridImage(ofItem: id))
        case "iovl":
            return .overlay(
                try overlayImage(ofItem: id) { (input) throws(ContainerError) -> CodedImage in
                    try codedImage(ofItem: input, derivedTo: outer + [id])
                })
        case "iden":
            let inputs = file.targets(of: "dimg", from: id)
            guard inputs.count == 1 else {
                throw ContainerError(
                    .malformed(rule: "identity item \(id) has \(inputs.count) inputs, not one"), in: path)
            }
            return try codedImage(ofItem: inputs[0], derivedTo: outer + [id])
        default:
            throw ContainerError(
                .unsupported(feature: "an image item of type '\(item.type)' (item \(id))"), in: path)
        }
    }

    private func uncompressedImage(ofItem id: Int) throws(ContainerError) -> SegmentedImage {
        let path = StructurePath("meta").appending("iprp")
        let properties = try file.properties(ofItem: id)
        let size = try properties.imageSize(ofItem: id, limits: file.limits, in: path)
        let extents = try file.extents(ofItem: id)
        guard let samples = properties.uncompressed, extents.count == 1 else {
            throw ContainerError(
                .unsupported(feature: "this layout of an uncompressed image (item \(id))"), in: path)
        }
        return samples.image(width: size.width, height: size.height, at: extents[0])
    }

    /// A coded image item. `configurations` caches parsed configurations, because all tiles of a grid use the same one.
    func picture(
        ofItem id: Int, isAV1: Bool, _ configurations: inout [Range<Int>: HEVCConfiguration]
    ) throws(ContainerError) -> CodedPicture {
        let path = StructurePath("meta").appending("iprp")
        let properties = try file.properties(ofItem: id)
        let size = try properties.imageSize(ofItem: id, limits: file.limits, in: path)
        let configuration: PictureConfiguration
        if isAV1 {
            guard let found = properties.av1Configuration else {
                throw ContainerError(
                    .malformed(rule: "AV1 item \(id) has no decoder configuration ('av1C')"), in: path)
            }
            configuration = .av1(found)
        } else {
            guard let range = properties.hevcConfiguration else {
                throw ContainerError(
                    .malformed(rule: "HEVC item \(id) has no decoder configuration ('hvcC')"), in: path)
            }
            configuration = .hevc(try hevcConfiguration(at: range, &configurations))
        }
        let extents = try file.extents(ofItem: id)
        try checkCodedBytes(extents)
        return CodedPicture(
            configuration: configuration, extents: extents, width: size.width, height: size.height,
            color: properties.codedColor, itemID: id)
    }
}
