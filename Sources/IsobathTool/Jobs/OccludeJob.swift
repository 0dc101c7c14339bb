internal import Isobath

/// Stands a picture in the scene of a photo.
struct OccludeJob: Job {
    static let subcommand = "occlude"

    var limits: DecodingLimits
    var reading: RasterReading
    /// The picture's file.
    var layer: String
    /// Meters.
    var distance: Float
    var position: NormalizedPoint
    /// Meters; `nil` for a third of what the photo shows there.
    var width: Float?
    var output: PictureOutput

    var outputFolders: [String] { output.folders }
    var otherFiles: [String] { [layer] + reading.files }
    var writesStandardOutput: Bool { output.path == "-" }

    func perform(on input: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        let input = input.path
        guard try output.wants(output.path, keeping: originals, reporter, of: input) else { return }
        let (photo, remark) = try openDepthInput(input, reading: reading, limits: limits)
        if let remark { reporter.remark(remark, of: input) }
        _ = try photo.depthPlane()
        guard photo.depthHasUnit else {
            throw MaskError.noUnit(.scale)
        }
        let (scene, inserted) = try concurrently({ try PhotoScene(photo) }, readLayer)
        var remarks = scene.remarks
        let layer = inserted.converted(like: scene.image, &remarks)
        for remark in remarks { reporter.remark(remark, of: input) }
        let width = width ?? Float(scene.image.width) / 3 * distance / scene.focalLength
        guard width > 0, width.isFinite else {
            throw MaskError.noWidth(distance: distance)
        }
        let placement = LayerPlacement(distance: distance, center: position, width: width)
        let result = scene.image.inserting(
            layer, at: placement, focalLength: scene.focalLength, scene: scene.disparity,
            matte: scene.matte, toneCurve: scene.curve)
        try output.write(Picture(result, scene.metadata), to: output.path, reporter, of: input)
        reporter.remark(
            "\(result.width) × \(result.height), \(self.layer == "-" ? "standard input" : self.layer) "
                + "\(placement.width.short) m wide at \(distance.short) m\(photo.scaleWords) → "
                + PictureOutput.shown(output.path), of: input)
    }

    private func readLayer() throws -> TranslucentImage {
        do {
            return try openPicture(layer, limits: limits).translucentImage()
        } catch let error as ContainerError {
            throw FileFailure(file: layer, error: error)
        }
    }
}
