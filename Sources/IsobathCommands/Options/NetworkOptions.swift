internal import ArgumentParser
internal import Isobath

/// The network that sees depth or a matte in the picture.
struct NetworkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Compute depth or the matte with this network, an ONNX file; 'isobath model' shows how it would be used.",
            valueName: "file"))
    var model: String?

    @OptionGroup var loading: NetworkLoadingOptions

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A place whose distance is known, which gives a network's depth its unit; at least twice, once for networks that answer in meters. X and Y are shares of the upright picture, or pixels such as 120px.",
            valueName: "x,y=meters"))
    var anchor: [AnchorChoice] = []

    @Option(
        help: ArgumentHelp(
            "Align a network's depth to this coarse or sparse depth of the same view, a photo or raster in meters.",
            valueName: "file"))
    var align: String?

    @Flag(help: "Leave a network's depth as it is, rather than aligning it to the file's own.")
    var noAlign = false

    func validate() throws {
        let ways = [!anchor.isEmpty, align != nil, noAlign].count { $0 }
        if ways > 1 { throw ValidationError("Give one of --anchor, --align and --no-align.") }
        if model == nil, ways > 0 || loading.isGiven {
            throw ValidationError(
                "--model-profile, --runtime, --anchor, --align and --no-align are for the network that --model names."
            )
        }
    }

    /// The flags as a job takes them; `nil` without a network.
    func use(_ batch: BatchOptions, inputs: Int) -> NetworkUse? {
        use(
            threads: NetworkLoadingOptions.threads(
                jobs: batch.concurrency, inputs: batch.nameFile == nil ? inputs : .max))
    }

    /// The flags as a job takes them that runs the network on so many threads; `nil` without a network.
    func use(threads: Int) -> NetworkUse? {
        model.map { model in
            NetworkUse(
                path: model, profile: loading.modelProfile, runtime: loading.runtime,
                threads: threads, anchors: anchor,
                alignmentPath: align, leavesUnaligned: noAlign)
        }
    }
}

/// How a network is read, and what runs it.
struct NetworkLoadingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What the network expects and what its answer means: the name of a profile, or a file of JSON.",
            valueName: "name|file"))
    var modelProfile: String?

    @Option(help: ArgumentHelp("The library of ONNX Runtime, libonnxruntime.so.", valueName: "file"))
    var runtime: String?

    /// Whether any flag is given.
    var isGiven: Bool { modelProfile != nil || runtime != nil }

    /// How many threads a network runs on where several inputs are worked on at once.
    static func threads(jobs: Int, inputs: Int) -> Int { max(1, jobs / max(1, min(jobs, inputs))) }
}

/// `--anchor X,Y=M`
struct AnchorChoice: Codable, ExpressibleByArgument, Hashable, Sendable {
    var x: Double
    var y: Double
    var isInPixels: Bool
    var meters: Double

    init?(argument: String) {
        let sides = argument.split(separator: "=", omittingEmptySubsequences: false)
        guard sides.count == 2, let meters = Double(decimal: sides[1]), meters > 0, meters.isFinite,
            let place = try? FollowPlaces.parse(String(sides[0])), place.values.count == 2
        else { return nil }
        (x, y) = (place.values[0], place.values[1])
        (isInPixels, self.meters) = (place.isInPixels, meters)
    }

    /// The place in a picture of a size.
    func place(in picture: PixelSize) -> NormalizedPoint {
        guard isInPixels else { return NormalizedPoint(x: x, y: y) }
        // Pixel 0 is the center of the first.
        return NormalizedPoint(
            x: (x + 0.5) / Double(picture.width), y: (y + 0.5) / Double(picture.height))
    }
}
