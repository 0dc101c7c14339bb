/// An error, and the file among several that it is about.
struct FileFailure: Error {
    var file: String
    var error: any Error
}

/// Attributes errors of `body` to a file besides the input.
func about<Value>(_ file: String, _ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch {
        throw error is FileFailure ? error : FileFailure(file: file, error: error)
    }
}
