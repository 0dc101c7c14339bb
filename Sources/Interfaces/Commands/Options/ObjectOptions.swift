internal import ArgumentParser
internal import Isobath

/// A network that finds objects.
struct ObjectOptions: FlagGroup {
    static let kinds: FlagKinds = ["min-score": .all]

    @OptionGroup var loading: NetworkLoadingOptions

    @Option(
        help: ArgumentHelp(
            "Skip objects of a lower score: 0 to 1, or a percentage (default: 0.25).", valueName: "fraction"))
    var minScore: Fraction?

    func validate() throws {
        guard loading.model == nil, minScore != nil else { return }
        throw ValidationError("--min-score has no effect without --model")
    }

    /// The flags as a job takes them, with `threads` threads for the network; `nil` without a network.
    func search(threads: Int) -> ObjectSearch? {
        loading.model.map { model in
            ObjectSearch(
                network: NetworkUse(
                    path: model, profile: loading.modelProfile, threads: threads),
                minimumScore: Float(minScore?.value ?? 0.25))
        }
    }
}
