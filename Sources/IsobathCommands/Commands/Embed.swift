internal import ArgumentParser
internal import Isobath

/// `isobath embed`
struct Embed: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "embed",
        _superCommandName: "isobath",
        abstract: "Put a depth map or mattes into a photo.",
        discussion: """
            The map is any that isobath reads: a raster (with the flags for rasters where it does not say what it \
            holds), one of its own files, or another photo. It is turned to the photo's stored pixels. The photo's \
            coded image, Exif, color profile, other planes and trailers keep their bytes, and the codes of planes are \
            exact: 8 bits as they are, others rounded, and what a step is in meters is said.
            """)

    @Argument(help: "The photo; - is standard input.")
    var photo: String

    @Option(help: ArgumentHelp("The depth map to put in.", valueName: "map"))
    var depth: String?

    @Option(
        help: ArgumentHelp(
            "A matte to put in, a picture whose gray is coverage; may be repeated. The kind is skin, hair, teeth, glasses or sky, without one the portrait matte.",
            valueName: "[kind=]file"))
    var matte: [MatteFile] = []

    @Option(
        help: ArgumentHelp(
            "The picture before an effect was rendered into the photo, a JPEG, for --format gdepth (GImage).",
            valueName: "file"))
    var original: String?

    @Option(
        help:
            "The form in which the photo carries what is put in (default: apple-jpeg for a JPEG, apple-heic for a HEIC)."
    )
    var format: DepthForm?

    @Option(
        help: ArgumentHelp(
            "Put the map in as depth or as disparity; without it, as what the map holds.",
            valueName: "quantity"))
    var plane: DepthQuantity?

    @Flag(help: "Replace planes of the kinds that are put in; without it they are an error.")
    var replace = false

    @Option(help: ArgumentHelp("Take planes of this kind out; may be repeated.", valueName: "kind"))
    var remove: [String] = []

    @Flag(help: "Take maps and mattes as they are stored, in the frame of the photo's stored pixels.")
    var storedOrientation = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write to this file; - is standard output.", valueName: "file"))
    var output: String?

    @Flag(help: "Replace the photo itself, which needs --force; its times and permissions stay.")
    var inPlace = false

    @Flag(help: "Print one JSON object (schema isobath.embed/1).")
    var json = false

    @OptionGroup var existing: ExistingFileOptions

    @OptionGroup(title: "Codes") var coding: DepthCodingOptions

    @OptionGroup(title: "Rasters") var rasters: RasterOptions

    @OptionGroup var common: CommonOptions

    /// Extensions of photos of one kind, the usual one first.
    private static let photoNames = [["jpg", "jpeg", "jpe", "jps", "mpo"], ["heic", "heif", "hif"]]

    func validate() throws {
        guard (output == nil) == inPlace else { throw ValidationError("Give either -o FILE or --in-place.") }
        if inPlace, !existing.force {
            throw ValidationError("--in-place replaces the photo: it needs --force.")
        }
        if inPlace, photo == "-" { throw ValidationError("--in-place needs a file, not standard input.") }
        guard depth != nil || !matte.isEmpty || !remove.isEmpty else {
            throw ValidationError("Give --depth MAP, --matte FILE or --remove KIND.")
        }
        if original != nil, format != .gDepth || depth == nil {
            throw ValidationError("--original goes with --depth and --format gdepth.")
        }
        if let name = remove.first(where: { PlaneKind(planeName: $0) == nil }) {
            throw ValidationError("'\(name.forTerminal)' is not a kind of plane.")
        }
        guard Set(matte.map(\.kind)).count == matte.count else {
            throw ValidationError("--matte names a kind twice.")
        }
        let files = [photo, depth, original].compactMap(\.self) + matte.map(\.path)
        guard files.count(where: { $0 == "-" }) < 2 else {
            throw ValidationError("Standard input can be read once.")
        }
        if let output, output != "-",
            let names = Self.photoNames.first(where: { $0.contains(photo.pathExtension) }),
            !names.contains(output.pathExtension)
        {
            throw ValidationError(
                "'\(output.forTerminal)' is not the name of such a photo; use .\(names[0]): what is coded stays so."
            )
        }
        if output == "-", json { throw ValidationError("--json and -o - both write to standard output.") }
    }

    func run() throws {
        var coding = coding.coding
        coding.quantity = plane
        let job = EmbedJob(
            limits: common.limits, reading: rasters.reading, depth: depth, mattes: matte, original: original,
            form: format,
            coding: coding, planeQuality: self.coding.planeQuality, replaces: replace,
            removedKinds: remove.compactMap(PlaneKind.init(planeName:)),
            storedOrientation: storedOrientation, output: inPlace ? nil : output, json: json,
            existing: existing.existing, photo: photo)
        try InputRun.perform(job, on: photo, common, hasResults: json)
    }
}
