internal import ArgumentParser

/// What is done about outputs that exist already; without a flag they are an error.
struct ExistingFileOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    @Flag(help: "Leave existing files as they are, and write those that are missing.")
    var skipExisting = false

    func validate() throws {
        if force, skipExisting { throw ValidationError("Give either --force or --skip-existing.") }
    }

    /// What the flags say.
    var existing: ExistingFiles { force ? .replaced : skipExisting ? .kept : .refused }
}
