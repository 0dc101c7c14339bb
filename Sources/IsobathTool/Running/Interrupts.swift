internal import Glibc
internal import Sequences

/// Makes Ctrl-C end a run as if its input had ended, so that what is written is closed. A second one ends the process.
func closeOnInterrupt() {
    for number in [SIGINT, SIGTERM] {
        _ = signal(number) { number in
            if Interruption.isRequested { _ = signal(number, SIG_DFL) }
            Interruption.request()
        }
    }
}
