internal import ArgumentParser
internal import Isobath

/// What is done to a map between reading and writing.
struct TreatmentOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Make samples of less confidence unknown.", valueName: "code"))
    var minConfidence: Int?

    @Flag(help: "Remove the staircase of 8-bit codes; no sample moves by more than half a step.")
    var dequantize = false

    @Flag(help: "Fill unknown samples from their neighbors.")
    var fillHoles = false

    @Flag(help: "Smooth without blurring edges.")
    var smooth = false

    @Flag(help: "Write depth and mattes at the photo's size, edges following the photo.")
    var upsample = false

    @Option(help: ArgumentHelp("Color a preview.", valueName: "name"))
    var colormap: ColorMap?

    @Flag(help: "Spread the shades of a preview evenly.")
    var equalize = false

    func validate() throws {
        if let minConfidence, minConfidence < 0 {
            throw ValidationError("'--min-confidence' must not be negative.")
        }
    }

    /// The flags that concern samples.
    var treatment: MapTreatment {
        var treatment = MapTreatment()
        treatment.minimumConfidence = minConfidence
        treatment.dequantizes = dequantize
        treatment.fillsHoles = fillHoles
        treatment.smooths = smooth
        treatment.upsamples = upsample
        return treatment
    }

    /// Whether a preview is asked for.
    var isForPreview: Bool { colormap != nil || equalize }

    /// Whether no flag is given.
    var isEmpty: Bool { treatment.isEmpty && !isForPreview }

    /// Whether no flag is given but `--upsample`.
    var isOnlyUpsampling: Bool {
        var rest = treatment
        rest.upsamples = false
        return rest.isEmpty && !isForPreview
    }
}
