internal import Isobath

/// Files that phones and computers store beside photos. A batch skips them, with one remark for each kind.
struct Bystanders {
    /// The kind of such a file.
    enum Kind: String {
        case edits = "a list of edits (AAE)"
        case appleDouble = "attributes that macOS keeps (AppleDouble)"
        case folderData = "data of a file browser"
        case livePhoto = "the movie of a Live Photo"
        case page = "a web page"

        /// The remark on the first of `count` files.
        fileprivate func remark(count: Int) -> String {
            "skipped: it is \(rawValue)"
                + (count == 1
                    ? "" : count == 2 ? ", as is another input" : ", as are \(count - 1) other inputs")
        }
    }

    /// Their paths, and a remark each; empty for all but the first of a kind.
    private(set) var remarks: [(path: String, remark: String)] = []
    /// All other inputs.
    private(set) var others: [String]

    /// Recognizes them by name, then checks their contents if the name matches. A single input was named on purpose,
    /// so it is never skipped.
    init(among inputs: [String]) {
        others = inputs
        guard inputs.count > 1 else { return }
        let photos = Set(
            inputs.filter { Self.photoExtensions.contains($0.pathExtension) }.map(Self.stem))
        let kinds = inputs.map { Self.kind(of: $0, besidePhotos: photos) }
        others = zip(inputs, kinds).filter { $0.1 == nil }.map(\.0)
        var counts = Dictionary(grouping: kinds.compactMap(\.self)) { $0 }.mapValues(\.count)
        for (path, kind) in zip(inputs, kinds) {
            guard let kind else { continue }
            let count = counts.removeValue(forKey: kind)
            remarks.append((path, count.map { kind.remark(count: $0) } ?? ""))
        }
    }

    private static let photoExtensions: Set<String> = ["heic", "heif", "jpg", "jpeg", "dng"]

    private static func stem(_ path: String) -> String {
        String(path.dropLast(path.pathExtension.utf8.count)).lowercased()
    }

    private static func kind(of path: String, besidePhotos photos: Set<String>) -> Kind? {
        let name = path.lastPathComponent
        if name.hasPrefix("._") { return starts(path, [[0, 5, 0x16, 7]]) ? .appleDouble : nil }
        if name.isOfFileSystem { return .folderData }
        switch path.pathExtension {
        case "aae": return starts(path, [Array("<?xml".utf8), Array("bplist".utf8)]) ? .edits : nil
        case "mov": return photos.contains(stem(path)) ? .livePhoto : nil
        case "html", "htm":
            return starts(path, [Array("<!doctype html".utf8), Array("<!DOCTYPE html".utf8)]) ? .page : nil
        default: return nil
        }
    }

    /// Whether a file begins with one of these byte sequences.
    private static func starts(_ path: String, _ beginnings: [[UInt8]]) -> Bool {
        guard let file = try? FileSource(path: path, limits: DecodingLimits()) else { return false }
        return beginnings.contains { (try? file.readPrefix(at: 0, count: $0.count)) == $0 }
    }
}
