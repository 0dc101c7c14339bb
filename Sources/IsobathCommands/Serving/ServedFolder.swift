internal import Isobath
internal import Recordings

/// A folder whose photos and recordings are served, and nothing outside of it: see ``OpenFolder``.
struct ServedFolder: Sendable {
    /// An item of the folder that has a page.
    struct Item: Sendable {
        /// Its path relative to the folder.
        let path: String
        /// Its bytes; `nil` for a recording that is a folder.
        let file: FileSource?
        /// Text that changes when the item changes. For a recording, only changes of the names in its folder are
        /// detected.
        let state: String
    }

    /// The contents of the folder and its subfolders, sorted by path.
    struct Listing {
        /// Files and recordings.
        var paths: [String] = []
        /// Whether `paths` lists all of them.
        var isComplete = true
    }

    /// The path under which it was opened.
    let path: String
    private let folder: OpenFolder
    /// Whether recordings are served, too.
    private let hasRecordings: Bool

    /// The most photos that are listed, and the most levels of subfolders.
    static let mostPhotos = 100_000
    private static let mostLevels = 64

    /// Opens a folder. Throws the system's message on failure.
    init(_ path: String, hasRecordings: Bool) throws(ContainerError) {
        self.path = path
        self.hasRecordings = hasRecordings
        folder = try OpenFolder(path)
    }

    /// The item at a path; `nil` if it has no page, or if the path contains a link or a hidden name.
    func item(_ path: String, _ limits: DecodingLimits) -> Item? {
        guard !path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) else { return nil }
        if let file = try? folder.file(path, limits: limits) {
            return Item(path: path, file: file, state: file.state)
        }
        guard hasRecordings, let entries = try? folder.list(path),
            ListedRecording.isRecording(folder: path, listing: entries, below: folder),
            let state = try? folder.state(path)
        else { return nil }
        return Item(path: path, file: nil, state: state)
    }

    /// The item as an input.
    func input(_ item: Item, _ limits: DecodingLimits) -> Input {
        var input = Input(path: item.path)
        guard let file = item.file else {
            input.root = folder
            return input
        }
        input.source = file
        for path in DepthScene.depthImages(beside: item.path) {
            guard let image = try? folder.file(path, limits: limits) else { continue }
            input.depthImage = (path.lastPathComponent, image)
            break
        }
        return input
    }

    /// All files in it and its subfolders, and recordings; hidden files are omitted.
    func listing() -> Listing {
        var listing = Listing()
        var pending = [""]
        while let place = pending.popLast() {
            guard let entries = try? folder.list(place) else { continue }
            if ListedRecording.isRecording(folder: place, listing: entries, below: folder) {
                if hasRecordings, !place.isEmpty { listing.paths.append(place) }
                if !place.isEmpty { continue }
            }
            var folders: [String] = []
            for entry in entries {
                switch entry {
                case .file(let path):
                    guard !path.lastPathComponent.hasPrefix(".") else { continue }
                    guard listing.paths.count < Self.mostPhotos else {
                        listing.isComplete = false
                        return listing
                    }
                    listing.paths.append(path)
                case .folder(let path):
                    guard !path.lastPathComponent.hasPrefix("."),
                        path.count(where: { $0 == "/" }) < Self.mostLevels
                    else { continue }
                    folders.append(path)
                }
            }
            pending += folders.reversed()
        }
        return listing
    }
}
