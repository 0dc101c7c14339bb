internal import CSystemShims

/// How this copy of Isobath was installed, judging by the file that its code was loaded from. Messages name what can be
/// installed in the same way.
package enum Installation: Hashable, Sendable {
    /// Built in a clone.
    case clone
    /// By the wheel, into a Python environment.
    case wheel(prefix: String)
    /// From the tarball, or in the container.
    case folder(prefix: String)
    /// In a system's folder for libraries, as by Debian's package.
    case system
    /// Part of another program, or unknown.
    case other

    /// The installation of this process.
    package static let current = Installation(of: ownFile)

    /// The installation that a file belongs to.
    init(of file: String?) {
        guard let file, let slash = file.lastIndex(of: "/") else {
            self = .other
            return
        }
        let folder = String(file[..<slash])
        if !file[slash...].hasPrefix("/libisobath.so.") {
            self = folder.split(separator: "/").contains(".build") ? .clone : .other
        } else if folder.hasSuffix("/libexec/isobath") {
            // The path may contain links, so the folders above are found by the system.
            let prefix = folder + "/../.."
            let isWheel = Self.file("isobath_depth-*.dist-info", ofPythonPackagesAt: prefix) != nil
            self = isWheel ? .wheel(prefix: prefix) : .folder(prefix: prefix)
        } else {
            // The dynamic linker may know /usr/lib as /lib.
            self = folder.hasPrefix("/usr/lib") || folder.hasPrefix("/lib") ? .system : .other
        }
    }

    private static var ownFile: String? {
        unsafe path { unsafe isobath_own_file($0) }
    }

    /// A file that Python packages installed into the same environment, by a shell pattern below their folder; `nil` if
    /// it does not exist.
    package func file(ofPythonPackages pattern: String) -> String? {
        switch self {
        case .wheel(let prefix), .folder(let prefix): Self.file(pattern, ofPythonPackagesAt: prefix)
        case .clone, .system, .other: nil
        }
    }

    private static func file(_ pattern: String, ofPythonPackagesAt prefix: String) -> String? {
        // The second is the folder of `pip install --target`.
        for folder in ["\(prefix)/{lib,lib64}/python3*/{site,dist}-packages", prefix] {
            let found = unsafe path { unsafe isobath_find_file("\(folder)/\(pattern)", $0) }
            if let found { return found }
        }
        return nil
    }

    /// A path that a function of C writes into a buffer; `nil` if it does not return 0.
    private static func path(_ write: (UnsafeMutablePointer<CChar>) -> Int32) -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(ISOBATH_PATH)) { buffer in
            guard let start = buffer.baseAddress, unsafe write(start) == 0 else { return nil }
            return unsafe String(cString: start)
        }
    }
}
