internal import Isobath

/// Blurs a photo by its depth.
struct BlurJob: Job {
    static let subcommand = "blur"

    var limits: DecodingLimits
    var reading: RasterReading
    var focus: NormalizedPoint?
    /// Meters.
    var focusDistance: Float?
    /// The f-number; `nil` for that of the file.
    var aperture: Float?
    var output: PictureOutput

    var outputFolders: [String] { output.folders }
    var otherFiles: [String] { reading.files }
    var writesStandardOutput: Bool { output.path == "-" }

    func perform(on input: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        let input = input.path
        guard try output.wants(output.path, keeping: originals, reporter, of: input) else { return }
        let (photo, remark) = try openDepthInput(input, reading: reading, limits: limits)
        if let remark { reporter.remark(remark, of: input) }
        let scene = try PhotoScene(photo)
        for remark in scene.remarks { reporter.remark(remark, of: input) }
        let (focus, place) = try focus(in: scene, of: photo)
        let (fNumber, origin) = fNumber(of: photo)
        let aperture = SyntheticAperture(
            focusDisparity: focus, fNumber: fNumber, focalLength: scene.focalLength)
        let blurred = scene.image.blurred(
            by: aperture, disparity: scene.disparity, matte: scene.matte, toneCurve: scene.curve)
        try output.write(Picture(blurred, scene.metadata), to: output.path, reporter, of: input)
        let distance =
            !photo.depthHasUnit ? "" : focus > 0 ? " at \((1 / focus).short) m" : " at infinity"
        reporter.remark(
            "\(blurred.width) × \(blurred.height), focus \(place)\(distance)\(distance.isEmpty ? "" : photo.scaleWords), "
                + "f/\(fNumber.short) \(origin) → \(PictureOutput.shown(output.path))", of: input)
    }

    /// The disparity to focus at, and what is there.
    private func focus(in scene: PhotoScene, of photo: DepthInput) throws -> (Float, place: String) {
        let map = scene.disparity
        if let focusDistance {
            guard photo.depthHasUnit else {
                throw MaskError.noUnit(.focus)
            }
            return (1 / focusDistance, "as given")
        }
        let marks = [
            focus.map { ($0, "as given") }, photo.focusMarks.first.map { ($0, "where the camera's was") },
            photo.faces.first.map { ($0, "on the face") },
        ]
        if let (point, words) = marks.compactMap(\.self).first, let disparity = map.focusDisparity(at: point)
        {
            return (disparity, words)
        }
        let words = scene.matte == nil ? "on the nearest large thing" : "on the subject"
        return (map.focusDisparity(of: scene.matte) ?? 0, words)
    }

    /// The f-number, and where it is from.
    private func fNumber(of photo: DepthInput) -> (Float, origin: String) {
        if let aperture { return (aperture, "as given") }
        let stored = (try? photo.depthPlane())?.blur?.simulatedAperture.map { Float($0) }
        if let stored, stored > 0, stored.isFinite { return (stored, "as in the file") }
        return (Self.usualFNumber, "by default")
    }

    /// What Apple's cameras open a portrait with.
    private static let usualFNumber: Float = 4.5
}
