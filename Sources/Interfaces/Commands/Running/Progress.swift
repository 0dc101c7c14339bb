internal import DepthMaps
internal import Glibc
internal import Isobath

/// A progress line for work that takes longer than a second, printed only on a terminal: the inputs of a batch, or a loop in
/// the work on one input.
struct Progress {
    /// The number of inputs, if known.
    let total: Int?
    /// The number of inputs that are done.
    var inputs = 0
    private(set) var isShown: Bool
    private let start = ContinuousClock.now
    private var isWritten = false
    /// How far the loop in the work on the only input is, and when it began.
    private var loop: (place: LoopProgress.Place, since: ContinuousClock.Instant)?

    /// `hasResults` is whether results go to standard output; if that is a terminal, they show the progress already.
    init(total: Int?, isQuiet: Bool, hasResults: Bool) {
        self.total = total
        isShown = !isQuiet && isatty(2) == 1 && !(hasResults && isatty(1) == 1)
    }

    /// Notes how far a loop is; `nil` after it.
    mutating func loop(is place: LoopProgress.Place?) {
        loop = place.map { ($0, $0.done == 0 ? .now : loop?.since ?? .now) }
    }

    /// Shows the line after the first second. Returns `false` after the end.
    mutating func show() -> Bool {
        guard isShown else { return false }
        guard .now - start > .seconds(1) else { return true }
        isWritten = true
        write("\r\(text)\u{1B}[K")
        return true
    }

    private var text: String {
        let now = ContinuousClock.now
        if total != 1 { return Self.line(done: inputs, total: total, elapsed: now - start) }
        // Work on a picture has many short loops.
        if let (place, since) = loop, place.step == .frame || now - since > .seconds(1) {
            return "\(place.step) " + Self.line(done: place.done, total: place.total, elapsed: now - since)
        }
        return "working, \((now - start).components.seconds) s"
    }

    /// Erases the line before other text is printed.
    mutating func clear() {
        guard isWritten else { return }
        isWritten = false
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
