internal import Isobath
internal import Recordings

/// A folder whose photos and recordings are served, and nothing beside it: see ``OpenFolder``.
struct ServedFolder: Sendable {
    /// Something of the folder that has a page.
    struct Item: Sendable {
        /// Its path from the folder.
        let path: String
        /// Its bytes; `nil` for a recording, which is a folder.
        let file: FileSource?
        /// What changes when it does. Of a recording, only changes of the names in its folder are seen.
        let state: String
    }

    /// What there is in the folder and below, by its path, in order.
    struct Listing {
        /// Files and recordings.
        var paths: [String] = []
        /// Whether these are all.
        var isComplete = true
    }

    /// The path that it was opened by.
    let path: String
    private let folder: OpenFolder
    /// Whether recordings are served, too.
    private let hasRecordings: Bool

    /// The most photos that are listed, and how deep folders are looked into.
    static let mostPhotos = 100_000
    private static let mostLevels = 64

    /// Opens a folder. Throws with the system's message when that fails.
    init(_ path: String, hasRecordings: Bool) throws(ContainerError) {
        self.path = path
        self.hasRecordings = hasRecordings
        folder = try OpenFolder(path)
    }

    /// What is at a path; `nil` where there is nothing that has a page, or a link or a hidden name on the way.
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

    /// All files in it and below, and recordings; what is hidden is left out.
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
