internal import ArgumentParser
internal import Isobath

/// `--limit-NAME N` for every limit of ``DecodingLimits``.
struct LimitOptions: ParsableArguments {
    @Option(name: .customLong("limit-input-bytes"), help: Self.help(.inputBytes)) var inputBytes: Int?
    @Option(name: .customLong("limit-pixels"), help: Self.help(.pixels)) var pixels: Int?
    @Option(name: .customLong("limit-coded-bytes"), help: Self.help(.codedBytes)) var codedBytes: Int?
    @Option(name: .customLong("limit-metadata-bytes"), help: Self.help(.metadataBytes)) var metadataBytes:
        Int?
    @Option(name: .customLong("limit-xmp-bytes"), help: Self.help(.xmpBytes)) var xmpBytes: Int?
    @Option(name: .customLong("limit-xml-depth"), help: Self.help(.xmlDepth)) var xmlDepth: Int?
    @Option(name: .customLong("limit-xml-nodes"), help: Self.help(.xmlNodes)) var xmlNodes: Int?
    @Option(name: .customLong("limit-base64-bytes"), help: Self.help(.base64Bytes)) var base64Bytes: Int?
    @Option(name: .customLong("limit-items"), help: Self.help(.items)) var items: Int?
    @Option(name: .customLong("limit-properties"), help: Self.help(.properties)) var properties: Int?
    @Option(name: .customLong("limit-extents"), help: Self.help(.extents)) var extents: Int?
    @Option(name: .customLong("limit-references"), help: Self.help(.references)) var references: Int?
    @Option(name: .customLong("limit-nesting"), help: Self.help(.nesting)) var nesting: Int?
    @Option(name: .customLong("limit-tiles"), help: Self.help(.tiles)) var tiles: Int?
    @Option(name: .customLong("limit-segments"), help: Self.help(.segments)) var segments: Int?
    @Option(name: .customLong("limit-scans"), help: Self.help(.scans)) var scans: Int?
    @Option(name: .customLong("limit-images"), help: Self.help(.images)) var images: Int?
    @Option(name: .customLong("limit-directory-entries"), help: Self.help(.directoryEntries))
    var directoryEntries: Int?
    @Option(name: .customLong("limit-trailer-entries"), help: Self.help(.trailerEntries))
    var trailerEntries: Int?
    @Option(name: .customLong("limit-frames"), help: Self.help(.frames)) var frames: Int?
    @Option(name: .customLong("limit-model-bytes"), help: Self.help(.modelBytes)) var modelBytes: Int?
    @Option(name: .customLong("limit-tensor-bytes"), help: Self.help(.tensorBytes)) var tensorBytes: Int?
    @Option(name: .customLong("limit-memory-bytes"), help: Self.help(.memoryBytes)) var memoryBytes: Int?
    @Option(name: .customLong("limit-seconds"), help: Self.help(.seconds)) var seconds: Int?

    private static func help(_ name: DecodingLimits.Name) -> ArgumentHelp {
        ArgumentHelp(
            "Most \(name.noun) (default: \(name.defaultValue)).", valueName: "n", visibility: .hidden)
    }

    private var given: [(DecodingLimits.Name, Int?)] {
        [
            (.inputBytes, inputBytes), (.pixels, pixels), (.codedBytes, codedBytes),
            (.metadataBytes, metadataBytes),
            (.xmpBytes, xmpBytes), (.xmlDepth, xmlDepth), (.xmlNodes, xmlNodes), (.base64Bytes, base64Bytes),
            (.items, items), (.properties, properties), (.extents, extents), (.references, references),
            (.nesting, nesting),
            (.tiles, tiles), (.segments, segments), (.scans, scans), (.images, images),
            (.directoryEntries, directoryEntries), (.trailerEntries, trailerEntries), (.frames, frames),
            (.modelBytes, modelBytes), (.tensorBytes, tensorBytes), (.memoryBytes, memoryBytes),
            (.seconds, seconds),
        ]
    }

    /// The limits as given, the rest at their defaults.
    var limits: DecodingLimits {
        var limits = DecodingLimits()
        for case (let name, let value?) in given { limits[name] = value }
        return limits
    }

    func validate() throws {
        for case (let name, let value?) in given where value < 0 {
            throw ValidationError("'--limit-\(name.rawValue)' must not be negative.")
        }
        for case (let name, let value?) in given where value > name.maximum {
            throw ValidationError(
                "'--limit-\(name.rawValue)' is \(name.maximum) at most: deeper structures do not fit the stack."
            )
        }
    }
}
