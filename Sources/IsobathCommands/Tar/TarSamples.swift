internal import Isobath

/// The photos of a tar file, one for each key.
///
/// A key is the path of a member up to the first dot of its last component, as WebDataset has it; members of one sample follow
/// each other. The photo is the first member that is named like one. Others, such as captions, are passed over.
struct TarSamples {
    /// A photo.
    struct Sample {
        var key: String
        /// The member's path.
        var name: String
        var bytes: [UInt8]

        /// The folder in front of the key, with its slash; empty for none.
        var folder: String { key.lastIndex(of: "/").map { String(key[...$0]) } ?? "" }
    }

    /// What stands next in the file.
    enum Next {
        case sample(Sample)
        /// A member that is not taken, or the file itself where the rest of it cannot be read.
        case refused(name: String, any Error)
    }

    private var reader: TarReader
    private let name: String
    private var lastKey: String?
    private var isAtEnd = false

    init(_ descriptor: Int32, name: String, limits: DecodingLimits) {
        reader = TarReader(descriptor, limits: limits)
        self.name = name
    }

    /// The next photo, or why there is none; `nil` at the end.
    mutating func next() -> Next? {
        while !isAtEnd {
            let lastKey = lastKey
            do throws(ContainerError) {
                let member = try reader.next { name in Self.isPhoto(name) && Self.key(of: name) != lastKey }
                guard let member else { break }
                if let refusal = member.refusal { return .refused(name: member.name, refusal) }
                let key = Self.key(of: member.name)
                guard Self.isPhoto(member.name), key != lastKey else { continue }
                self.lastKey = key
                return .sample(Sample(key: key, name: member.name, bytes: member.bytes))
            } catch {
                isAtEnd = true
                return .refused(name: name, error)
            }
        }
        isAtEnd = true
        return nil
    }

    /// The part of a member's path in front of the first dot of its last component.
    static func key(of name: String) -> String {
        let start = name.lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex
        return String(name[..<(name[start...].firstIndex(of: ".") ?? name.endIndex)])
    }

    /// Whether a member is named like a photo or a depth raster: `KEY.EXTENSION`.
    private static func isPhoto(_ name: String) -> Bool {
        let parts = name.lastPathComponent.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && extensions.contains(parts[1].lowercased())
    }

    private static let extensions: Set<String> = [
        "heic", "heif", "hif", "avif", "jpg", "jpeg", "jpe", "mpo", "jps", "jxl", "dng", "png", "tif", "tiff",
        "exr", "pfm", "npy", "npz", "pgm",
    ]
}
