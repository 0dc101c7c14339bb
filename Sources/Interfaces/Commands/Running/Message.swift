internal import DepthMaps
internal import Isobath

/// A report about an input while it is processed.
enum Message: Sendable {
    /// A line on standard error, unless quiet: a note, or a warning.
    case remark(String, file: String)
    /// A line on standard error, unless quiet: the result for an input.
    case outcome(String, file: String)
    /// A line on standard error: the failure, or a warning about lost data, and the outcome.
    case failure(String, file: String, Outcome)
    /// Bytes for standard output.
    case output([UInt8])
    /// A file was written.
    case written
    /// An existing file was kept.
    case skipped
    /// The input was skipped: a file of another kind in a folder of photos.
    case passedOver
    /// The reader of standard output is gone.
    case closed
    /// How far a loop in the work on the input is; `nil` after it.
    case progress(LoopProgress.Place?)
    /// A file, complete and with this identity, is about to get its name.
    case publishing(path: String, FileIdentity)
    /// A complete output that is not written to a file.
    case file(path: String, [UInt8])
}

/// The outcome of one input.
enum Outcome: Int32, Sendable {
    case done = 0
    case failed = 1
    /// The file is valid, but lacks the plane.
    case lacksPlane = 3
    /// A flag has no effect on it.
    case usage = 64
}

extension Message {
    /// The message, made safe to show. It may come from a process that a damaged file has taken over, so control
    /// characters are removed from text for standard output, and the run ends only if this process agrees.
    var checked: Message {
        switch self {
        case .output(let bytes) where bytes.contains(where: { $0 < 0x20 && $0 != 0x0A || $0 >= 0x7F }):
            let lines = String(decoding: bytes, as: UTF8.self).split(
                separator: "\n", omittingEmptySubsequences: false)
            return .output(Array(lines.map { String($0).forTerminal }.joined(separator: "\n").utf8))
        case .closed where !StandardOutput.hasNoReader:
            return .failure(
                "the isolated process reports a closed standard output, which is open", file: "", .failed)
        default: return self
        }
    }
}
