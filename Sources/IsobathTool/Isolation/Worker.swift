internal import CSystemShims
internal import Glibc
internal import Isobath

/// The worker's side of isolation: takes the names of inputs from one pipe, works on them one after the other, and
/// says through another what became of each.
enum Worker {
    /// Where names of inputs come in, each behind its length.
    static let jobs: Int32 = 20
    /// Where an outcome goes out for each, in one byte.
    static let outcomes: Int32 = 21

    /// Works until the pipe is closed, with limits for each input.
    static func serve(_ limits: DecodingLimits, _ work: (String) -> Outcome) {
        guard isobath_end_with_parent() == 0, isAwaited,
            isobath_limit_address_space(UInt64(limits[.memoryBytes])) == 0,
            isobath_limit_file_size(UInt64(limits[.memoryBytes])) == 0, isobath_give_up_privileges() == 0
        else { exit(Int32(Outcome.failed.rawValue)) }
        while let input = nextJob() {
            // Several cores may work for as long as one may take.
            let cores = UInt64(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
            _ = isobath_limit_processor_time(UInt64(limits[.seconds]) * cores)
            var outcome = UInt8(truncatingIfNeeded: work(input).rawValue)
            guard unsafe write(outcomes, &outcome, 1) == 1 else { return }
        }
    }

    /// Whether the process that started this one was still there when the two were tied together.
    private static var isAwaited: Bool {
        var end = pollfd(fd: outcomes, events: 0, revents: 0)
        return unsafe poll(&end, 1, 0) == 0
    }

    private static func nextJob() -> String? {
        guard let head = read(4) else { return nil }
        let count = head.reversed().reduce(0) { $0 << 8 | Int($1) }
        return read(count).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var part = [UInt8](repeating: 0, count: count - bytes.count)
            let got = unsafe Glibc.read(jobs, &part, part.count)
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            bytes += part[..<got]
        }
        return bytes
    }
}
