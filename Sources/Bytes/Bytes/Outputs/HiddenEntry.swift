internal import CSystemShims
internal import Glibc
internal import Synchronization

/// A file or folder with a hidden name, `.isobath-PID-N`, in the folder where an output will appear.
///
/// As long as it exists, its process holds a lock on it (`flock`), so that the next run can distinguish it from what
/// a killed run left.
struct HiddenEntry {
    let path: String
    /// The open file or folder, which holds the lock.
    let descriptor: Int32

    /// Makes an entry: `make` gets its path, and returns a descriptor, or -1 and `errno`.
    init(in folder: String, _ make: (UnsafePointer<CChar>) -> Int32) throws(WriteError) {
        while true {
            let path = Self.path(in: folder)
            let descriptor = unsafe path.withFileName { unsafe make($0) }
            guard descriptor >= 0 else { throw .system(errno) }
            // It fails if another run treats the new entry as a leftover before it is locked.
            if unsafe path.withFileName({ unsafe isobath_lock_hidden(descriptor, $0) }) == 0 {
                (self.path, self.descriptor) = (path, descriptor)
                return
            }
            close(descriptor)
        }
    }

    /// A new name. It is short, because the output's name may already have the maximum of 255 bytes.
    static func path(in folder: String) -> String {
        "\(folder)/.isobath-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    }
}

/// A folder where this process makes incomplete outputs. A signal that ends the process removes them first, if the
/// process has called `isobath_clean_up_on_signals`.
package final class WatchedFolder: Sendable {
    private let number: Int32

    /// Removes what killed runs left in a folder, once per process, and watches it.
    package init(_ path: String) {
        let isNew = Self.cleaned.withLock { paths in
            if paths.count == Self.mostPaths { paths.removeAll() }
            return paths.insert(path).inserted
        }
        if isNew { Self.removeLeftovers(in: path) }
        number = unsafe path.withFileName { unsafe isobath_watch_folder($0) }
    }

    deinit { isobath_unwatch_folder(number) }

    /// Removes what ended runs left in a folder.
    package static func removeLeftovers(in path: String) {
        unsafe path.withFileName { unsafe isobath_remove_leftovers($0) }
    }

    private static let cleaned = Mutex<Set<String>>([])
    private static let mostPaths = 10_000
}

/// The permissions of new files and folders.
package enum NewFileMode {
    private static let mask = Atomic<UInt32>(0)

    /// Applies the process's umask here instead of in the kernel, so that a file can be made with exactly the permissions
    /// of the one that it replaces. For a process that cannot change permissions later.
    package static func takeUmask() { mask.store(umask(0), ordering: .relaxed) }

    /// Permissions without those that the umask excludes.
    static func masked(_ mode: mode_t) -> mode_t { mode & ~mask.load(ordering: .relaxed) }
}
