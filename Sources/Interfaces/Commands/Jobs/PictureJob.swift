internal import Isobath

/// A job that makes a picture of each scene.
protocol PictureJob: Job {
    /// The network that computes depth or mattes that the file lacks.
    var network: NetworkUse? { get }
    /// Where and how the picture is written.
    var output: PictureOutput { get set }
    /// The files that only this subcommand's flags name.
    var ownFiles: [String] { get }
}

extension PictureJob {
    var ownFiles: [String] { [] }
    var outputFolders: [String] { output.destination.folders }
    var otherFiles: [String] { ownFiles + reading.files + (network?.files ?? []) }
    var writesStandardOutput: Bool { output.destination.isStandardOutput }
    var recordSchema: String? { output.json ? "isobath.picture/1" : nil }

    func directed(to path: String) -> any Job {
        var job = self
        job.output.destination = .file(path)
        return job
    }
}
