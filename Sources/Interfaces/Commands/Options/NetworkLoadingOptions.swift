internal import ArgumentParser
internal import Isobath

/// A network and its profile.
struct NetworkLoadingOptions: FlagGroup {
    static let kinds: FlagKinds = ["model": .all]

    @Option(
        help: ArgumentHelp(
            "The network, an ONNX file; 'isobath info FILE' shows how it would be used.", valueName: "file"),
        completion: .file(extensions: ["onnx"]))
    var model: String?

    @OptionGroup var profile: NetworkProfileOptions

    var modelProfile: String? { profile.modelProfile }

    func validate() throws {
        if model == nil, modelProfile != nil {
            throw ValidationError("--model-profile has no effect without --model")
        }
    }
}

/// The profile that describes a network's inputs and outputs.
struct NetworkProfileOptions: FlagGroup {
    static let kinds: FlagKinds = ["model-profile": .all]

    @Option(
        help: ArgumentHelp(
            "The network's profile: a name, or a JSON file.",
            valueName: "name|file"), completion: .file())
    var modelProfile: String?
}

/// `--anchor X,Y=M`
struct AnchorChoice: ExpressibleByArgument, Hashable, Sendable {
    var position: PicturePosition
    var meters: Double

    init?(argument: String) {
        let sides = argument.split(separator: "=", omittingEmptySubsequences: false)
        guard sides.count == 2, let meters = Double(decimal: sides[1]), meters > 0, meters.isFinite,
            let position = PicturePosition(argument: String(sides[0]))
        else { return nil }
        (self.position, self.meters) = (position, meters)
    }
}
