/// The data that an input lost while the rest of it is used. It sets exit status 1 and is printed even with `--quiet`.
struct LostData: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
