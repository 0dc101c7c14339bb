/// An isolated process could not be started, or ended before its input was done.
struct IsolationError: Error, CustomStringConvertible {
    let description: String
}

extension IsolationError {
    /// The error for a path that leads to an open descriptor of the process that opens it.
    static let descriptor = IsolationError(
        description:
            "an isolated process does not have this open file; name the file itself, or - for standard input")
}

extension String {
    /// Whether a path leads to an open descriptor of the process that opens it, and so to a different file in each
    /// process.
    var namesDescriptor: Bool {
        ["/dev/stdin", "/dev/stdout", "/dev/stderr"].contains(self)
            || ["/dev/fd/", "/proc/self/", "/proc/thread-self/"].contains(where: hasPrefix)
    }
}
