public import ArgumentParser
public import Isobath

/// How a map is quantized to integers inside a photo.
struct DepthCodingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Bits of a stored sample, 8 or 16 (default: 8); maps of 8 bits keep theirs.", valueName: "n"))
    var bits: Int?

    @Option(
        help: ArgumentHelp(
            "Code planes as lossy baseline JPEG of this quality, 1 to 100 (default: lossless).",
            valueName: "q"))
    var planeQuality: Int?

    func validate() throws {
        if let bits, ![8, 16].contains(bits) {
            throw ValidationError("--bits is \(bits); it must be 8 or 16")
        }
        if let planeQuality, !(1...100).contains(planeQuality) {
            throw ValidationError("--plane-quality is \(planeQuality); it must be 1 to 100")
        }
        if bits == 16, planeQuality != nil {
            throw ValidationError("--plane-quality has no effect with --bits 16")
        }
    }

    /// The flags as the library takes them.
    var coding: DepthCoding {
        var coding = DepthCoding()
        coding.bitDepth = bits ?? 8
        return coding
    }
}

extension DepthForm: ExpressibleByArgument {}
