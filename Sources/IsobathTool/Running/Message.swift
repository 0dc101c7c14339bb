/// Something to be told of an input while it is worked on.
enum Message: Sendable {
    /// A line on standard error, unless quiet.
    case remark(String, file: String)
    /// A line on standard error: what failed, and how that counts.
    case failure(String, file: String, Outcome)
    /// Bytes for standard output.
    case output([UInt8])
    /// A file was written.
    case written
    /// A file was left as it is.
    case skipped
    /// The input is none: a file of another kind in a folder of photos.
    case passedOver
    /// Nobody reads standard output any more.
    case closed
}

/// What happened to one input.
enum Outcome: Int32, Sendable {
    case done = 0
    case failed = 1
    /// The file is fine, and lacks the plane.
    case lacksPlane = 3
}
