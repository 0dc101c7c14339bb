/// An error, and the file among several that it is about.
struct FileFailure: Error {
    var file: String
    var error: any Error
}
