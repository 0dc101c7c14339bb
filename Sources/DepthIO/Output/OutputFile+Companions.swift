internal import Glibc
internal import ImageCodecs

/// A small file that is written beside another one.
struct Companion {
    let file: OutputFile
    let bytes: [UInt8]
}

extension OutputFile {
    /// Calls `body` with a descriptor, and publishes what it wrote together with some companions: all files are complete
    /// before the first appears, and this one appears last.
    func write(
        with companions: [Companion], _ body: (Int32) throws(EncodingError) -> Void
    ) throws(OutputError) {
        var published: [OutputFile] = []
        do throws(OutputError) {
            try write { (descriptor) throws(EncodingError) in
                try body(descriptor)
                do throws(OutputError) {
                    try Self.write(companions[...], &published)
                } catch {
                    throw .unsuitable("\(error.path): \(error.message)")
                }
            }
        } catch {
            for file in published where !file.replacesExisting { _ = unsafe unlink(file.path) }
            throw error
        }
    }

    /// Writes files each inside the writing of the one before.
    private static func write(
        _ companions: ArraySlice<Companion>, _ published: inout [OutputFile]
    ) throws(OutputError) {
        guard let first = companions.first else { return }
        try first.file.write { (descriptor) throws(EncodingError) in
            try write(first.bytes, to: descriptor)
            do throws(OutputError) {
                try write(companions.dropFirst(), &published)
            } catch {
                throw .unsuitable("\(error.path): \(error.message)")
            }
        }
        published.append(first.file)
    }
}
