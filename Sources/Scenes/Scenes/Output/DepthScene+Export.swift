internal import Bytes
package import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Effects
package import PhotoFormats

extension DepthScene {
    /// Decodes a plane and converts it to its output form.
    ///
    /// Throws ``SceneError`` for a color image, and for a plane without a required unit; ``DepthScaleError/affine``
    /// when a meaningless reciprocal is requested; ``ContainerError`` when the plane cannot be read.
    package func export(_ plane: PlaneDescription, as export: PlaneExport) throws -> ExportedPlane {
        try cancellable { try exported(plane, as: export) }
    }

    private func exported(_ plane: PlaneDescription, as export: PlaneExport) throws -> ExportedPlane {
        guard plane.kind.isDepth else {
            let decoded = try self.plane(plane.id, as: PlaneRequest(frame: export.frame))
            let raster = try raster(of: decoded, plane.kind, export)
            return ExportedPlane(decoded.description ?? plane, export, raster: raster)
        }
        try check(plane, for: export)
        let stored = try self.plane(plane.id, as: PlaneRequest(frame: export.frame))
        let decoded = try treated(
            stored, plane, frame: export.frame, export.treatment, isUpsampled: export.upsamples)
        return try ExportedPlane(
            decoded.description ?? plane, export, decoded, focalLength35mm: description.focalLength35mm)
    }

    /// Throws if the values of a plane have no reciprocals, and the export needs them.
    private func check(_ plane: PlaneDescription, for export: PlaneExport) throws {
        let isMillimeters = export.format == .png && export.pngStyle == .millimeters
        guard let written = isMillimeters ? .depth : export.quantity else { return }
        if description.depth?.isHeight == true, isMillimeters || written == .disparity {
            throw SceneError.heights
        }
        if written != plane.quantity { try plane.scale.requireReciprocal() }
    }

    /// A plane of depth or disparity, treated along the edges of the picture.
    func treated(
        _ stored: DecodedPlane, _ plane: PlaneDescription, frame: PixelOrientation, _ treatment: MapTreatment,
        isUpsampled: Bool = false
    ) throws -> DecodedPlane {
        guard !stored.isEmpty else { throw description.absence(of: plane.kind) }
        if let counts = stored.storedCounts { try counts.requireKnown() }
        let treated = try stored.treated(
            treatment, photo: { try photo(frame: frame) }, isUpsampled: isUpsampled,
            confidence: { try self.plane(.plane(.confidence, 0), as: PlaneRequest(frame: frame)).codes })
        if case .values(let values, _) = treated.content { try values.requireKnown() }
        return treated
    }

    /// The picture that the planes belong to, its opacity ignored; `nil` if missing.
    private func photo(frame: PixelOrientation, keepsHDR: Bool = false) throws -> ColorImage? {
        // The usual request finds the picture where it was decoded before.
        let opacity: PlaneRequest.Opacity = description.isLaidOverWhite ? .ignored : .overWhite
        var request = PlaneRequest(frame: frame, opacity)
        request.keepsHDR = keepsHDR
        return try plane(.picture, as: request).image
    }

    /// The picture, as a raster; in PQ or HLG, if it is stored so in more than 8 bits and `keepsHDR` is set. Throws
    /// ``SceneError/noPicture``.
    package func exportPhoto(frame: PixelOrientation, keepsHDR: Bool) throws -> Raster {
        guard let image = try cancellable({ try photo(frame: frame, keepsHDR: keepsHDR) }) else {
            throw SceneError.noPicture
        }
        return Raster(image)
    }

    /// The picture, upright, reduced if a side is longer than `longestSide`: from a preview in the source, if that is
    /// faster. A picture with opacity is composited over white. Throws ``SceneError/noPicture``.
    package func exportPhoto(longestSide: Int) throws -> Raster {
        guard let size = description.colorSize?.within(longestSide) else { throw SceneError.noPicture }
        var glance = PlaneRequest(atLeast: size)
        glance.isGlance = true
        guard let image = try plane(.picture, as: glance).image else { throw SceneError.noPicture }
        return Raster(image.resized(toWidth: size.width, height: size.height))
    }

    /// Mattes, gain maps, alpha and similar: 8-bit samples unchanged, deeper ones stretched to 16 bits.
    private func raster(of plane: DecodedPlane, _ kind: PlaneKind, _ export: PlaneExport) throws -> Raster {
        if let image = plane.image { return Raster(image) }
        guard let codes = plane.codes else { throw description.absence(of: kind) }
        guard export.upsamples, kind.isMatte else { return Raster(codes) }
        let guide = try checkedGuide(photo(frame: export.frame), width: codes.width, height: codes.height)
        let curve = TransferFunction(profile: guide.colorProfile) ?? .sRGB
        let matte = try Cutout(guide, along: Matte(codes), curve: curve)
            .refined(isCoarse: description.hasCoarseMatte && kind == .matte).matte
        return Raster(width: matte.width, height: matte.height, samples: .gray8(matte.coverage))
    }
}
