internal import Isobath

extension InputRun {
    /// Prepares a run over the inputs of a subcommand, which may be folders that are searched.
    init(
        _ job: any Job, _ batch: BatchOptions, _ common: CommonOptions, inputs: [String], hasResults: Bool
    ) throws {
        try self.init(
            job, common, inputs: inputs, jobs: batch.concurrency, total: batch.recursive ? nil : inputs.count,
            hasResults: hasResults)
        if common.isolate {
            let other = job.otherFiles.first { $0.namesDescriptor && $0 != batch.nameFile }
            if let other {
                try prepare { throw FileFailure(file: other, error: IsolationError.descriptor) }
            }
        }
        let bystanders = Bystanders(among: inputs)
        try passOver(bystanders)
        search = InputSearch(bystanders.others, isRecursive: batch.recursive)
    }

    /// Works on all inputs of a subcommand that writes files: into a folder, which is made, or to one file. Of two inputs whose
    /// files would have the same names in the folder, those of the second get others where the first has written any.
    static func perform(
        _ job: any Job, on inputs: [String], _ files: OutputOptions, _ common: CommonOptions
    ) throws {
        var run = try InputRun(
            job, files.batch, common, inputs: files.batch.names(inputs, common), hasResults: files.json)
        if let folder = files.folder { try run.prepare { try OutputFile.makeFolder(folder) } }
        guard files.file == nil else { return try run.performAll() }
        // Names are arranged among all inputs, so all are found first.
        var inputs: [Input] = []
        while let found = run.search.next() {
            switch found {
            case .input(let input): inputs.append(input)
            case .failure(let folder, let error): try run.fail(folder, error)
            }
        }
        try run.perform(&inputs, naming: OutputNames(job, inputs))
        try run.finish()
    }

    /// Works on all inputs.
    mutating func performAll() throws {
        var inputs: [Input] = []
        while let found = search.next() {
            switch found {
            case .input(let input):
                inputs.append(input)
                if inputs.count >= 256 { try perform(&inputs) }
            case .failure(let folder, let error):
                try perform(&inputs)
                try fail(folder, error)
            }
        }
        try perform(&inputs)
        try finish()
    }
}
