internal import ArgumentParser
internal import Isobath

@main
struct IsobathCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "isobath",
        abstract: "Depth, disparity and mattes out of photos, in real units.",
        discussion: """
            Results go to standard output, remarks to standard error.

            Exit status: 0 done; 1 an input could not be read or an output not written; 3 the file is fine but has \
            no such plane; 64 wrong usage.
            """,
        version: isobathVersion,
        subcommands: [Info.self, Extract.self, Composite.self, Blur.self, Occlude.self, Cloud.self])
}
