public import ArgumentParser
public import Isobath

/// How a map becomes codes.
struct DepthCodingOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The nearest distance: nearer samples are clipped; a map without a unit has it at its nearest value.",
            valueName: "meters"), transform: decimal)
    var near: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The farthest distance: farther samples are clipped; a map without a unit has it at its farthest value.",
            valueName: "meters"), transform: decimal)
    var far: Double?

    @Option(
        help: ArgumentHelp(
            "Bits of a code, 8 or 16 (default: 8); maps of 8 bits keep theirs.", valueName: "n"))
    var bits: Int?

    @Option(
        help: ArgumentHelp(
            "Code planes as baseline JPEG of this quality, 1 to 100, as cameras do; without it, exactly.",
            valueName: "q"))
    var planeQuality: Int?

    @Flag(help: "Fill unknown samples of the map from their neighbors.")
    var fillHoles = false

    func validate() throws {
        for (name, value) in [("near", near), ("far", far)] {
            guard let value, !(value > 0 && value.isFinite) else { continue }
            throw ValidationError("'--\(name)' must be a positive number of meters.")
        }
        if let near, let far, near >= far { throw ValidationError("'--near' must be less than '--far'.") }
        guard [nil, 8, 16].contains(bits) else { throw ValidationError("'--bits' is 8 or 16.") }
        if let planeQuality, !(1...100).contains(planeQuality) {
            throw ValidationError("'--plane-quality' is 1 to 100.")
        }
        if bits == 16, planeQuality != nil {
            throw ValidationError("--plane-quality is for codes of 8 bits.")
        }
    }

    /// Whether none of the flags is given.
    var isEmpty: Bool { near == nil && far == nil && bits == nil && planeQuality == nil && !fillHoles }

    /// The flags as the library takes them.
    var coding: DepthCoding {
        var coding = DepthCoding()
        (coding.bitDepth, coding.near, coding.far) = (bits ?? 8, near, far)
        coding.treatment.fillsHoles = fillHoles
        return coding
    }
}

extension DepthForm: ExpressibleByArgument {}
