internal import Isobath

extension InputRun {
    /// Works on all inputs of a subcommand that writes files: into a folder, which is made, or to one file. Of two inputs whose
    /// files would have the same names in the folder, the second fails.
    static func perform(
        _ job: any Job, on inputs: [String], _ batch: BatchOptions, _ common: CommonOptions, folder: String?,
        hasResults: Bool
    ) throws {
        var run = try InputRun(
            job, common, inputs: inputs, jobs: batch.concurrency, total: inputs.count, hasResults: hasResults)
        if let folder { try run.prepare { try OutputFile.makeFolder(folder) } }
        var others: [String: String] = [:]
        var distinct: [Input] = []
        for input in inputs {
            let name = job.outputName(of: input)
            if folder != nil, let other = others[name] {
                try run.perform(&distinct)
                try run.fail(Input(path: input), NameClash(other: other))
            } else {
                others[name] = input
                distinct.append(Input(path: input))
            }
        }
        try run.perform(&distinct)
        try run.finish()
    }
}

/// An input whose outputs would have the names of another one's.
private struct NameClash: Error, CustomStringConvertible {
    var other: String

    var description: String {
        "its outputs would have the names of those of '\(other.forTerminal)'; use another folder for it"
    }
}
