import Bytes

/// One thing to fuzz, and how seeds for it are cut out of a picture.
struct Target: Sendable {
    let name: String
    /// Reads bytes from outside, and traps where that breaks a promise.
    let run: @Sendable ([UInt8]) -> Void
    /// The parts of a file that this target may start from.
    let seeds: @Sendable (_ file: Picture) -> [[UInt8]]

    /// libFuzzer calls back without a context.
    nonisolated(unsafe) static var running: Target?

    static let all: [Target] =
        containers + metadata + vendors + rasters + recordings + editing + streams + protocols + [
            losslessJPEG, photo, raster,
        ]
}

/// A file that seeds are cut from.
struct Picture: Sendable {
    let name: String
    let bytes: [UInt8]

    func isNamed(_ endings: String...) -> Bool { endings.contains { name.hasSuffix($0) } }
}
