internal import ArgumentParser
internal import Isobath

/// `isobath occlude`
struct Occlude: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "occlude",
        abstract: "Stand a picture in the scene of a photo, hidden by what is nearer.",
        discussion: """
            The picture stands upright at --distance, parallel to the image; its transparency counts. Its size follows \
            from --width and the camera, and is a third of what the photo shows there unless given. The output has the \
            photo's size, upright, its color profile, Exif and XMP.
            """)

    @Argument(help: "The photo; - is standard input.")
    var input: String

    @Option(help: ArgumentHelp("The picture to insert.", valueName: "file"))
    var layer: String

    @Option(help: ArgumentHelp("How far away it stands.", valueName: "meters"))
    var distance: Float

    @Option(
        help: ArgumentHelp(
            "Where its middle is seen; 0,0 is the top left corner, 1,1 the bottom right.", valueName: "x,y"))
    var position = NormalizedPoint(x: 0.5, y: 0.5)

    @Option(help: ArgumentHelp("How wide it is.", valueName: "meters"))
    var width: Float?

    @OptionGroup var picture: PictureOutputOptions

    @OptionGroup(title: "Rasters") var rasters: RasterOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        for (name, value) in [("distance", distance), ("width", width ?? 1)] {
            guard !(value > 0 && value.isFinite) else { continue }
            throw ValidationError("'--\(name)' must be a positive number of meters.")
        }
        guard [input, layer].filter({ $0 == "-" }).count < 2 else {
            throw ValidationError("Standard input can be read once.")
        }
    }

    func run() throws {
        var run = InputRun(common, writingIn: OutputFile.folders(of: picture.output))
        try run.perform(input, insert)
    }

    private func insert(_ reporter: Reporter) throws {
        guard
            try picture.wants(
                picture.output, isNoneOf: [input, layer] + rasters.files, reporter,
                of: input)
        else { return }
        let (photo, remark) = try openDepthInput(input, reading: rasters.reading, limits: common.limits)
        if let remark { reporter.remark(remark, of: input) }
        _ = try photo.depthPlane()
        guard photo.depthHasUnit else {
            throw MaskError("its depth has no unit, so that nothing can be put at a distance in meters")
        }
        let (scene, inserted) = try concurrently({ try PhotoScene(photo) }, readLayer)
        var remarks = scene.remarks
        let layer = inserted.converted(like: scene.image, &remarks)
        for remark in remarks { reporter.remark(remark, of: input) }
        let width = width ?? Float(scene.image.width) / 3 * distance / scene.focalLength
        guard width > 0, width.isFinite else {
            throw MaskError("at \(distance) m nothing of it is as wide as a number can say; give --width")
        }
        let placement = LayerPlacement(distance: distance, center: position, width: width)
        let result = scene.image.inserting(
            layer, at: placement, focalLength: scene.focalLength, scene: scene.disparity,
            matte: scene.matte, toneCurve: scene.curve)
        try picture.write(Picture(result, scene.metadata), to: picture.output, reporter, of: input)
        reporter.remark(
            "\(result.width) × \(result.height), \(self.layer == "-" ? "standard input" : self.layer) "
                + "\(placement.width.short) m wide at \(distance.short) m\(photo.scaleWords) → "
                + picture.shownOutput, of: input)
    }

    private func readLayer() throws -> TranslucentImage {
        do {
            return try openPicture(layer, limits: common.limits).translucentImage()
        } catch let error as ContainerError {
            throw FileFailure(file: layer, error: error)
        }
    }
}
