internal import ArgumentParser
internal import Isobath

/// What is done to a map between reading and its use.
struct TreatmentOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Make samples of less confidence unknown.", valueName: "code"))
    var minConfidence: Int?

    @Flag(help: "Remove the staircase of 8-bit codes; no sample moves by more than half a step.")
    var dequantize = false

    @Flag(help: "Fill unknown samples from their neighbors.")
    var fillHoles = false

    @Flag(help: "Smooth without blurring edges.")
    var smooth = false

    func validate() throws {
        if let minConfidence, minConfidence < 0 {
            throw ValidationError("'--min-confidence' must not be negative.")
        }
    }

    /// The flags as the library takes them.
    var treatment: MapTreatment {
        var treatment = MapTreatment()
        treatment.minimumConfidence = minConfidence
        treatment.dequantizes = dequantize
        treatment.fillsHoles = fillHoles
        treatment.smooths = smooth
        return treatment
    }
}
