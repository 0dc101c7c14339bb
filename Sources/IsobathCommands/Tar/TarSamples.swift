internal import Isobath

/// The photos of a tar file, one for each key.
///
/// A key is a member's path up to the first dot of its last component, as in WebDataset. Members of one sample are
/// adjacent. The photo is the first member with a photo's extension; others, such as captions, are skipped.
struct TarSamples {
    /// A photo.
    struct Sample {
        var key: String
        /// The member's path.
        var name: String
        var bytes: [UInt8]

        /// The folder of the key, with a slash at its end; empty if missing.
        var folder: String { key.lastIndex(of: "/").map { String(key[...$0]) } ?? "" }
    }

    /// The next item in the file.
    enum Next {
        case sample(Sample)
        /// A refused member, or the tar file itself if the rest of it cannot be read.
        case refused(name: String, any Error)
    }

    private var reader: TarReader
    private let name: String
    private var last: (key: String, name: String)?
    /// The keys of all photos so far. Outputs of a repeated key would replace the outputs of the first.
    private var keys: Set<String> = []
    private var isAtEnd = false
    /// Whether the rest could not be read.
    private var isDamaged = false

    /// Why no photo was found; `nil` if there was one.
    var absence: String? {
        guard keys.isEmpty, !isDamaged else { return nil }
        return switch reader.memberCount {
        case 0: "the tar file has no members"
        case let count:
            "\(count) member\(count == 1 ? "" : "s"), and no photo: those are named KEY.heic, KEY.jpg, …, with one dot"
        }
    }

    init(_ descriptor: Int32, name: String, limits: DecodingLimits) {
        reader = TarReader(InputStream(descriptor) { false }, limits: limits)
        self.name = name
    }

    /// The next photo, or why it is missing; `nil` at the end.
    mutating func next() -> Next? {
        // Move the keys out, so that they are not copied while they are searched and extended.
        var keys: Set<String> = []
        swap(&keys, &self.keys)
        defer { swap(&keys, &self.keys) }
        while !isAtEnd {
            do throws(ContainerError) {
                let member = try reader.next { name in
                    Self.isPhoto(name) && !keys.contains(Self.key(of: name))
                }
                guard let member else { break }
                if let refusal = member.refusal { return .refused(name: member.name, refusal) }
                guard Self.isPhoto(member.name) else { continue }
                let key = Self.key(of: member.name)
                guard keys.insert(key).inserted else {
                    // Skip another form of the same photo, directly after it.
                    if let last, last.key == key, last.name != member.name { continue }
                    return .refused(
                        name: member.name,
                        ContainerError(
                            .malformed(
                                rule:
                                    "an earlier photo has the key '\(key)', too; the outputs of this one would replace those of the first"
                            )))
                }
                last = (key, member.name)
                return .sample(Sample(key: key, name: member.name, bytes: member.bytes))
            } catch {
                (isAtEnd, isDamaged) = (true, true)
                return .refused(name: name, error)
            }
        }
        isAtEnd = true
        return nil
    }

    /// A member's path up to the first dot of its last component.
    static func key(of name: String) -> String {
        let start = name.lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex
        return String(name[..<(name[start...].firstIndex(of: ".") ?? name.endIndex)])
    }

    /// Whether a member has the extension of a photo or a depth raster: `KEY.EXTENSION`.
    private static func isPhoto(_ name: String) -> Bool {
        let parts = name.lastPathComponent.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && extensions.contains(parts[1].lowercased())
    }

    private static let extensions: Set<String> = [
        "heic", "heif", "hif", "avif", "jpg", "jpeg", "jpe", "mpo", "jps", "jxl", "dng", "png", "tif", "tiff",
        "exr", "pfm", "npy", "npz", "pgm", "hdf5", "h5",
    ]
}
