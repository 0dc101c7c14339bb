internal import Bytes
internal import DepthTypes

extension ImageResolver {
    /// The canvas and the layers of an overlay item. `image` resolves an input.
    ///
    /// Throws if the item has too many pixels or layers, and for layers that cannot be drawn correctly: overlays of overlays,
    /// inputs with an alpha plane, and inputs with different color profiles.
    func overlayImage(
        ofItem id: Int, image: (Int) throws(ContainerError) -> CodedImage
    ) throws(ContainerError) -> OverlayImage {
        let path = StructurePath("iovl")
        let inputs = file.targets(of: "dimg", from: id)
        let (bytes, offset) = try file.data(ofItem: id, limit: .metadataBytes)
        try file.limits.check(.tiles, inputs.count, at: offset, in: path)
        var cursor = ByteCursor(bytes.span, base: offset, path: path)
        let overlay = try OverlayDerivation(parsing: &cursor, inputs: inputs.count)
        var pixels = try file.limits.pixelCount(
            width: overlay.width, height: overlay.height, at: offset, in: path)
        var layers: [OverlayImage.Layer] = []
        var profiles: [Range<Int>?] = []
        for (input, place) in zip(inputs, overlay.offsets) {
            try checkLayer(input, of: id, at: offset, in: path)
            let shape = try shape(ofItem: input)
            if let error = shape.readError { throw error }
            // Layers may cover each other, so the limit applies to their total number of pixels.
            pixels += shape.codedWidth * shape.codedHeight
            try file.limits.check(.pixels, pixels, at: offset, in: path)
            let image = try image(input)
            if case .overlay = image {
                throw ContainerError(
                    .unsupported(feature: "overlay item \(input) inside overlay item \(id)"), at: offset,
                    in: path)
            }
            profiles.append(shape.colorProfile)
            layers.append(
                OverlayImage.Layer(
                    image: image, width: shape.codedWidth, height: shape.codedHeight,
                    crop: shape.crop, orientation: shape.orientation ?? .up, left: place.left,
                    top: place.top))
        }
        try checkProfiles(profiles, of: id, at: offset)
        return OverlayImage(
            width: overlay.width, height: overlay.height, fill: overlay.fill.map { UInt16($0) },
            layers: layers)
    }

    /// Throws for an input that cannot be drawn correctly.
    private func checkLayer(
        _ input: Int, of id: Int, at offset: Int, in path: StructurePath
    ) throws(ContainerError) {
        let hasAlpha = file.references.contains { reference in
            guard reference.type == "auxl", reference.to.contains(input),
                let type = try? file.properties(ofItem: reference.from).auxiliaryType
            else { return false }
            return planeKind(ofAuxiliaryType: type) == .alpha
        }
        guard hasAlpha else { return }
        throw ContainerError(
            .unsupported(feature: "overlay item \(id) of item \(input), which has an alpha plane"),
            at: offset,
            in: path)
    }

    /// Throws if two layers have different color profiles: the picture has one.
    private func checkProfiles(_ profiles: [Range<Int>?], of id: Int, at offset: Int) throws(ContainerError) {
        func bytes(_ profile: Range<Int>?) throws(ContainerError) -> [UInt8] {
            guard let profile else { return [] }
            return try file.bytes(profile)
        }
        // Layers usually use the same property.
        guard let first = profiles.first, profiles.contains(where: { $0 != first }) else { return }
        let known = try bytes(first)
        for profile in profiles where profile != first {
            guard try bytes(profile) == known else {
                throw ContainerError(
                    .unsupported(feature: "layers of overlay item \(id) with different color profiles"),
                    at: offset, in: StructurePath("iovl"))
            }
        }
    }
}
