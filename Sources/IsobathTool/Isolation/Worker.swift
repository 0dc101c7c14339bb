internal import CSystemShims
internal import Glibc
internal import Isobath

/// The worker's side of isolation: takes inputs from one pipe, works on them one after the other, and tells through
/// another what becomes of each.
enum Worker {
    /// Where inputs come in.
    static let inputs = Pipe(descriptor: 20)
    /// Where messages go out.
    static let messages = Pipe(descriptor: 21)

    /// The files that must not be written, which come first.
    static func receiveOriginals() -> Set<FileIdentity> {
        guard let frame = Frame(from: inputs), frame.kind == .originals else { return [] }
        return FileIdentity.set(of: frame.bytes)
    }

    /// Works until there are no more inputs, with limits for each. Files can be made in `folders` alone from then on.
    static func serve(
        _ limits: DecodingLimits, writingIn folders: [String],
        _ explain: (any Error, Input, Reporter) -> Void, _ work: InputRun.Work
    ) -> Never {
        isobath_spare_address_space()
        guard isobath_end_without_reader(messages.descriptor) == 0,
            isobath_limit_address_space(UInt64(limits[.memoryBytes])) == 0,
            isobath_limit_file_size(UInt64(limits[.memoryBytes])) == 0, limitWriting(to: folders) >= 0,
            isobath_give_up_privileges() == 0
        else { exit(Int32(Outcome.failed.rawValue)) }
        let reporter = Reporter { message in
            // Nobody is told any more: there is nothing to work for.
            if !Frame(message).write(to: messages) { exit(Int32(Outcome.failed.rawValue)) }
        }
        while let input = Frame(from: inputs)?.input {
            // Several cores may work for as long as one may take.
            let cores = UInt64(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
            _ = isobath_limit_processor_time(UInt64(limits[.seconds]) * cores)
            do {
                try work(input, reporter)
            } catch {
                explain(error, input, reporter)
            }
            guard Frame(kind: .done).write(to: messages) else { break }
        }
        exit(Int32(Outcome.done.rawValue))
    }

    private static func limitWriting(to folders: [String]) -> Int32 {
        let paths = unsafe folders.map { unsafe strdup($0) }
        defer { unsafe paths.forEach { unsafe free($0) } }
        var pointers = unsafe paths.map { unsafe UnsafePointer($0) }
        return unsafe isobath_limit_writing(&pointers, Int32(clamping: folders.count))
    }
}
