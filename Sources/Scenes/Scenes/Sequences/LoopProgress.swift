internal import Synchronization

/// Where loops over frames report how far they are. The tool shows it on a terminal.
package enum LoopProgress {
    /// Gets the number of frames that a loop has reached, and of all its frames, if that is known.
    package typealias Watcher = @Sendable (_ done: Int, _ total: Int?) -> Void

    private static let watcher = Mutex<Watcher?>(nil)

    /// Calls `body` from now on after each frame. Where a job needs several loops, the number falls when the next one begins.
    package static func watch(_ body: @escaping Watcher) { watcher.withLock { $0 = body } }

    static func report(_ done: Int, of total: Int?) { watcher.withLock(\.self)?(done, total) }
}
