internal import DepthCore

extension DepthScene {
    /// Runs `body` so that the work in it uses `limit` threads at most, the calling one among them: by default there are as many as
    /// cores. 1 uses no other thread.
    ///
    /// ```swift
    /// let picture = try DepthScene.withThreadLimit(2) { try scene.blurred() }
    /// ```
    ///
    /// The limit applies to everything of the library that `body` calls, scenes or not, and to tasks that it starts; another one around
    /// `body` applies as well. Several pieces of work at the same time have their threads each. Results do not depend on the limit.
    public static func withThreadLimit<Result>(_ limit: Int, _ body: () throws -> Result) rethrows -> Result {
        try DepthCore.withThreadLimit(limit, body)
    }
}
