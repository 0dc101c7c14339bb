internal import ArgumentParser
internal import Isobath

/// The arguments of a subcommand: the only description of what to do with inputs. Isolated processes and requests of a
/// worker are parsed with the same declarations as the command line.
struct VerbArguments: Sendable {
    /// Where a worker wants the results of a request.
    enum Reply: String, Sendable {
        /// The line of JSON in the reply, and the output in a file.
        case record
        /// Both in the reply.
        case outputs
    }

    var verb: any Verb.Type
    /// Flags and inputs, as on the command line.
    var words: [String]
    /// `nil` for the command line.
    var reply: Reply?
    /// Whether there may be several inputs. If so, a flag without effect on one of them causes a remark instead of an
    /// error.
    var isBatch = false
    /// How many threads a network may use.
    var threads = coreCount

    /// The job that they describe. Throws for arguments that the subcommand refuses.
    func job() throws -> any Job {
        guard let command = try verb.parseAsRoot(words) as? any Verb else {
            throw ValidationError("these arguments only print a text")
        }
        return try command.job(self)
    }

    /// The arguments that an isolated process gets: without the flags that start processes, and with one input at most,
    /// since inputs follow through a pipe.
    var isolated: VerbArguments {
        let (flags, inputs) = FlagList.of(verb).split(words)
        var arguments = self
        arguments.words =
            flags.filter { !["isolate", "jobs"].contains($0.name) }.map(\.word) + ["--"] + inputs.prefix(1)
        return arguments
    }

    /// Whether a line of JSON is printed for each input.
    func hasRecord(_ options: JSONOptions) -> Bool { options.json || reply != nil }

    /// What to do with outputs that exist already.
    func existing(_ files: OutputFileOptions) -> ExistingFiles {
        reply == .outputs ? .collected : files.existing
    }

    /// The long names of flags. Values of flags do not begin with two dashes.
    private var flags: [String] {
        words.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
            .map { String($0.dropFirst(2).prefix { $0 != "=" }) }
    }

    /// Throws for a flag that has no effect on this kind of input; in a batch, only reports it.
    func check(_ kind: InputKinds, _ file: Input, _ reporter: Reporter) throws {
        for flag in flags where verb.kinds(of: flag)?.contains(kind) == false {
            let detail = flag == "frame" ? ", and not a recording" : ""
            try refuse(flag, because: "this is \(kind.title)\(detail)", file, reporter)
        }
    }

    /// Throws for a given flag that has no effect; in a batch, only reports it.
    func refuse(_ flag: String, because reason: String, _ file: Input, _ reporter: Reporter) throws {
        guard flags.contains(flag) else { return }
        let problem = UsageError("--\(flag) has no effect: \(reason)")
        guard isBatch else { throw problem }
        reporter.remark("\(problem)", of: file.path)
    }
}
