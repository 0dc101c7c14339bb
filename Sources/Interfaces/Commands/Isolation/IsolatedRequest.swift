internal import FoundationEssentials
internal import Isobath

/// Everything that an isolated process receives before its first input: plain data in a sealed file that it inherits.
///
/// The process gets none of the user's arguments, so they cannot be misinterpreted.
struct IsolatedRequest {
    /// The job to run on each input.
    let job: any Job
    /// The files that must not be written.
    let originals: Set<FileIdentity>
    /// The parent process; the isolated process ends with it.
    let parent: Int32
    let threads: ThreadUse

    private struct Envelope: Codable {
        /// The version of the tool. Both processes run the same program, even if its file is replaced meanwhile.
        var version: String
        var subcommand: String
        var parent: Int32
        var threads: ThreadUse
    }

    init(job: any Job, originals: Set<FileIdentity>, parent: Int32, threads: ThreadUse) {
        (self.job, self.originals, self.parent, self.threads) = (job, originals, parent, threads)
    }

    /// Decodes the result of ``encoded()``.
    init(decoding bytes: [UInt8]) throws {
        let parts = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw IsolationError(description: "the request is incomplete") }
        let decoder = JSONDecoder()
        let envelope = try decoder.decode(Envelope.self, from: Data(parts[0]))
        guard envelope.version == isobathVersion,
            let type = jobTypes.first(where: { $0.subcommand == envelope.subcommand })
        else { throw IsolationError(description: "the request is from another version") }
        let identities = stride(from: parts[2].startIndex, to: parts[2].endIndex, by: FileIdentity.byteCount)
            .compactMap { FileIdentity(bytes: parts[2][$0...].prefix(FileIdentity.byteCount)) }
        self.init(
            job: try decoder.decode(type, from: Data(parts[1])), originals: Set(identities),
            parent: envelope.parent, threads: envelope.threads)
    }

    /// Two JSON objects, each followed by a zero byte, and the identities of the originals.
    func encoded() throws -> [UInt8] {
        let envelope = Envelope(
            version: isobathVersion, subcommand: type(of: job).subcommand, parent: parent, threads: threads)
        let encoder = JSONEncoder()
        return [UInt8](try encoder.encode(envelope)) + [0] + [UInt8](try encoder.encode(job)) + [0]
            + originals.flatMap(\.bytes)
    }
}
