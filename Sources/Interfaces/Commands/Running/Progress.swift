internal import Glibc
internal import Isobath

/// A progress line for work that takes longer than a second, printed only on a terminal: the inputs of a batch, or the
/// frames of one input.
struct Progress {
    /// The number of inputs, if known.
    private let total: Int?
    private var isShown: Bool
    private let start = ContinuousClock.now
    private var last: ContinuousClock.Instant?
    /// How far the work on the only input is, and since when it is counted.
    private var frames: (done: Int, total: Int?, since: ContinuousClock.Instant)?

    /// Whether it shows the work on one input.
    var isOfOneInput: Bool { isShown && total == 1 }

    /// `hasResults` is whether results go to standard output; if that is a terminal, they show the progress already.
    init(total: Int?, isQuiet: Bool, hasResults: Bool) {
        self.total = total
        isShown = !isQuiet && isatty(2) == 1 && !(hasResults && isatty(1) == 1)
    }

    /// Shows how many inputs are done, at most ten times a second, starting after half a second.
    mutating func show(done: Int) {
        guard isShown, total != 1 else { return }
        show(Self.line(done: done, total: total, elapsed: .now - start), after: .milliseconds(500))
    }

    /// Notes how many frames of the only input are done.
    mutating func note(frames done: Int, of total: Int?) {
        let since = frames.flatMap { done < $0.done ? nil : $0.since } ?? .now
        frames = (done, total, since)
    }

    /// Shows how far the work on the only input is. Returns `false` after the end.
    mutating func showFrames() -> Bool {
        guard isShown else { return false }
        let text =
            frames.map { "frame " + Self.line(done: $0.done, total: $0.total, elapsed: .now - $0.since) }
            ?? "working, \((ContinuousClock.now - start).components.seconds) s"
        show(text, after: .seconds(1))
        return true
    }

    private mutating func show(_ text: String, after delay: Duration) {
        let now = ContinuousClock.now
        guard now - start > delay, now - (last ?? start) > .milliseconds(100) else { return }
        last = now
        write("\r\(text)\u{1B}[K")
    }

    /// Erases the line before other text is printed.
    mutating func clear() {
        guard last != nil else { return }
        write("\r\u{1B}[K")
    }

    /// Erases the line, and shows no other.
    mutating func end() {
        clear()
        isShown = false
    }

    /// As in `120 of 4000, 35 a second, 1 min 51 s left`.
    static func line(done: Int, total: Int?, elapsed: Duration) -> String {
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
        let rate = Double(done) / max(seconds, 0.001)
        let speed = "\(Float(rate).short) a second"
        guard let total else { return "\(done) done, \(speed)" }
        guard rate > 0 else { return "\(done) of \(total)" }
        return "\(done) of \(total), \(speed), \(words(seconds: Double(total - done) / rate)) left"
    }

    private static func words(seconds: Double) -> String {
        let whole = Int(min(seconds, 1e9).rounded(.up))
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3600) h \(whole % 3600 / 60) min"
    }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(2, $0.baseAddress, $0.count) }
    }
}
