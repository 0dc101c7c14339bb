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
        _ photo: DepthInput, choice: MatteChoice?, mask: DepthMaskChoice, refines: Bool,
        decontaminates: Bool,
        limits: DecodingLimits
    ) throws {
        let image = try photo.requiredImage()
        let found = try FoundMatte(photo, image, choice, mask, limits)
        let curve = ToneCurve(profile: image.colorProfile) ?? .sRGB
        var cutout = try Cutout(image, along: found.matte, curve: curve)
        if refines { cutout = cutout.refined() }
        if decontaminates { cutout = cutout.decontaminated() }
        self.cutout = cutout
        name = found.name
        let (blocks, unkept) = photo.metadata()
        metadata = blocks
        remarks = found.remarks + unkept
    }
}
