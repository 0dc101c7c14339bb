/// Why a recording, or a frame of it, cannot be opened.
public enum RecordingError: Error, Hashable, Sendable {
    /// There is no frame of this index; valid indices are `0..<count`.
    case noFrame(Int, count: Int)
    /// The folder holds several recordings, at these paths below it.
    case severalRecordings([String])
    /// Topics are named, and the recording is not a ROS bag.
    case noTopics
}

extension RecordingError: CustomStringConvertible {
    /// What is wrong.
    public var description: String {
        switch self {
        case .noFrame(let index, let count): return "no frame \(index); the recording has \(count) frames"
        case .severalRecordings(let names):
            let more = names.count > 3 ? ", …" : ""
            return
                "the folder holds \(names.count) recordings (\(names.prefix(3).joined(separator: ", "))\(more)):"
                + " name one of them"
        case .noTopics: return "this recording is not a bag, and has no topics"
        }
    }
}
