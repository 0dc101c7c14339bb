public import Testing

/// What tests need. `Tools/skips` counts the reasons, so each is worded once.
extension Trait where Self == ConditionTrait {
    /// Real photos.
    public static var needsSamples: Self { needs(.photos) }

    /// Real recordings.
    public static var needsRecordings: Self { needs(.recordings) }

    /// Movies of two eyes.
    public static var needsMovies: Self { needs(.movies) }

    /// Files that were misread once.
    public static var needsWildFiles: Self { needs(.wild) }

    /// Files made to do harm.
    public static var needsAttacks: Self { needs(.attacks) }

    /// Small files, each of which showed a defect.
    public static var needsCases: Self { needs(.cases) }

    /// Networks that others trained, and ONNX Runtime.
    public static var needsModels: Self { needs(.models, and: OnnxRuntimeLibrary.isAvailable) }

    /// The programs of FFmpeg.
    public static var needsFFmpegProgram: Self {
        needs(SystemTools.hasFFmpegProgram, "the programs of FFmpeg are not installed")
    }

    /// ONNX Runtime.
    public static var needsNetworks: Self {
        needs(OnnxRuntimeLibrary.isAvailable, "ONNX Runtime is not installed")
    }

    /// System calls that fail on purpose.
    public static var needsFaults: Self {
        needs(SystemTools.canInject, "strace cannot make system calls fail")
    }

    /// System calls that are recorded.
    public static var needsTraces: Self { needs(SystemTools.canTrace, "strace cannot record system calls") }

    /// File systems of the test's own.
    public static var needsMounts: Self { needs(SystemTools.canMount, "unshare cannot mount file systems") }

    /// A terminal.
    public static var needsTerminal: Self {
        needs(SystemTools.hasTerminal, "the program 'script' is not installed")
    }

    private static func needs(_ folder: SampleFolder, and condition: Bool = true) -> Self {
        needs(
            folder.isAvailable && condition, Comment(rawValue: "\(folder.variable) names no folder"))
    }

    private static func needs(_ isThere: Bool, _ reason: Comment) -> Self { .enabled(if: isThere, reason) }
}
