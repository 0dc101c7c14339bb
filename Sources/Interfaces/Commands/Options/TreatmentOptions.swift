internal import ArgumentParser
internal import Isobath

/// The processing of depth between reading and use.
struct TreatmentOptions: FlagGroup {
    static let kinds: FlagKinds = [
        "min-confidence": .stills, "dequantize": .stills, "no-dequantize": .stills, "fill-holes": .stills,
        "no-fill-holes": .stills, "smooth": .stills, "no-smooth": .stills, "upsample": .all,
    ]

    /// In subcommands that treat the depth of frames, too.
    static let kindsWithFrames = kinds.mapValues { _ in InputKinds.all }

    @Option(
        help: ArgumentHelp("Make samples unknown whose stored confidence is less than N.", valueName: "n"))
    var minConfidence: Int?

    @Flag(
        inversion: .prefixedNo, exclusivity: .exclusive,
        help:
            "Remove the steps of 8-bit depth; no sample moves by more than half a step (default: on for clouds, meshes and blur)."
    )
    var dequantize: Bool?

    @Flag(
        inversion: .prefixedNo, exclusivity: .exclusive,
        help:
            "Fill unknown samples from behind, along the photo's edges (default: on for meshes of stereo pairs)."
    )
    var fillHoles: Bool?

    @Flag(
        inversion: .prefixedNo, exclusivity: .exclusive,
        help: "Smooth depth without blurring its edges (default: on for meshes of stereo pairs).")
    var smooth: Bool?

    @Flag(help: "Bring depth and mattes to the photo's size, with edges that follow the photo.")
    var upsample = false

    func validate() throws {
        if let minConfidence, minConfidence < 0 {
            throw ValidationError("--min-confidence is \(minConfidence); it must be 0 or more")
        }
    }

    /// The name of a given flag that changes samples; `nil` without one.
    var given: String? {
        [
            ("min-confidence", minConfidence != nil), ("dequantize", dequantize == true),
            ("no-dequantize", dequantize == false), ("fill-holes", fillHoles == true),
            ("no-fill-holes", fillHoles == false),
            ("smooth", smooth == true), ("no-smooth", smooth == false),
        ].first(where: \.1)?.0
    }

    /// The flags as the library takes them.
    var treatment: MapTreatment {
        var treatment = MapTreatment()
        treatment.minimumConfidence = minConfidence
        treatment.dequantizes = dequantize ?? false
        treatment.fillsHoles = fillHoles ?? false
        treatment.smooths = smooth ?? false
        return treatment
    }
}
