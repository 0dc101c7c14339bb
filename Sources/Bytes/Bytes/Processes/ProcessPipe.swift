internal import CSystemShims
internal import Glibc

/// A pipe between this process and one that it starts. Both ends are closed on exec.
package struct ProcessPipe: Sendable {
    package let reading: Int32
    package let writing: Int32

    /// Throws the system's error number on failure.
    package init() throws(LaunchError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe isobath_pipe(&ends) == 0 else { throw LaunchError(code: errno) }
        (reading, writing) = (ends[0], ends[1])
    }
}
