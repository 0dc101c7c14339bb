internal import Isobath

extension InputRun {
    /// Prepares a run over the inputs of a subcommand. Folders among them are searched.
    init(
        _ job: any Job, _ batch: BatchOptions, _ common: CommonOptions, inputs: [String], hasResults: Bool
    ) throws {
        try self.init(
            job, common, inputs: inputs, names: batch.nameFile, jobs: batch.concurrency,
            total: batch.recursive ? nil : inputs.count,
            hasResults: hasResults)
        if common.isolate {
            if let other = job.otherFiles.first(where: \.namesDescriptor) {
                try prepare { throw FileFailure(file: other, error: IsolationError.descriptor) }
            }
        }
        let bystanders = Bystanders(among: inputs)
        try passOver(bystanders)
        search = InputSearch(
            bystanders.others, isRecursive: batch.recursive, limits: common.limits)
    }

    /// Processes all inputs of a subcommand that writes files: into a folder, which it makes, or to one file. If two
    /// inputs would have the same output names in a folder, and the first has written a file, the second gets other
    /// names.
    static func perform(
        _ job: any Job, on inputs: [String], _ files: OutputOptions, _ common: CommonOptions
    ) throws {
        var run = try InputRun(
            job, files.batch, common, inputs: files.batch.names(inputs, common), hasResults: files.json)
        let isOneFolder = job.makesFolders && !files.batch.isBatch(inputs) && files.name.output != nil
        if isOneFolder || files.file != nil { return try run.performAll() }
        if let folder = files.folder { try run.prepare { try OutputFile.makeFolder(folder) } }
        // Find all inputs first: names are assigned among all of them.
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

    /// Processes all inputs.
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
