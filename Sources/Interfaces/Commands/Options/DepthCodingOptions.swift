public import ArgumentParser
public import Isobath

/// How a map is quantized to integers inside a photo.
struct DepthCodingOptions: FlagGroup {
    static let kinds: FlagKinds = ["bits": .all]

    @Option(
        help: ArgumentHelp(
            "Bits of a stored sample, 8 or 16 (default: 8); maps of 8 bits keep theirs.", valueName: "n"))
    var bits: Int?

    func validate() throws {
        if let bits, ![8, 16].contains(bits) {
            throw ValidationError("--bits is \(bits); it must be 8 or 16")
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
