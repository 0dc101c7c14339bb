internal import ArgumentParser
internal import Isobath
internal import Scenes

/// `isobath convert`
struct Convert: FileVerb {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        _superCommandName: "isobath",
        abstract: "Bring photos and recordings with depth into another form.",
        discussion: """
            The coded bytes of a JPEG are kept wherever the form can hold them. Other photos are decoded and coded again with Exif, \
            XMP and color profile. Mattes are kept where the form can hold them.

            side-by-side and anaglyph (for glasses of red and cyan) show both eyes: as they were recorded in stereo pairs and \
            spatial videos, rendered from the depth of other photos and single frames. rgbd has the depth in colors beside the \
            picture. Recordings, movies and streams become a movie in these forms.

            Recordings also become data sets, which are folders: nerfstudio and colmap have pictures, depth, cameras, poses and a cloud, \
            tum has lists by time. Odometry follows the camera of a recording without poses.

            --scale-model gives a model of COLMAP meters, from the depth inside the photos that it was made of. The input is the folder \
            of these photos, and the output a folder with the scaled model.

            Examples:
              isobath convert IMG_0001.HEIC --to apple-jpeg -o IMG_0001.jpg
              isobath convert recording/ --to nerfstudio --max-frames 200 -o splats
              isobath convert --recursive Photos --to pair -o pairs/
              isobath convert photos/ --scale-model sparse/ -o scaled/
            """)

    static let ownKinds: FlagKinds = [
        "bits": .stills, "colormap": .sequences, "max-frames": [.recording, .movie],
        "sharpest": [.recording, .movie], "scale-model": .photo,
    ]

    @Argument(
        help: "Photos, rasters with --color, recordings, movies and streams; - is standard input.",
        completion: .file())
    var inputs: [String] = []

    @OptionGroup(title: "Form") var form: PhotoFormOptions

    @Option(
        help: ArgumentHelp(
            "Give the model of COLMAP in this folder meters. The input is the folder of its photos, of which some have exact depth.",
            valueName: "folder"), completion: .directory)
    var scaleModel: String?

    @OptionGroup(title: "Form") var conversion: QuantityOptions

    @OptionGroup(title: "Form") var coloring: ColoringOptions

    @OptionGroup(title: "Output") var files: OutputOptions

    @OptionGroup(title: "Output") var quality: QualityOptions

    @OptionGroup(title: "Coding") var range: DistanceOptions

    @OptionGroup(title: "Coding") var coding: DepthCodingOptions

    @OptionGroup(title: "Depth") var treatment: TreatmentOptions

    @OptionGroup(title: "Frames") var frames: FrameOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("nerfstudio, colmap, tum: use at most N frames, evenly chosen.", valueName: "n"))
    var maxFrames: Int?

    @Flag(
        help:
            "nerfstudio, colmap, tum: use the sharpest picture of each group of frames that --every or --max-frames makes."
    )
    var sharpest = false

    @OptionGroup(title: "Frames") var poses: PoseOptions

    @OptionGroup(title: "Frames") var movies: FrameOutputOptions

    @OptionGroup(title: "Input") var input: InputOptions

    @OptionGroup(title: "Common") var common: CommonOptions

    func validate() throws {
        if scaleModel != nil { return try checkModel() }
        let to = try target()
        try checkDataSet(to)
        try files.check(inputs)
        if to.form == nil {
            let others = [
                ("as", conversion.quantity != nil), ("bits", coding.bits != nil),
                (treatment.given ?? "", treatment.given != nil),
                ("near", range.near != nil && to != .rgbd), ("far", range.far != nil && to != .rgbd),
            ]
            if let other = others.first(where: \.1) {
                throw ValidationError(
                    "--\(other.0) has no effect with --to \(to.rawValue); it is for depth inside a photo")
            }
        } else if input.orientation != nil {
            throw ValidationError(
                "--orientation has no effect with --to \(to.rawValue), which keeps the photo as it is")
        }
        if treatment.upsample { throw ValidationError("--upsample has no effect with --to \(to.rawValue)") }
        _ = try range.meters()
        if to == .pair, files.file == "-" {
            throw ValidationError("--to pair writes two files, and -o - is one stream")
        }
        if coloring.colormap != nil, to != .rgbd {
            throw ValidationError(
                "--colormap has no effect with --to \(to.rawValue); it is for frames as rgbd")
        }
        try checkFormat(to)
    }

    /// Checks the inputs and the output of a model.
    private func checkModel() throws {
        if let to = form.to {
            throw ValidationError("--scale-model has no effect with --to \(to.rawValue)")
        }
        guard inputs.count == 1, inputs != ["-"], !files.batch.isBatch(inputs) else {
            throw ValidationError(
                "--scale-model needs one input: the folder of the photos that COLMAP made the model of")
        }
        if files.name.output == "-" {
            throw ValidationError("a model is a folder, and -o - is a stream")
        }
    }

    private func target() throws -> ConversionTarget {
        guard let to = form.to else {
            throw ValidationError(
                "--to FORM is missing; it must be \(OutputOptions.list(ConversionTarget.allCases.map(\.rawValue)))"
            )
        }
        return to
    }

    /// Checks flags of data sets, and flags that have no effect on them.
    private func checkDataSet(_ to: ConversionTarget) throws {
        if let flag = poses.given, to.dataSet == nil {
            throw ValidationError(
                "--\(flag) has no effect with --to \(to.rawValue); it is for nerfstudio, colmap and tum")
        }
        try poses.check(isBatch: files.batch.isBatch(inputs))
        if let maxFrames {
            guard to.dataSet != nil else {
                throw ValidationError(
                    "--max-frames has no effect with --to \(to.rawValue); it is for nerfstudio, colmap and tum"
                )
            }
            guard maxFrames > 0 else {
                throw ValidationError("--max-frames is \(maxFrames); it must be 1 or more")
            }
        }
        if sharpest {
            guard to.dataSet != nil else {
                throw ValidationError(
                    "--sharpest has no effect with --to \(to.rawValue); it is for nerfstudio, colmap and tum")
            }
            guard maxFrames != nil || frames.every ?? 1 > 1 else {
                throw ValidationError("--sharpest has no effect without --max-frames or --every")
            }
        }
        guard to.dataSet != nil else { return }
        try files.checkFolder(inputs)
        let others = [
            ("format", files.format != nil), ("codec", movies.codec != nil), ("real-time", movies.realTime),
        ]
        if let other = others.first(where: \.1) {
            throw ValidationError("--\(other.0) has no effect with --to \(to.rawValue)")
        }
    }

    private func checkFormat(_ to: ConversionTarget) throws {
        guard to.dataSet == nil else { return }
        if to.isOfFrames {
            let (still, frames) = try files.formats(PictureFormat.self, for: "pictures")
            try movies.check(frames)
            if let frames { try quality.check(isJPEG: frames == .frames(.jpeg), "these frames") }
            if let still { try quality.check(isJPEG: still == .jpeg, still.rawValue) }
            return
        }
        if to == .exr { try quality.check(isJPEG: false, "exr") }
        if let format = files.format, !to.fileExtensions.contains(format) {
            throw ValidationError(
                "--format is '\(format.forTerminal)'; --to \(to.rawValue) writes \(OutputOptions.list(to.fileExtensions))"
            )
        }
        if let output = files.file, output != "-", !to.fileExtensions.contains(output.pathExtension) {
            let names = to.fileExtensions.map { ".\($0)" }
            throw ValidationError(
                "--to \(to.rawValue) writes \(OutputOptions.list(names)), not '\(output.forTerminal)'")
        }
    }

    func job(_ arguments: VerbArguments) throws -> any Job {
        if let scaleModel { return try job(scaleModel, arguments) }
        let to = try target()
        let (near, far) = try range.meters()
        var coding = coding.coding
        (coding.near, coding.far) = (
            near.map { Double($0.description) ?? Double($0) },
            far.map { Double($0.description) ?? Double($0) }
        )
        coding.quantity = conversion.quantity
        coding.treatment = treatment.treatment
        var job = ConvertJob(
            arguments: arguments, limits: common.limits, reading: poses.added(to: input.reading()),
            target: to,
            coding: coding, quality: quality.orUsual,
            destination: to.dataSet == nil
                ? files.destination(
                    suffix: to.suffix,
                    fileExtension: to.isOfFrames ? "" : files.format ?? to.fileExtensions[0])
                : files.folderDestination(of: inputs, suffix: to.suffix),
            json: files.json, existing: files.existing)
        (job.near, job.far) = (near, far)
        (job.maximumFrames, job.takesSharpest) = (maxFrames, sharpest)
        job.colormap = coloring.colormap
        let formats = to.isOfFrames ? try files.formats(PictureFormat.self, for: "pictures") : (nil, nil)
        job.still = formats.0
        (job.frames, job.codec, job.selection) = (formats.1, movies.codec, movies.selection(frames))
        return job
    }

    private func job(_ model: String, _ arguments: VerbArguments) throws -> ScaleModelJob {
        let given = FlagList.of(Self.self).split(arguments.words).flags.map(\.name)
        if let other = given.first(where: { !ScaleModelJob.flags.contains($0) }) {
            throw ValidationError("--\(other) has no effect with --scale-model")
        }
        return ScaleModelJob(
            arguments: arguments, limits: common.limits, model: model,
            destination: files.folderDestination(of: inputs, suffix: "-scaled"), json: files.json,
            existing: files.existing)
    }
}
