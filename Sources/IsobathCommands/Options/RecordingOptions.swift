internal import ArgumentParser
internal import Fusion
internal import Isobath
internal import Recordings

/// Flags for recordings that become one cloud.
struct RecordingOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Begin with the first frame at this time or later.", valueName: "seconds"),
        transform: decimal)
    var start: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("End with the last frame at this time or before.", valueName: "seconds"),
        transform: decimal)
    var end: Double?

    @Option(parsing: .unconditional, help: ArgumentHelp("Take every n-th frame.", valueName: "n"))
    var every: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Leave out voxels that fewer frames saw (default: 2 of 8 frames or more, else 1).", valueName: "n"
        ))
    var minHits: Int?

    @Flag(help: "Keep voxels that later frames see through, such as those of someone who walked by.")
    var keepGhosts = false

    @Option(
        help: ArgumentHelp(
            "How poses are stored, where they are not as the layout has them.", valueName: "name"))
    var poseConvention: PoseConvention?

    @Option(
        help: ArgumentHelp(
            "Write where the camera stood, too: .ply (points and edges) or .json (transforms.json).",
            valueName: "file"))
    var trajectory: String?

    func validate() throws {
        for (name, value) in [("start", start), ("end", end)] {
            guard let value, !value.isFinite else { continue }
            throw ValidationError("'--\(name)' must be a number of seconds.")
        }
        if let start, let end, start > end { throw ValidationError("'--start' must not be after '--end'.") }
        for (name, value) in [("every", every), ("min-hits", minHits)] {
            guard let value, value < 1 else { continue }
            throw ValidationError("'--\(name)' must be 1 or more.")
        }
        if let trajectory, trajectory != "-", !["ply", "json"].contains(trajectory.pathExtension) {
            throw ValidationError(
                "--trajectory writes .ply or .json, and '\(trajectory.forTerminal)' is neither.")
        }
        if trajectory == "-" { throw ValidationError("--trajectory needs the name of a file.") }
    }

    /// Whether any of them was given: they apply to recordings only.
    var isGiven: Bool {
        start != nil || end != nil || every != nil || minHits != nil || keepGhosts || poseConvention != nil
            || trajectory != nil
    }

    /// The flags as plain data.
    var choice: RecordingChoice {
        var selection = FrameSelection()
        (selection.start, selection.end, selection.step) = (start, end, every ?? 1)
        return RecordingChoice(
            selection: selection, minimumHits: minHits, removesGhosts: !keepGhosts,
            poseConvention: poseConvention, trajectory: trajectory, isGiven: isGiven)
    }
}

/// What the flags for recordings say.
struct RecordingChoice: Codable, Sendable {
    var selection = FrameSelection()
    var minimumHits: Int?
    var removesGhosts = true
    var poseConvention: PoseConvention?
    /// A file for the path of the camera.
    var trajectory: String?
    var isGiven = false
}

extension PoseConvention: ExpressibleByArgument {}
