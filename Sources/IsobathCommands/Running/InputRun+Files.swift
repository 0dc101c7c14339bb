internal import Isobath

extension InputRun {
    /// Works on all inputs of a subcommand that writes files: into a folder, which is made, or to one file. Of two inputs whose
    /// files would have the same names in the folder, those of the second get others where the first has written any.
    static func perform(
        _ job: any Job, on inputs: [String], _ batch: BatchOptions, _ common: CommonOptions, folder: String?,
        hasResults: Bool
    ) throws {
        var run = try InputRun(
            job, common, inputs: inputs, jobs: batch.concurrency, total: inputs.count, hasResults: hasResults)
        if common.isolation.isolate {
            let other = job.otherFiles.first { $0.namesDescriptor && $0 != batch.nameFile }
            if let other {
                try run.prepare { throw FileFailure(file: other, error: IsolationError.descriptor) }
            }
        }
        if let folder { try run.prepare { try OutputFile.makeFolder(folder) } }
        let bystanders = Bystanders(among: inputs)
        try run.passOver(bystanders)
        var others = bystanders.others.map { Input(path: $0) }
        let names = folder == nil ? nil : OutputNames(job, others)
        try run.perform(&others, naming: names)
        try run.finish()
    }
}
