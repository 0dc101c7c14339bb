public import Testing

/// What tests need. `Tools/skips` counts the reasons, so each is worded once.
extension Trait where Self == ConditionTrait {
    /// Real photos.
    public static var needsSamples: Self { needs(Samples.isAvailable, "ISOBATH_SAMPLES names no folder") }

    /// Real recordings.
    public static var needsRecordings: Self {
        needs(RecordingSamples.isAvailable, "ISOBATH_SEQUENCES names no folder")
    }

    /// Movies of two eyes.
    public static var needsMovies: Self { needs(MovieSamples.isAvailable, "ISOBATH_MOVIES names no folder") }

    /// Files that were misread once.
    public static var needsWildFiles: Self { needs(WildFiles.isAvailable, "ISOBATH_WILD names no folder") }

    /// Files made to do harm.
    public static var needsAttacks: Self {
        needs(AttackSamples.isAvailable, "ISOBATH_ATTACKS names no folder")
    }

    /// Small files, each of which showed a defect.
    public static var needsCases: Self { needs(CaseFiles.isAvailable, "ISOBATH_CASES names no folder") }

    /// Networks that others trained, and ONNX Runtime.
    public static var needsModels: Self { needs(ModelSamples.isAvailable, "ISOBATH_MODELS names no folder") }

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

    private static func needs(_ isThere: Bool, _ reason: Comment) -> Self { .enabled(if: isThere, reason) }
}
