internal import Bytes
internal import Codecs
internal import DepthTypes
internal import PhotoFormats

extension DepthScene {
    /// Exif and XMP for a picture made of the scene, and its diagnostics: lost parts of the file, assumptions about the
    /// depth (if it was used) and the camera, evidence against these assumptions, and omitted metadata.
    ///
    /// If the photo has a gain map, and it is not kept, the numbers in Apple's maker note that belong to it are removed.
    func pictureMetadata(
        camera: CameraSource? = nil, usesDepth: Bool = true, keepsAlpha: Bool = false, keepsHDR: Bool
    ) -> (PictureMetadata, [Diagnostic]) {
        var (blocks, left) = metadata()
        if description.hasGainMap, !keepsHDR { blocks.exif = exifWithoutHDR(blocks.exif) }
        var diagnostics = self.diagnostics.filter { diagnostic in
            diagnostic.error != nil
                || usesDepth && (diagnostic.severity == .note || diagnostic.code == .doubtfulEyes)
        }
        if usesDepth, let doubt = try? doubtOfNearSide() { diagnostics.append(doubt) }
        if let remark = camera?.remark { diagnostics.append(.note(.assumedCamera, remark)) }
        if description.isLaidOverWhite, !keepsAlpha {
            diagnostics.append(.note(.lostAlpha, "what is transparent in the picture becomes white"))
        }
        for var diagnostic in left {
            diagnostic.message = "metadata is ignored: \(diagnostic.message)"
            diagnostics.append(diagnostic)
        }
        return (blocks, diagnostics)
    }
}

extension Diagnostic {
    /// The profile is unusable, so sRGB is assumed.
    static let unusableProfile = Diagnostic.note(
        .unusableColorProfile, "a color profile cannot be used; colors are taken as sRGB")
}
