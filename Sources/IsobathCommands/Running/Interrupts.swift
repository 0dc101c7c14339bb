internal import Glibc
internal import Sequences

/// The signal by which an isolated process is asked to end as if its input had ended. It is not SIGINT, which a terminal sends to both
/// processes: a second one ends a process at once.
let endingSignal = SIGUSR1

/// Lets an isolated process be asked to end.
func heedEndingSignal() { _ = signal(endingSignal) { Interruption.request($0) } }

/// Makes Ctrl-C end a run as if its input had ended, so that what is written is closed. A second one ends the process.
func closeOnInterrupt() {
    // A program that blocks signals hands that on to those that it starts.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGINT, SIGTERM] { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    for number in [SIGINT, SIGTERM] {
        _ = signal(number) { number in
            if Interruption.isRequested { _ = signal(number, SIG_DFL) }
            Interruption.request(number)
        }
    }
}

/// The work on a sequence ended before its end because a signal asked for that.
struct Stopped: Error, CustomStringConvertible {
    /// Frames of the source that were reached, and all of it, where that is known.
    var frames: Int
    var total: Int?

    var description: String {
        "stopped after \(frames) \(total.map { "of \($0) " } ?? "")frame\((total ?? frames) == 1 ? "" : "s")"
    }
}

extension Reporter {
    /// Says that a signal ended the work before the end of the input. Quiet runs show it, too.
    func reportStop(after frames: Int, of total: Int?, _ input: String) {
        guard Interruption.isRequested, frames < total ?? .max else { return }
        fail(Stopped(frames: frames, total: total), ofInput: input)
    }
}
