internal import Isobath
internal import Recordings

/// The inputs of a run, one by one: named inputs, and the files and recordings of searched folders. A folder is read
/// when its turn comes, so that memory does not grow with the number of files.
struct InputSearch {
    /// A search result.
    enum Found {
        case input(Input)
        /// A folder that cannot be read.
        case failure(Input, any Error)
    }

    private struct Pending {
        var path: String
        var isNamed = false
        var isFolder: Bool?
    }

    private var pending: [Pending]
    private let isRecursive: Bool
    private let limits: DecodingLimits

    init(_ paths: [String], isRecursive: Bool, limits: DecodingLimits = DecodingLimits()) {
        self.limits = limits
        pending = paths.reversed().map { Pending(path: $0, isNamed: true) }
        self.isRecursive = isRecursive
    }

    mutating func next() -> Found? {
        while let next = pending.popLast() {
            let input = Input(path: next.path, isNamed: next.isNamed)
            guard isRecursive, next.isFolder ?? FolderEntry.isFolder(next.path) else { return .input(input) }
            do throws(ContainerError) {
                let entries = try FolderEntry.list(next.path, limits: limits)
                if Recording.isRecording(folder: next.path, listing: entries) { return .input(input) }
                for entry in entries.reversed() {
                    switch entry {
                    case .link: break
                    case .file(let path): pending.append(Pending(path: path, isFolder: false))
                    case .folder(let path): pending.append(Pending(path: path, isFolder: true))
                    }
                }
            } catch {
                return .failure(Input(path: next.path), error)
            }
        }
        return nil
    }
}

/// Whether a path is a folder of photos rather than a recording or one that contains a single recording.
func isFolderOfPhotos(_ path: String, _ limits: DecodingLimits) -> Bool {
    guard let entries = try? FolderEntry.list(path, limits: limits), !entries.isEmpty else { return false }
    return !Recording.isRecording(folder: path, listing: entries)
        && (try? Recording(storedIn: path, limits: limits)) == nil
}
