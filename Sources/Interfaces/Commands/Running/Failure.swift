/// Why an input cannot be used as the flags say, or what of it is lost. The exit status is 1.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// An error in the flags that only shows once the input is known. The exit status is 64.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
