internal import ArgumentParser

/// Photos in a tar file, and a tar file for the outputs.
struct TarOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read photos from this tar file, one for each key as WebDataset names them; - is standard input.",
            valueName: "file"))
    var tarInput: String?

    @Option(
        help: ArgumentHelp(
            "Write planes and records into this tar file, under the same keys; - is standard output.",
            valueName: "file"))
    var tarOutput: String?

    func validate() throws {
        guard (tarInput == nil) == (tarOutput == nil) else {
            throw ValidationError("--tar-input and --tar-output go together.")
        }
    }

    /// Whether inputs and outputs are members of tar files.
    var isGiven: Bool { tarInput != nil }
}
