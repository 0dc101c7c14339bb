internal import Isobath

/// An error, and the file among several that it is about.
struct FileFailure: Error {
    var file: String
    var error: any Error
}

extension Reporter {
    /// Shows an error of a run that reads an input and other files beside it. Throws to end the run quietly when
    /// nobody reads standard output any more.
    mutating func fail(_ error: any Error, ofInput input: String) throws {
        switch error {
        case let error as OutputError where error.path == "-": try stop(error)
        case let error as OutputError: fail(error, of: error.path)
        case let failure as FileFailure: fail(failure.error, of: failure.file)
        default: fail(error, of: input)
        }
    }
}
