internal import ArgumentParser
internal import Isobath
internal import Scenes

/// The poses of a recording's frames.
struct PoseOptions: FlagGroup {
    static let kinds: FlagKinds = [
        "poses": [.recording, .movie], "pose-convention": [.recording, .movie],
    ]

    @Option(
        help: ArgumentHelp(
            "Take the poses from this file: TUM, KITTI, 4 × 4 matrices as text or .npy, or transforms.json.",
            valueName: "file"), completion: .file())
    var poses: String?

    @Option(
        help: ArgumentHelp(
            "The convention of stored poses, if not that of the layout or of --poses.", valueName: "name"))
    var poseConvention: PoseConvention?

    func validate() throws {
        if poses == "-" {
            throw ValidationError("--poses is '-', and poses are not read from standard input; name a file")
        }
    }

    /// Throws for one file of poses where there may be several recordings.
    func check(isBatch: Bool) throws {
        guard isBatch, poses != nil else { return }
        throw ValidationError("--poses names one file, and there may be several recordings")
    }

    /// The name of a flag that is given; `nil` without one.
    var given: String? { poses != nil ? "poses" : poseConvention != nil ? "pose-convention" : nil }

    /// The flags about inputs with these.
    func added(to input: InputFlags) -> InputFlags {
        var input = input
        (input.options.posesPath, input.options.poseConvention) = (poses, poseConvention)
        return input
    }
}
