internal import Isobath

/// What is set before a background: a photo, and the matte that says what of it.
struct Subject: Sendable {
    /// The photo and its matte, ready to be blended.
    let cutout: Cutout
    /// What the result keeps of the photo's metadata.
    let metadata: PictureMetadata
    /// What the matte is, in words.
    let name: String
    /// What is to be said of the photo.
    let remarks: [String]

    /// Decodes the photo and finds its matte: the one that was chosen, or else the portrait matte, or else a mask cut
    /// from the depth.
    ///
    /// Throws ``PlaneNotFound`` when there is none of them.
    init(
        _ photo: DepthInput, choice: MatteChoice?, mask: DepthMaskOptions, refines: Bool, decontaminates: Bool,
        limits: DecodingLimits
    ) throws {
        let image = try photo.requiredImage()
        let (matte, name, remarks) = try Self.matte(photo, image, choice, mask, refines: refines, limits)
        let curve = ToneCurve(profile: image.colorProfile) ?? .sRGB
        var cutout = try Cutout(image, along: matte, curve: curve)
        if decontaminates { cutout = cutout.decontaminated() }
        self.cutout = cutout
        self.name = name
        (metadata, let more) = photo.pictureMetadata()
        self.remarks = remarks + more
    }

    private static func matte(
        _ photo: DepthInput, _ image: ColorImage, _ choice: MatteChoice?, _ mask: DepthMaskOptions,
        refines: Bool, _ limits: DecodingLimits
    ) throws -> (Matte, name: String, remarks: [String]) {
        switch choice {
        case .depth: return try depthMask(photo, image, mask, refines: refines)
        case .kinds(let kinds):
            let mattes = try kinds.map { kind in
                guard let matte = try photo.matte(kind) else { throw photo.absence(of: kind) }
                return matte
            }
            let matte = mattes.dropFirst().reduce(mattes[0]) { $0.union(with: $1) }
            let name = kinds == [.matte] ? "portrait matte" : kinds.map(\.rawValue).joined(separator: " + ") + " matte"
            return (refined(matte, image, refines), name, [])
        case .file(let path):
            let matte = try openPicture(path, limits: limits).matte()
            return (refined(matte, image, refines), "matte of \(matte.width) × \(matte.height)", [])
        case nil:
            if photo.plane(.matte) != nil {
                return try Self.matte(photo, image, .kinds([.matte]), mask, refines: refines, limits)
            }
            guard photo.planes.contains(where: \.kind.isDepth) else { throw photo.absence(of: .matte) }
            return try depthMask(photo, image, mask, refines: refines)
        }
    }

    /// A matte that is smaller than the photo is brought to its size along its edges.
    private static func refined(_ matte: Matte, _ image: ColorImage, _ refines: Bool) -> Matte {
        refines && matte.width < image.width ? matte.upsampled(guidedBy: image) : matte
    }
}
