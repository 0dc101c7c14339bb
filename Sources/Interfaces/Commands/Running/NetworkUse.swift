internal import CSystemShims
internal import Isobath
internal import Networks
internal import Scenes

/// How a job uses a network, as plain data.
struct NetworkUse: Hashable, Sendable {
    /// The network's file.
    var path: String
    /// The name of its profile, or the profile's file.
    var profile: String?
    /// How many threads it runs on.
    var threads: Int
    var anchors: [AnchorChoice] = []
    /// The depth map to align with.
    var alignmentPath: String?
    /// Whether to skip the alignment to the depth in the file.
    var leavesUnaligned = false

    /// The files that are read.
    var files: [String] {
        [path, alignmentPath, profile.flatMap { $0.hasSuffix(".json") ? $0 : nil }].compactMap(\.self)
    }

    /// The scene with the network's depth or matte, and remarks about it. Set `keepsPicture` if more than the matte is
    /// needed.
    func scene(for scene: DepthScene, keepsPicture: Bool = true, limits: DecodingLimits) throws -> (
        scene: DepthScene, remark: String?
    ) {
        // The network needs more memory than all other steps, so return freed memory first.
        if !keepsPicture { isobath_return_freed_memory(128 << 10) }
        let network = try open(limits)
        return try about(path) {
            let computed = try network.scene(
                for: scene, alignment: alignment(of: scene, limits), keepsPicture: keepsPicture)
            guard network.answer == .matte else { return (computed, nil) }
            let hadMatte = scene.description.planes.contains(.matte)
            let remark =
                "the matte is computed by a network (profile \(network.profile.name))"
                + (hadMatte ? ", in place of the stored one" : "")
                + (keepsPicture && scene.description.depth != nil
                    ? "; effects fill its holes where the depth shows the subject" : "")
            return (computed, remark)
        }
    }

    /// The network, which stays open for the next inputs.
    func open(_ limits: DecodingLimits) throws -> Network {
        try about(path) {
            try Network.opened(path, profile: profile, threads: min(threads, threadLimit), limits: limits)
        }
    }

    /// Attributes errors of `body` to the network.
    func aboutItself<Result>(_ body: () throws -> Result) throws -> Result { try about(path, body) }

    private func alignment(of scene: DepthScene, _ limits: DecodingLimits) throws -> DepthAlignment {
        if leavesUnaligned { return .none }
        if !anchors.isEmpty {
            let picture = try scene.requireColorSize()
            let places = try anchors.map { (try $0.position.fractions(of: picture), $0.meters) }
            guard Set(places.map(\.0)).count == places.count else {
                throw NetworkError.alignment(.samePoint)
            }
            return .anchors(Dictionary(places, uniquingKeysWith: { $1 }))
        }
        guard let alignmentPath else { return .stored }
        return try about(alignmentPath) {
            let scene = try openInput(
                Input(path: alignmentPath), reading: ReadingOptions(), limits: limits)
            return .map(try scene.matched.disparity())
        }
    }

    /// Attributes errors of `body` to a file besides the input.
    private func about<Result>(_ file: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as ContainerError {
            throw FileFailure(file: file, error: error)
        } catch let error as NetworkError {
            throw FileFailure(file: file, error: error)
        }
    }
}
