internal import CSystemShims
internal import Glibc
internal import Scenes

/// The signal that asks an isolated process to end as if its input had ended. It is not SIGINT: a terminal sends that
/// to both processes, and a second one ends a process at once.
let endingSignal = SIGUSR1

/// Makes an isolated process end on that signal.
func heedEndingSignal() { _ = signal(endingSignal) { Interruption.request($0) } }

/// Makes Ctrl-C end a run as if its input had ended, so that open files are completed. A second Ctrl-C ends the
/// process.
func closeOnInterrupt() {
    // Processes inherit blocked signals from their parent.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGINT, SIGTERM] { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    for number in [SIGINT, SIGTERM] {
        _ = signal(number) { number in
            if Interruption.isRequested { isobath_end_by_signal(number) }
            Interruption.request(number)
        }
    }
}

extension Reporter {
    /// Reports that a signal ended the work before the end of the input, even with `--quiet`.
    func reportStop(after frames: Int, of total: Int?, _ input: String) {
        guard Interruption.isRequested, frames < total ?? .max else { return }
        let count = total.map { "\(frames) of \($0) " } ?? "\(frames) "
        fail(Failure("stopped after \(count)frame\((total ?? frames) == 1 ? "" : "s")"), ofInput: input)
    }
}
