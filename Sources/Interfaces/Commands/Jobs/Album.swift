internal import Glibc
internal import Isobath
internal import Pages
internal import Recordings

/// The paths of an album, the pages of a folder of photos and recordings: each page has its photo's relative path,
/// followed by `.html`.
struct Album: Sendable {
    /// The folder of photos.
    var source: String
    /// The folder of pages.
    var output: String

    /// The folder of thumbnails in the folder of pages.
    static let thumbnails = "thumbnails"
    /// The folder of small pictures of depth in the folder of pages.
    static let depths = "depths"
    /// Pixels on the longer side of the small pictures.
    static let thumbnailSide = 480
    /// The name of the first page.
    static let index = "index.html"

    /// The path of a photo relative to the source folder.
    private func relative(_ photo: String) -> String {
        let root = source.hasSuffix("/") ? source : source + "/"
        return photo.hasPrefix(root) ? String(photo.dropFirst(root.count)) : photo.lastPathComponent
    }

    /// The path of a photo's page relative to the output folder.
    func page(of photo: String) -> String { relative(photo) + ".html" }

    /// The path of a photo's thumbnail relative to the output folder.
    func thumbnail(of photo: String) -> String { "\(Self.thumbnails)/\(relative(photo)).jpg" }

    /// The path of the small picture of a photo's depth relative to the output folder.
    func depth(of photo: String) -> String { "\(Self.depths)/\(relative(photo)).jpg" }

    /// The path of a file in the output folder.
    func path(_ file: String) -> String { OutputDestination.path(in: output, named: file) }

    /// The path of the first page.
    var indexPath: String { path(Self.index) }

    /// The relative link from a photo's page to the first page.
    func wayBack(from photo: String) -> String {
        String(repeating: "../", count: relative(photo).count { $0 == "/" }) + Self.index
    }

    /// All files in the folder and its subfolders, sorted, without the album itself. A folder below that is a recording is
    /// listed instead of its files. Folders that cannot be read go to `fail`.
    func inputs(_ fail: (String, any Error) throws -> Void) throws -> [String] {
        var inputs: [String] = []
        let own = [output, path(Self.thumbnails), path(Self.depths)].compactMap(FileIdentity.init(path:))
        var pending = [source]
        while let folder = pending.popLast() {
            do {
                var folders: [String] = []
                let entries = try FolderEntry.list(folder)
                if folder != source, Recording.isRecording(folder: folder, listing: entries) {
                    inputs.append(folder)
                    continue
                }
                for entry in entries {
                    switch entry {
                    case .link: break
                    case .file(let path): inputs.append(path)
                    case .folder(let path):
                        if let folder = FileIdentity(path: path), own.contains(folder) { continue }
                        folders.append(path)
                    }
                }
                pending += folders.reversed()
            } catch {
                try fail(folder, error)
            }
        }
        return inputs
    }

    /// Makes the folders of a photo's page and small pictures.
    func makeFolders(of photo: String) throws(OutputError) {
        for file in [page(of: photo), depth(of: photo), thumbnail(of: photo)] {
            try OutputFile.makeFolder(path(file).folderPath)
        }
    }

    /// Writes the first page, which lists photos whose page contains an entry. Returns how many there are, for
    /// people.
    func writeIndex(of photos: [String], _ options: PageOptions) throws -> String {
        var entries: [AlbumPage.Photo] = []
        for photo in photos {
            let (page, depth) = (page(of: photo), depth(of: photo))
            guard let entry = entry(page) else { continue }
            let hasDepth = entry.hasDepth && FileIdentity(path: path(depth)) != nil
            entries.append(
                AlbumPage.Photo(
                    entry, page: page, thumbnail: thumbnail(of: photo), depth: hasDepth ? depth : nil))
        }
        let name = source.lastPathComponent
        let album = AlbumPage(title: name.isEmpty ? "Photos" : name, entries, options: options)
        try OutputFile(path: indexPath, replacesExisting: true).write(bytes: album.bytes)
        return album.contents
    }

    /// The album entry stored in a page; `nil` if the file or its entry is missing.
    private func entry(_ file: String) -> AlbumEntry? {
        guard let file = try? FileSource(path: path(file), limits: DecodingLimits()),
            let head = try? file.readPrefix(at: 0, count: AlbumEntry.headSize)
        else { return nil }
        return AlbumEntry(head: head)
    }
}
