internal import ArgumentParser
internal import Isobath

/// The origin of depth: the file, a stereo pair, or a network.
struct DepthSourceOptions: FlagGroup {
    static let kinds: FlagKinds = [
        "depth-from": .stills, "anchor": .stills, "align": .stills, "no-align": .all,
    ]

    @Option(
        help: ArgumentHelp(
            "Take the depth that is stored (file), compute it from the pictures of a stereo pair (stereo), or by --model (network).",
            valueName: "source"))
    var depthFrom: DepthOrigin?

    @OptionGroup var loading: NetworkLoadingOptions

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A point of known distance, which gives a network's depth its unit. Give two or more; one for a network that answers in meters.",
            valueName: "x,y=meters"))
    var anchor: [AnchorChoice] = []

    @Option(
        help: ArgumentHelp(
            "Align a network's depth to this coarse or sparse depth of the same view, a photo or raster in meters.",
            valueName: "file"), completion: .file())
    var align: String?

    @Flag(help: "Keep a network's depth as it is, rather than aligning it to the file's own.")
    var noAlign = false

    func validate() throws {
        if depthFrom == .network, loading.model == nil {
            throw ValidationError("--depth-from network needs --model, the file of the network")
        }
        if let depthFrom, depthFrom != .network, loading.model != nil {
            throw ValidationError(
                "--depth-from is \(depthFrom.rawValue), and --model computes depth by a network; give one of them"
            )
        }
        let ways = [("anchor", !anchor.isEmpty), ("align", align != nil), ("no-align", noAlign)].filter(\.1)
        if ways.count > 1 {
            throw ValidationError("--\(ways[0].0) and --\(ways[1].0) exclude each other")
        }
        if let way = ways.first, loading.model == nil {
            throw ValidationError("--\(way.0) has no effect without --model")
        }
    }

    /// Throws for flags about stereo pairs if depth comes from elsewhere.
    func check(_ input: InputOptions) throws {
        let flags = [("right", input.right != nil), ("no-rectify", input.noRectify)]
        guard let flag = flags.first(where: \.1)?.0 else { return }
        if loading.model != nil { throw ValidationError("--\(flag) has no effect with --model") }
        if depthFrom == .file { throw ValidationError("--\(flag) has no effect with --depth-from file") }
    }

    /// Whether to compute depth from stereo pairs even if they store depth.
    var isStereo: Bool { depthFrom == .stereo }

    /// The network as a job takes it, with `threads` threads; `nil` without one.
    func network(threads: Int) -> NetworkUse? {
        loading.model.map { model in
            NetworkUse(
                path: model, profile: loading.modelProfile,
                threads: threads, anchors: anchor, alignmentPath: align,
                leavesUnaligned: noAlign)
        }
    }
}

enum DepthOrigin: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// The planes stored in the file.
    case file
    /// The two pictures of a stereo pair.
    case stereo
    case network
}
