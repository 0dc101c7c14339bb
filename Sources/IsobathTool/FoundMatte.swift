internal import Isobath

/// A matte for a photo, wherever it comes from.
struct FoundMatte {
    let matte: Matte
    /// What it is, in words.
    let name: String
    /// What the user should know.
    let remarks: [String]

    /// Throws ``PlaneNotFound`` when the photo lacks what was chosen, before anything of it is decoded.
    static func check(_ photo: DepthInput, _ choice: MatteChoice?) throws {
        switch choice {
        case .kinds(let kinds):
            for kind in kinds where photo.plane(kind) == nil { throw photo.absence(of: kind) }
        case .depth: _ = try photo.depthPlane()
        case .file: break
        case nil:
            guard photo.planes.contains(where: { $0.kind.isDepth || $0.kind == .matte }) else {
                throw photo.absence(of: .matte)
            }
        }
    }

    /// Finds the matte that was chosen; without a choice the portrait matte, or else a mask cut from the depth.
    ///
    /// Throws ``PlaneNotFound`` when there is none of them.
    init(
        _ photo: DepthInput, _ image: ColorImage, _ choice: MatteChoice?, _ mask: DepthMaskChoice,
        _ limits: DecodingLimits
    ) throws {
        switch choice {
        case .kinds(let kinds): try self.init(joining: kinds, of: photo)
        case .file(let path): try self.init(reading: path, limits)
        case .depth: try self.init(cutting: photo, image, mask)
        case nil where photo.plane(.matte) != nil: try self.init(joining: [.matte], of: photo)
        case nil: try self.init(cutting: photo, image, mask)
        }
    }

    private init(reading path: String, _ limits: DecodingLimits) throws {
        do {
            matte = try openPicture(path, limits: limits).matte()
        } catch let error as ContainerError {
            throw FileFailure(file: path, error: error)
        }
        name = "matte of \(matte.width) × \(matte.height)"
        remarks = []
    }

    private init(joining kinds: [PlaneKind], of photo: DepthInput) throws {
        let mattes = try kinds.map { kind in
            guard let matte = try photo.matte(kind) else { throw photo.absence(of: kind) }
            return matte
        }
        matte = mattes.dropFirst().reduce(mattes[0]) { $0.union(with: $1) }
        name = kinds == [.matte] ? "portrait matte" : kinds.map(\.rawValue).joined(separator: " + ")
        remarks = []
    }

    /// Cuts a mask from the depth, and says where.
    private init(cutting photo: DepthInput, _ image: ColorImage, _ options: DepthMaskChoice) throws {
        let map = try photo.disparityMap()
        let (selection, words) = try options.selection(for: photo, map)
        let mask = try map.mask(selection, guidedBy: image)
        matte = mask.matte
        name = "depth mask"
        remarks = photo.remarks + Self.remarks(mask, words, hasUnit: photo.depthHasUnit)
    }

    private static func remarks(_ mask: DepthMask, _ words: String?, hasUnit: Bool) -> [String] {
        let unit = hasUnit ? " m" : ""
        let scale = hasUnit && mask.accuracy != .absolute ? " (\(mask.accuracy.rawValue) scale)" : ""
        var remarks: [String] = []
        if let words, let cut = mask.cutDistance {
            remarks.append("depth mask cut at \(cut.short)\(unit)\(scale), \(words)")
        }
        guard mask.selectedShare < 0.001 || mask.selectedShare > 0.999 else { return remarks }
        let range = "\(mask.distances.lowerBound.short) to \(mask.distances.upperBound.short)\(unit)"
        let what = mask.selectedShare < 0.5 ? "nothing" : "everything"
        return remarks + ["warning: the depth mask selects \(what); the depth goes from \(range)\(scale)"]
    }
}
