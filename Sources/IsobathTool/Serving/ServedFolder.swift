internal import Glibc
internal import Isobath
internal import Recordings

/// A folder whose photos are served, and nothing beside it: paths are followed from its own descriptor, name by name, and no name may be a
/// link. Whatever is renamed or replaced meanwhile, nothing outside is ever opened.
final class ServedFolder: Sendable {
    /// A file of the folder, open.
    struct File: Sendable {
        let source: FileSource
        /// What changes when the file does.
        let state: String
    }

    /// The path that it was opened by.
    let path: String
    private let descriptor: Int32

    /// The most photos that are listed, and how deep folders are looked into.
    static let mostPhotos = 100_000
    private static let mostLevels = 64

    /// Opens a folder. Throws with the system's message when that fails.
    init(_ path: String) throws(ContainerError) {
        self.path = path
        descriptor = unsafe path.withFileName { unsafe Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw ContainerError(.unreadable(errno: errno)) }
    }

    deinit { close(descriptor) }

    /// Opens a file by the names that lead to it; `nil` where there is none, or a link on the way.
    func file(_ names: [String], _ limits: DecodingLimits) -> File? {
        guard let name = names.last, let folder = folder(names.dropLast()) else { return nil }
        defer { close(folder) }
        let file = Self.open(name, in: folder, O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { return nil }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            return nil
        }
        let time = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        let state = "\(status.st_dev) \(status.st_ino) \(status.st_size) \(time)"
        guard let source = try? FileSource(owning: file, limits: limits) else { return nil }
        return File(source: source, state: state)
    }

    /// The paths of all files in it and below, sorted, as names; recordings and what is hidden are left out. `isComplete` is false where there
    /// are more.
    func photos() -> (paths: [[String]], isComplete: Bool) {
        var found: [[String]] = []
        var pending: [[String]] = [[]]
        while let place = pending.popLast() {
            guard let folder = folder(place[...]) else { continue }
            var folders: [[String]] = []
            for (name, isFolder) in Self.entries(of: folder) {
                guard isFolder else {
                    if found.count == Self.mostPhotos { return (found, false) }
                    found.append(place + [name])
                    continue
                }
                guard place.count < Self.mostLevels else { continue }
                let below = place + [name]
                if !Recording.isRecording(folder: ([path] + below).joined(separator: "/")) {
                    folders.append(below)
                }
            }
            pending += folders.reversed()
        }
        return (found, true)
    }

    /// A descriptor of a folder below.
    private func folder(_ names: ArraySlice<String>) -> Int32? {
        var folder = Self.open(".", in: descriptor, O_DIRECTORY)
        for name in names where folder >= 0 {
            let next = Self.open(name, in: folder, O_DIRECTORY)
            close(folder)
            folder = next
        }
        return folder >= 0 ? folder : nil
    }

    private static func open(_ name: String, in folder: Int32, _ flags: Int32) -> Int32 {
        unsafe name.withFileName { unsafe openat(folder, $0, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags) }
    }

    /// The files and folders of a folder, sorted by name, hidden ones and links left out. Closes the descriptor.
    private static func entries(of folder: Int32) -> [(name: String, isFolder: Bool)] {
        guard let stream = unsafe fdopendir(folder) else {
            close(folder)
            return []
        }
        defer { unsafe closedir(stream) }
        var entries: [(name: String, isFolder: Bool)] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: UInt8.self, capacity: 256) {
                    unsafe String(
                        fileNameBytes: UnsafeBufferPointer(start: $0, count: 256).prefix { $0 != 0 })
                }
            }
            var status = stat()
            guard !name.hasPrefix("."),
                unsafe name.withFileName({ unsafe fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0
            else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: entries.append((name, true))
            case S_IFREG: entries.append((name, false))
            default: break
            }
        }
        return entries.sorted { $0.name < $1.name }
    }
}
