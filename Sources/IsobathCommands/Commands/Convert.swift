internal import ArgumentParser
internal import Isobath

/// `isobath convert`
struct Convert: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        _superCommandName: "isobath",
        abstract: "Bring photos with depth into another form.",
        discussion: """
            The depth of any input that isobath reads, its mattes where the form has a place for them, and the photo \
            itself: its coded bytes are kept wherever the target can hold them, which is JPEG. Other photos are decoded \
            and coded again with Exif, XMP and color profile.
            """)

    @Argument(help: "Photos, and depth rasters with --color; - is standard input.")
    var inputs: [String] = []

    @Option(help: "The form: apple-jpeg, apple-heic, gdepth, dynamic-depth, rgbd, pair or exr.")
    var to: ConversionTarget

    @Option(
        help: ArgumentHelp(
            "Carry depth or disparity; without it, what the input holds.", valueName: "quantity"))
    var plane: DepthQuantity?

    @Option(help: ArgumentHelp("The quality of a photo that is coded again, 1 to 100.", valueName: "q"))
    var quality = Raster.defaultJPEGQuality

    @Flag(help: "rgbd: squeeze picture and depth to half their width each.")
    var half = false

    @Flag(help: "rgbd: put the depth to the left of the picture.")
    var depthLeft = false

    @Flag(help: "rgbd: show near as black, not as white.")
    var blackNear = false

    @OptionGroup var files: OutputOptions

    @OptionGroup(title: "Codes") var coding: DepthCodingOptions

    @OptionGroup(title: "Rasters") var rasters: RasterOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...100).contains(quality) else { throw ValidationError("'--quality' is 1 to 100.") }
        if to != .rgbd, half || depthLeft || blackNear {
            throw ValidationError("--half, --depth-left and --black-near are for --to rgbd.")
        }
        if to.form == nil, !coding.isEmpty || plane != nil {
            throw ValidationError(
                "--near, --far, --bits, --plane-quality, --fill-holes and --plane are for depth inside a photo, not for --to \(to.rawValue)."
            )
        }
        if to == .pair, files.output == "-" {
            throw ValidationError("--to pair writes two files, not one stream.")
        }
        if let output = files.output, output != "-", !to.fileExtensions.contains(output.pathExtension) {
            let names = to.fileExtensions.map { ".\($0)" }.joined(separator: " or ")
            throw ValidationError("'\(output.forTerminal)' is not the name of such a file; use \(names).")
        }
        if to.form != nil, rasters.orientation != nil {
            throw ValidationError(
                "--orientation is not for --to \(to.rawValue), which keeps the photo as it is.")
        }
        try files.check(inputs)
    }

    func run() throws {
        var sideBySide = SideBySide()
        (sideBySide.isHalf, sideBySide.depthIsLeft, sideBySide.blackIsNear) = (half, depthLeft, blackNear)
        var coding = coding.coding
        coding.quantity = plane
        let job = ConvertJob(
            limits: common.limits, reading: rasters.reading, target: to, coding: coding,
            planeQuality: self.coding.planeQuality, quality: quality, sideBySide: sideBySide,
            destination: files.destination(
                suffix: to.suffix(sideBySide), fileExtension: to.fileExtensions[0]), json: files.json,
            nameFile: files.batch.nameFile, existing: files.existing.existing)
        try InputRun.perform(
            job, on: files.batch.names(inputs, common), files.batch, common, folder: files.outputDirectory,
            hasResults: files.json)
    }
}
