internal import ArgumentParser
internal import Isobath
internal import Movies
internal import Scenes

/// `isobath extract`
struct Extract: FileVerb {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        _superCommandName: "isobath",
        abstract: "Write depth, mattes and other planes as images; of a recording as frames or a movie.",
        discussion: """
            Planes come out upright, lossless and in real units. PNG files hold what their samples mean in an iTXt chunk 'Isobath'; \
            TIFF, EXR, PFM and NPY files hold Float32, nan where unknown. Without -o, files are named after input and plane and \
            written to the current folder.

            Of a recording, a movie or a stream, all frames are written: depth in colors as a movie, values or colors as numbered \
            images.

            Examples:
              isobath extract IMG_0001.HEIC -o depth.png
              isobath extract recording/ -o depth.mp4
              isobath extract --recursive Photos -o planes/
            """)

    static let ownKinds: FlagKinds = [
        "as": .all, "size": .stills, "near": .sequences, "far": .sequences, "quality": .sequences,
        "stored-orientation": [.photo, .raster, .pair, .recording],
    ].merging(TreatmentOptions.kindsWithFrames) { $1 }

    @Argument(
        help: "Photos, rasters, recordings, movies and streams; - is standard input.", completion: .file())
    var inputs: [String] = []

    @OptionGroup(title: "Planes") var planes: PlaneOptions

    @OptionGroup(title: "Planes") var coloring: ColoringOptions

    @OptionGroup(title: "Output") var files: OutputOptions

    @OptionGroup(title: "Output") var quality: QualityOptions

    @OptionGroup(title: "Output") var size: SizeOptions

    @OptionGroup(title: "Output") var orientation: OrientationOptions

    @OptionGroup(title: "Frames") var frames: FrameOptions

    @OptionGroup(title: "Frames") var range: DistanceOptions

    @OptionGroup(title: "Frames") var movies: FrameOutputOptions

    @OptionGroup(title: "Depth") var depth: DepthSourceOptions

    @OptionGroup(title: "Depth") var treatment: TreatmentOptions

    @OptionGroup(title: "Input") var input: InputOptions

    @OptionGroup(title: "Common") var common: CommonOptions

    func validate() throws {
        try checkNames()
        try depth.check(input)
        try checkPlanes()
        let (still, frames) = try formats()
        if planes.values != nil, let still, still != .png {
            throw ValidationError("--values has no effect on \(still.rawValue); it is for PNG and movies")
        }
        if planes.values == .millimeters {
            if planes.quantity == .disparity {
                throw ValidationError("--values millimeters measures depth, and --as is disparity")
            }
            if case .movie(let format)? = frames, !format.holdsDepth {
                throw ValidationError(
                    "--values millimeters needs .mkv (FFV1), numbered .png files or a raw stream")
            }
        }
        if planes.values == .normalized, case .movie? = frames {
            throw ValidationError("--values normalized is for images; a movie takes preview or millimeters")
        }
        if coloring.colormap != nil {
            guard (planes.values ?? .preview) == .preview else {
                throw ValidationError(
                    "--colormap has no effect with --values \(planes.values?.rawValue ?? "")")
            }
            if let still, still != .png {
                throw ValidationError("--colormap has no effect on \(still.rawValue); use .png")
            }
        }
        try movies.check(frames)
        if let frames { try quality.check(isJPEG: frames == .frames(.jpeg), "these frames") }
        _ = try range.meters()
    }

    private func checkNames() throws {
        try files.check(inputs)
        if files.file != nil, planes.plane == .all {
            throw ValidationError("-o names one file, and --plane all writes several; -o DIR/ names a folder")
        }
    }

    private func checkPlanes() throws {
        let treated = treatment.given ?? (coloring.colormap == nil ? nil : "colormap")
        if let kind = planes.plane?.kind, !kind.isDepth {
            if planes.quantity != nil { throw ValidationError("--as has no effect on \(kind.rawValue)") }
            if planes.values != nil { throw ValidationError("--values has no effect on \(kind.rawValue)") }
            if let flag = treated ?? range.given {
                throw ValidationError("--\(flag) has no effect on \(kind.rawValue)")
            }
            if treatment.upsample, !kind.isMatte {
                throw ValidationError("--upsample has no effect on \(kind.rawValue)")
            }
        }
        try size.check(1...1 << 16)
        if size.size != nil, planes.plane != .photo {
            throw ValidationError("--size has no effect without --plane photo")
        }
        if size.size != nil, orientation.storedOrientation {
            throw ValidationError("--size and --stored-orientation exclude each other")
        }
        if planes.plane?.isPicture == true {
            let others = [
                ("as", planes.quantity != nil), ("values", planes.values != nil),
                ("upsample", treatment.upsample),
            ]
            if let other = treated ?? others.first(where: \.1)?.0 {
                throw ValidationError("--\(other) has no effect on a picture")
            }
        }
        if depth.loading.model != nil {
            if orientation.storedOrientation {
                throw ValidationError("--stored-orientation has no effect with --model")
            }
            guard planes.plane != .all, planes.plane?.isPicture != true else {
                throw ValidationError("--model computes depth or a matte, and --plane names another plane")
            }
        }
        let isStereo = depth.isStereo || input.right != nil
        if !isStereo, input.noRectify {
            throw ValidationError("--no-rectify has no effect without --depth-from stereo")
        }
        if isStereo, ![nil, .kind(.disparity), .kind(.confidence)].contains(planes.plane) {
            throw ValidationError(
                "--\(depth.isStereo ? "depth-from stereo" : "right") computes disparity and confidence, and --plane names another plane"
            )
        }
    }

    /// The format of still images, and the form of frames; `nil` if no flag or file name specifies it.
    private func formats() throws -> (still: RasterFormat?, frames: SequenceOutput.Kind?) {
        try files.formats(for: "planes")
    }

    func job(_ arguments: VerbArguments) throws -> any Job {
        let (still, frames) = try formats()
        let (near, far) = try range.meters()
        var job = ExtractJob(
            arguments: arguments, limits: common.limits, reading: input.reading(depth),
            destination: files.destination(suffix: "", fileExtension: ""),
            format: still ?? .png)
        (job.plane, job.quantity, job.values) = (
            planes.plane, planes.quantity, planes.values ?? (coloring.colormap == nil ? nil : .preview)
        )
        job.colorMap = coloring.colormap
        job.reading.options.keepsOrientation = orientation.storedOrientation
        job.longestSide = size.size
        (job.treatment, job.upsamples) = (treatment.treatment, treatment.upsample)
        job.network = depth.network(threads: arguments.threads)
        (job.json, job.existing) = (arguments.hasRecord(files.name.printing), arguments.existing(files.name))
        job.quality = quality.orUsual
        job.hasNamedFormat = still != nil
        (job.near, job.far) = (near, far)
        (job.frames, job.codec, job.selection) = (frames, movies.codec, movies.selection(self.frames))
        return job
    }
}

/// Which planes are written, and in which format.
struct PlaneOptions: FlagGroup {
    static let kinds: FlagKinds = ["plane": .all, "values": .all]

    @Option(
        help: ArgumentHelp(
            "The plane to write (default: the stored depth or disparity).",
            valueName: "plane"))
    var plane: PlaneChoice?

    @OptionGroup var conversion: QuantityOptions

    @Option(
        help: ArgumentHelp(
            "The encoding of integer samples: 16 bits over the range (normalized, the default of PNG), 16-bit millimeters, or colors and shades (preview, the default of movies).",
            valueName: "values"))
    var values: PlaneExport.PNGStyle?

    var quantity: DepthQuantity? { conversion.quantity }
}

/// How depth is colored.
struct ColoringOptions: FlagGroup {
    static let kinds: FlagKinds = ["colormap": .all]

    @Option(
        help: ArgumentHelp("The colors of a preview (default: gray; of frames turbo).", valueName: "name"))
    var colormap: ColorMap?
}

/// Which quantity is written.
struct QuantityOptions: FlagGroup {
    static let kinds: FlagKinds = ["as": .stills]

    @Option(
        help: ArgumentHelp("Write depth or disparity (default: what is stored).", valueName: "quantity"))
    var `as`: DepthQuantity?

    var quantity: DepthQuantity? { `as` }
}
