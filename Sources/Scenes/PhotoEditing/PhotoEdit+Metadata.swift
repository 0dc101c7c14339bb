internal import Bytes
internal import DepthTypes
internal import PhotoFormats
internal import PhotoWriting
internal import Scenes

extension PhotoEdit {
    /// Decides which metadata the inserted planes keep: the portrait settings of a photo stay when its depth is
    /// replaced, and so does its camera if the new map has no camera. Returns the names of dropped metadata.
    mutating func carryMetadata(of photo: DepthPhoto) -> [Diagnostic] {
        for (index, plane) in mattes.enumerated() where plane.carried.isEmpty {
            guard let old = replaced(in: photo, where: { $0 == plane.kind }) else { continue }
            mattes[index].carried = AppleMetadata.carried(from: old.xmp)
        }
        guard let map = depth else { return [] }
        let own = AppleMetadata.carried(from: map.xmp)
        let old = replaced(in: photo, where: \.isDepth)
        let photos = old.map { AppleMetadata.portrait(from: $0.xmp) } ?? []
        var remarks: [Diagnostic] = []
        if map.calibration == nil, let camera = old?.plane.calibration, form != .gDepth {
            depth?.calibration = camera
            remarks.append(
                .note(
                    .keptCamera,
                    "the map has no camera, so the photo keeps that of the \(old?.plane.kind.rawValue ?? "") plane it had"
                ))
        }
        guard form.holdsUnknown else {
            return remarks + dropped(AppleMetadata.portrait(from: map.xmp) + photos)
        }
        carried = own
        if !photos.isEmpty {
            let others = own.filter { $0.name != AppleMetadata.version }
            carried = photos + own.filter { $0.name == AppleMetadata.version }
            if others != photos, !others.isEmpty {
                remarks.append(
                    .note(
                        .omittedMetadata,
                        "the photo keeps its portrait settings; those of the map are dropped: \(names(others))"
                    ))
            }
        }
        return remarks
    }

    /// The first removed plane whose kind satisfies a condition, with the plane's XMP.
    private func replaced(
        in photo: DepthPhoto, where condition: (PlaneKind) -> Bool
    ) -> (plane: AuxiliaryPlane, xmp: XMPProperties)? {
        let plane = photo.storedPlanes.first {
            condition($0.kind) && removedKinds.contains($0.kind) && $0.belongsToPhoto
        }
        guard let plane else { return nil }
        return (plane, (try? photo.container.planeXMP(plane)) ?? XMPProperties())
    }

    /// Google's forms cannot store Apple's settings.
    private func dropped(_ settings: [XMPProperty]) -> [Diagnostic] {
        guard !settings.isEmpty else { return [] }
        return [
            .note(
                .omittedMetadata,
                "\(form.rawValue) cannot hold the portrait settings of Apple's cameras; dropped: \(names(settings))"
            )
        ]
    }

    private func names(_ properties: [XMPProperty]) -> String {
        var seen: Set<String> = []
        return properties.map(\.name).filter { seen.insert($0).inserted }.joined(separator: ", ")
    }
}

extension Diagnostic.Code {
    /// The camera of a replaced plane is kept.
    static let keptCamera: Diagnostic.Code = "kept-camera"
}
