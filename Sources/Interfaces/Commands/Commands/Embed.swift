internal import ArgumentParser
internal import Isobath

/// `isobath embed`
struct Embed: Verb {
    static let configuration = CommandConfiguration(
        commandName: "embed",
        _superCommandName: "isobath",
        abstract: "Put a depth map or mattes into a photo.",
        discussion: """
            The map is anything that isobath reads: a raster, one of its own files, or another photo. It is turned to the photo's \
            stored pixels. The photo's coded image, Exif, color profile, other planes and trailers keep their bytes. Depth of 8 bits \
            keeps its values; other depth is rounded, and a remark gives the step in meters. Flags under Input describe the map.

            Examples:
              isobath embed edited.jpg --depth IMG_0001.HEIC -o with-depth.jpg
              isobath embed beach.jpg --depth map.png --range 0.5,4 -o beach-depth.jpg
              isobath embed IMG_0001.JPG --remove matte --in-place --force
            """)

    static let ownKinds: FlagKinds = [
        "depth": .all, "matte": .all, "as": .all, "replace": .all, "remove": .all, "in-place": .all,
    ]

    @Argument(help: "The photo; - is standard input.", completion: .file())
    var photo: String?

    @Option(help: ArgumentHelp("The depth map to embed.", valueName: "map"), completion: .file())
    var depth: String?

    @Option(
        help: ArgumentHelp(
            "A matte to embed, a picture whose gray is coverage; may be repeated. The kind is skin, hair, teeth, glasses or sky; without one, the portrait matte.",
            valueName: "[kind=]file"), completion: .file())
    var matte: [MatteFile] = []

    @OptionGroup var form: PhotoFormOptions

    @OptionGroup var conversion: QuantityOptions

    @Flag(help: "Replace planes of the kinds that are put in; without it they are an error.")
    var replace = false

    @Option(
        help: ArgumentHelp("Remove planes of this kind; may be repeated.", valueName: "kind"),
        completion: .list(PlaneKind.allCases.filter { $0 != .unknown }.map(\.rawValue)))
    var remove: [String] = []

    @OptionGroup var orientation: OrientationOptions

    @OptionGroup(title: "Output") var files: OutputFileOptions

    @Flag(help: "Replace the photo itself, which needs --force; its times and permissions stay.")
    var inPlace = false

    @OptionGroup(title: "Coding") var range: DistanceOptions

    @OptionGroup(title: "Coding") var coding: DepthCodingOptions

    @OptionGroup(title: "Depth") var treatment: TreatmentOptions

    @OptionGroup(title: "Input") var input: InputOptions

    @OptionGroup(title: "Common") var common: CommonOptions

    /// Extensions by photo format, the usual one first.
    private static let photoNames = [["jpg", "jpeg", "jpe", "jps", "mpo"], ["heic", "heif", "hif"]]

    func validate() throws {
        guard let photo else { throw ValidationError("no photo is named") }
        let output = files.output
        if inPlace {
            if let output {
                throw ValidationError("-o (\(output.forTerminal)) and --in-place exclude each other")
            }
            if !files.force { throw ValidationError("--in-place replaces the photo; it needs --force") }
            if photo == "-" { throw ValidationError("--in-place needs a file, and '-' is standard input") }
        } else if output == nil {
            throw ValidationError("no output is named; give -o FILE, or --in-place --force")
        }
        guard depth != nil || !matte.isEmpty || !remove.isEmpty else {
            throw ValidationError(
                "nothing to embed or remove; give --depth MAP, --matte FILE or --remove KIND")
        }
        if depth == nil {
            let others = [
                ("as", conversion.quantity != nil), ("bits", coding.bits != nil),
                (treatment.given ?? "", treatment.given != nil),
                ("near", range.near != nil), ("far", range.far != nil),
            ]
            if let other = others.first(where: \.1) {
                throw ValidationError("--\(other.0) has no effect without --depth")
            }
        }
        if treatment.upsample { throw ValidationError("--upsample has no effect in a photo") }
        _ = try range.meters()
        if let to = form.to, to.form == nil {
            throw ValidationError(
                "--to is \(to.rawValue); in a photo it must be \(OutputOptions.list(DepthForm.allCases.map(\.rawValue)))"
            )
        }
        if let name = remove.first(where: { PlaneKind(planeName: $0) == nil }) {
            throw ValidationError("--remove is '\(name.forTerminal)', which is not a kind of plane")
        }
        guard Set(matte.map(\.kind)).count == matte.count else {
            throw ValidationError("--matte names a kind twice")
        }
        let inputs = [photo, depth].compactMap(\.self) + matte.map(\.path)
        guard inputs.count(where: { $0 == "-" }) < 2 else {
            throw ValidationError("'-' is given twice; standard input can be read only once")
        }
        if let output, output != "-",
            let names = Self.photoNames.first(where: { $0.contains(photo.pathExtension) }),
            !names.contains(output.pathExtension)
        {
            throw ValidationError(
                "'\(output.forTerminal)' must end in .\(names[0]), as the photo does: embed does not recode")
        }
        if output == "-", files.json {
            throw ValidationError("--json and -o - both write to standard output")
        }
    }

    func run() throws {
        guard let photo else { return }
        try InputRun.perform(job(), on: photo, common, hasResults: files.json)
    }

    var inputs: [String] { [photo].compactMap(\.self) }

    func job(_ arguments: VerbArguments) throws -> any Job {
        var coding = coding.coding
        let (near, far) = try range.meters()
        (coding.near, coding.far) = (
            near.map { Double($0.description) ?? Double($0) },
            far.map { Double($0.description) ?? Double($0) }
        )
        coding.quantity = conversion.quantity
        coding.treatment = treatment.treatment
        return EmbedJob(
            arguments: arguments, limits: common.limits, reading: input.reading(), depth: depth,
            mattes: matte,
            form: form.to?.form, coding: coding, replaces: replace,
            removedKinds: remove.compactMap(PlaneKind.init(planeName:)),
            storedOrientation: orientation.storedOrientation, output: inPlace ? nil : files.output,
            json: files.json,
            existing: files.existing, photo: photo ?? "-")
    }
}

/// The form of the file that joins depth and photo.
struct PhotoFormOptions: FlagGroup {
    static let kinds: FlagKinds = ["to": .all]

    @Option(
        help: ArgumentHelp(
            "The form of photo and depth (embed: apple-jpeg for a JPEG, apple-heic for a HEIC).",
            valueName: "form"))
    var to: ConversionTarget?
}
