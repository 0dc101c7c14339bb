/// What an input lost, although the rest of it is used: it makes the exit status 1, and is shown with `--quiet`, too.
struct LostData: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
