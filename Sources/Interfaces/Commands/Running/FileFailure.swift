/// What is wrong with an input: a message for a person. It sets exit status 1 and is printed even with `--quiet`.
struct Problem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

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
