internal import Isobath

/// The long names of the given flags. Once the kind of an input is known, flags without effect on it are refused.
struct GivenFlags: Codable, Sendable {
    var names: [String] = []
    /// Whether there may be several inputs. If so, a flag without effect on one of them causes a remark instead of an
    /// error.
    var isBatch = false

    init() {}

    /// The flags among arguments, up to `--`. Values of flags do not begin with two dashes.
    init(in arguments: some Sequence<String>) {
        for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
            names.append(String(argument.dropFirst(2).prefix { $0 != "=" }))
        }
    }

    /// The flags of this process.
    static let current = GivenFlags(in: CommandLine.arguments.dropFirst(2))

    /// Throws for a flag that has no effect on this kind of input; in a batch, only reports it.
    func check(_ kind: InputKinds, _ subcommand: String, _ file: Input, _ reporter: Reporter) throws {
        for name in names where !FlagEffects.kinds(of: name, in: subcommand).contains(kind) {
            let detail = name == "frame" ? ", and not a recording" : ""
            try refuse(name, because: "this is \(kind.title)\(detail)", file, reporter)
        }
    }

    /// Throws for a given flag that has no effect; in a batch, only reports it.
    func refuse(_ name: String, because reason: String, _ file: Input, _ reporter: Reporter) throws {
        guard names.contains(name) else { return }
        let problem = FlagWithoutEffect(flag: name, reason: reason)
        guard isBatch else { throw problem }
        reporter.remark("\(problem)", of: file.path)
    }
}

/// An error in the flags that only shows once the input is known. The exit status is 64.
protocol WrongUsage: Error {}

/// A flag that has no effect on an input.
struct FlagWithoutEffect: WrongUsage, CustomStringConvertible {
    var flag: String
    var reason: String

    var description: String { "--\(flag) has no effect: \(reason)" }
}

/// The kinds of inputs that each flag affects. `FlagEffectTests` run every row.
enum FlagEffects {
    /// The kinds of inputs that a flag affects in a subcommand.
    static func kinds(of flag: String, in subcommand: String) -> InputKinds {
        exceptions[subcommand]?[flag] ?? usual[flag] ?? .all
    }

    /// For all subcommands. Flags that are not listed affect all kinds.
    private static let usual: [String: InputKinds] = [
        // How rasters are read.
        "scale": [.raster, .sequences, .frame], "quantity": .raster, "channel": .raster,
        "no-data": .raster, "layout": .raster, "color": [.raster, .recording, .frame],
        "camera": [.raster, .pair, .sequences, .frame], "baseline": [.raster, .pair],
        "right": .pair, "no-rectify": .pair,
        "orientation": [.photo, .raster, .pair], "no-hdr": [.photo, .raster, .pair],
        // Streams.
        "raw": [.stream, .frame], "raw-depth": [.stream, .frame], "frame-rate": .stream,
        // Frames.
        "frame": .frame, "start": .sequences, "end": .sequences, "every": .sequences,
        "real-time": .sequences, "codec": .sequences,
        "pose-convention": [.recording, .movie], "poses": [.recording, .movie],
        "topic": [.recording, .frame],
        // Depth.
        "depth-from": .stills, "anchor": .stills, "align": .stills,
        "min-confidence": .stills, "dequantize": .stills, "no-dequantize": .stills, "fill-holes": .stills,
        "no-fill-holes": .stills, "smooth": .stills, "no-smooth": .stills,
    ]

    /// The treatment of depth in subcommands that apply it to frames, too.
    private static let treatmentOfFrames: [String: InputKinds] = [
        "dequantize": .all, "no-dequantize": .all, "fill-holes": .all, "no-fill-holes": .all, "smooth": .all,
        "no-smooth": .all, "min-confidence": .all,
    ]

    private static let exceptions: [String: [String: InputKinds]] = [
        "extract": [
            "as": .stills, "size": .stills, "near": .sequences, "far": .sequences,
            "quality": .sequences,
            "stored-orientation": [.photo, .raster, .pair, .recording],
        ].merging(treatmentOfFrames) { $1 },
        "composite": [
            "matte": [.stills, .recording, .movie], "focus": .stills, "fit": .stills, "no-refine": .stills,
            "no-decontaminate": .stills, "strip-metadata": .stills,
        ].merging(treatmentOfFrames) { $1 },
        "blur": [
            "picture": .stills, "strip-metadata": .stills,
        ].merging(treatmentOfFrames) { $1 },
        "cloud": [
            "camera": .all,
            "axes": [.stills, .recording, .movie], "back-layer": .stills, "max-points": .stills,
            "remove-outliers": .stills,
            "upsample": .stills,
            "picture": .stills,
            "no-undistort": .stills, "model": .stills, "model-profile": .stills, "runtime": .stills,
            "no-align": .stills, "min-confidence": .all,
            "trajectory": [.recording, .movie], "level": [.recording, .movie],
        ],
        "convert": [
            "strip-metadata": .stills, "near": .all, "far": .all, "bits": .stills,
            "fill-holes": .stills, "as": .stills, "colormap": .sequences,
            "min-confidence": .stills, "max-frames": [.recording, .movie],
            "sharpest": [.recording, .movie],
        ],
        "animate": ["frame-rate": .all, "camera": [.raster, .pair]],
        "view": ["frames": .sequences, "quality": .stills],
        "info": ["no-rectify": []],
        "detect": ["stored-orientation": .recording],
    ]
}
