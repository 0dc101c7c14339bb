internal import Isobath

/// Stands a picture in the scene of a photo.
struct OccludeJob: PictureJob {
    static let subcommand = "occlude"

    var limits: DecodingLimits
    var reading: RasterInterpretation
    var treatment: MapTreatment
    /// The network that sees depth or a matte.
    var network: NetworkUse?
    /// The picture's file.
    var layer: String
    /// Meters.
    var distance: Float
    var position: NormalizedPoint
    /// Meters; `nil` for a third of what the photo shows there.
    var width: Float?
    var output: PictureOutput

    var ownFiles: [String] { [layer] }

    func perform(on file: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        let input = file.path
        let path = output.destination.path(for: file)
        guard try output.wants(path, keeping: originals, reporter, of: input) else { return }
        let scene = try openScene(
            file, reading: reading, treatment: treatment, network: network, limits: limits, reporter)
        let result = try withRemedy("--scale gives a raster one") {
            try scene.occluded({ try readLayer() }, at: distance, center: position, width: width)
        }
        reporter.report(result.diagnostics, of: input)
        try output.write(result.picture, to: path, reporter, of: input)
        reporter.remark(
            "\(result.picture.size), \(layer == "-" ? "standard input" : layer) "
                + "\(result.placement.width.short) m wide at \(distance.short) m\(try scene.scale().words) → "
                + PictureOutput.shown(path), of: input)
    }

    private func readLayer() throws -> RGBAImage {
        do {
            return try openPicture(layer, limits: limits).translucentImage()
        } catch let error as ContainerError {
            throw FileFailure(file: layer, error: error)
        }
    }
}
