internal import DepthMaps

extension DepthScene {
    /// Runs `body` with at most `limit` threads, the calling one included. The default is one per core; 1 uses no other
    /// thread.
    ///
    /// ```swift
    /// let picture = try DepthScene.withThreadLimit(2) { try scene.blurred() }
    /// ```
    ///
    /// The limit applies to everything in the library that `body` calls, and to tasks that it starts. Nested limits apply
    /// together. Concurrent work is limited separately. Results do not depend on the limit.
    public static func withThreadLimit<Result>(_ limit: Int, _ body: () throws -> Result) rethrows -> Result {
        try DepthMaps.withThreadLimit(limit, body)
    }
}
