/// An isolated process could not be started, or ended before its input was done.
struct IsolationError: Error, CustomStringConvertible {
    let description: String
}
