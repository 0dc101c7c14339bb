internal import ArgumentParser

/// A subcommand that makes a picture of each scene.
protocol PictureCommand: ParsableCommand {
    associatedtype Made: PictureJob

    var inputs: [String] { get }
    var picture: PictureOutputOptions { get }
    var common: CommonOptions { get }
    /// What the flags say.
    var job: Made { get }
}

extension PictureCommand {
    func run() throws {
        try InputRun.perform(
            job,
            on: picture.files.batch.names(inputs, common), picture.files.batch, common,
            folder: picture.files.outputDirectory, hasResults: picture.files.json)
    }
}
