internal import ArgumentParser
internal import Isobath

/// Everything that an isolated process receives before its first input, in a sealed file that it inherits.
///
/// `argv` has none of the user's arguments, so they cannot be misinterpreted. The process parses them once it has
/// dropped its rights.
struct IsolatedRequest {
    /// The parent process; the isolated process ends with it.
    var parent: Int32
    var threads: ThreadUse
    var limits: DecodingLimits
    /// The folders where files are created.
    var outputFolders: [String]
    /// Whether an output is a folder, which is made in one of these folders.
    var makesFolders: Bool
    var arguments: VerbArguments
    /// The files that must not be written.
    var originals: Set<FileIdentity>

    init(_ job: any Job, originals: Set<FileIdentity>, parent: Int32, threads: ThreadUse) {
        (self.originals, self.parent, self.threads) = (originals, parent, threads)
        (limits, outputFolders, makesFolders) = (job.limits, job.outputFolders, job.makesFolders)
        arguments = job.arguments.isolated
    }

    /// Fields that each end in a zero byte, and the identities of the originals.
    var encoded: [UInt8] {
        let numbers = [
            Int(parent), threads.most ?? 0, threads.inputs, arguments.threads, arguments.isBatch ? 1 : 0,
            makesFolders ? 1 : 0, outputFolders.count, arguments.words.count,
        ]
        // Both processes run the same program, even if its file is replaced meanwhile: it has the same limits.
        let fields =
            [isobathVersion, arguments.verb.name, arguments.reply?.rawValue ?? ""]
            + (numbers + DecodingLimits.Name.allCases.map { limits[$0] }).map(String.init)
            + outputFolders + arguments.words
        return fields.flatMap { $0.fileNameBytes + [0] } + originals.flatMap(\.bytes)
    }

    /// Decodes ``encoded``.
    init(decoding bytes: [UInt8]) throws(IsolationError) {
        var rest = bytes[...]
        func text() throws(IsolationError) -> String {
            guard let end = rest.firstIndex(of: 0) else {
                throw IsolationError(description: "the request is incomplete")
            }
            defer { rest = rest[(end + 1)...] }
            return String(fileNameBytes: rest[..<end])
        }
        func number() throws(IsolationError) -> Int {
            guard let number = Int(try text()) else {
                throw IsolationError(description: "the request is incomplete")
            }
            return number
        }
        func texts(_ count: Int) throws(IsolationError) -> [String] {
            var texts: [String] = []
            for _ in 0..<count { texts.append(try text()) }
            return texts
        }
        let (version, name) = (try text(), try text())
        let verbs = IsobathCommand.configuration.subcommands.compactMap { $0 as? any Verb.Type }
        guard version == isobathVersion,
            let verb = verbs.first(where: { $0.name == name })
        else { throw IsolationError(description: "the request is from another version") }
        arguments = VerbArguments(verb: verb, words: [], reply: .init(rawValue: try text()))
        parent = Int32(truncatingIfNeeded: try number())
        let most = try number()
        threads = ThreadUse(most: most == 0 ? nil : most, inputs: try number())
        (arguments.threads, arguments.isBatch) = (try number(), try number() == 1)
        makesFolders = try number() == 1
        let (folders, words) = (try number(), try number())
        limits = DecodingLimits()
        for name in DecodingLimits.Name.allCases { limits[name] = try number() }
        outputFolders = try texts(folders)
        arguments.words = try texts(words)
        originals = Set(
            stride(from: rest.startIndex, to: rest.endIndex, by: FileIdentity.byteCount)
                .compactMap { FileIdentity(bytes: rest[$0...].prefix(FileIdentity.byteCount)) })
    }
}
