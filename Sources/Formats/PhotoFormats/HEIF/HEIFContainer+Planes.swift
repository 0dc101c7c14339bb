internal import Bytes
internal import DepthTypes

extension HEIFContainer {
    /// Describes the sources of all references of type `auxl` (ISO/IEC 23008-12 §6.4.5), each once. Reports a warning for
    /// each that cannot be described.
    mutating func describePlanes() {
        var seen: Set<Int> = []
        for reference in file.references
        where reference.type == "auxl" && seen.insert(reference.from).inserted {
            do throws(ContainerError) {
                try file.limits.check(.images, seen.count, in: StructurePath("meta").appending("iref"))
                planes.append(try describePlane(reference))
            } catch {
                diagnostics.append(error)
                unreadablePlane = unreadablePlane ?? error
                if case .limitExceeded(.images, _, _) = error.reason { break }
            }
        }
    }

    private mutating func describePlane(_ reference: ItemReference) throws(ContainerError) -> AuxiliaryPlane {
        let id = reference.from
        guard let item = file.item(id) else {
            throw ContainerError(
                .malformed(rule: "'auxl' is from item \(id), which does not exist"),
                in: StructurePath("meta").appending("iref").appending("auxl"))
        }
        let shape = try images.shape(ofItem: id)
        diagnostics += shape.diagnostics
        guard let type = shape.auxiliaryType else {
            throw ContainerError(
                .malformed(rule: "auxiliary item \(id) has no type ('auxC')"),
                in: StructurePath("meta").appending("iprp"))
        }
        var plane = AuxiliaryPlane(
            kind: planeKind(ofAuxiliaryType: type), width: shape.width, height: shape.height,
            codedWidth: shape.codedWidth, codedHeight: shape.codedHeight, bitDepth: shape.bitDepth,
            codec: codec(ofItem: id), carrier: .heifAuxiliary, type: type,
            location: .heifItem(id), crop: shape.crop, readError: shape.readError)
        plane.belongsToPhoto = reference.to.contains { target in
            target == file.primaryItem || file.item(target)?.type == "tmap"
        }
        // The reference leads from the colors to the opacity that they are multiplied by (ISO/IEC 23008-12 §6.10.1.1).
        plane.isPremultiplied =
            plane.kind == .alpha && reference.to.contains { file.targets(of: "prem", from: $0).contains(id) }
        plane.hasDeclaredRange = codedType(of: item) == "av01"
        plane.orientation = shape.orientation ?? photo.orientation
        describeValues(of: &plane, shape, item: id)
        if let crop = shape.crop, let calibration = plane.calibration {
            plane.calibration = calibration.scaled(toWidth: shape.codedWidth, height: shape.codedHeight)
                .cropped(left: crop.left, top: crop.top, width: crop.width, height: crop.height)
        }
        warnOfAspect(plane, id)
        return plane
    }

    /// Adds the meaning of the samples, from XMP and the SEI message in `auxC`.
    private mutating func describeValues(of plane: inout AuxiliaryPlane, _ shape: ImageShape, item id: Int) {
        let (metadata, offset) = appleMetadata(ofItem: id)
        if plane.kind == .depth {
            let quantity = metadata?.quantity ?? shape.depthRepresentation?.quantity ?? .depth
            plane.kind = quantity == .depth ? .depth : .disparity
        }
        plane.description.describe(
            metadata, representation: shape.depthRepresentation, at: offset, in: StructurePath("XMP"))
        guard plane.kind.isDepth, plane.mapping?.isDeclared == false, plane.mapping?.hasUnit == false else {
            return
        }
        diagnostics.append(
            .note(
                .undeclaredRange,
                "\(plane.kind.rawValue) item \(id) declares no range of values; codes are read as 0…1",
                at: offset, in: offset == nil ? StructurePath("meta") : StructurePath("XMP")))
    }

    /// Warns if a depth plane cannot cover the same view as the photo.
    private mutating func warnOfAspect(_ plane: AuxiliaryPlane, _ id: Int) {
        guard plane.kind.isDepth, plane.belongsToPhoto, photo.height > 0, plane.height > 0 else { return }
        let upright = plane.orientation.size(width: plane.width, height: plane.height)
        let whole = photo.orientation.size(width: photo.width, height: photo.height)
        let size = PixelSize(width: upright.width, height: upright.height)
        guard !size.hasSameAspect(as: PixelSize(width: whole.width, height: whole.height)) else { return }
        diagnostics.append(
            .warning(
                .differentView,
                "\(plane.kind.rawValue) item \(id) is \(upright.width) × \(upright.height) upright, "
                    + "the photo \(whole.width) × \(whole.height): they do not show the same view",
                in: StructurePath("meta")))
    }

    /// The type of the item with coded data: for a derived image, its first input, unless that is derived itself.
    private func codedType(of item: ItemInformation) -> FourCharacterCode {
        guard ImageResolver.derivedTypes.contains(item.type),
            let input = file.targets(of: "dimg", from: item.id).first.flatMap(file.item),
            !ImageResolver.derivedTypes.contains(input.type)
        else { return item.type }
        return input.type
    }

    /// The name of an image's coding.
    func codec(ofItem id: Int) -> String {
        switch file.item(id).map(codedType) {
        case "hvc1", "hev1": "hevc"
        case "av01": "av1"
        case "avc1": "avc"
        case let type: type?.description ?? "unknown"
        }
    }
}
