internal import Glibc

/// A line that tells how far a long run is, on a terminal and only there.
struct Progress {
    private let total: Int
    private let isShown: Bool

    init(total: Int, isQuiet: Bool) {
        self.total = total
        isShown = !isQuiet && total > 16 && isatty(2) == 1
    }

    /// Shows how many inputs are done.
    mutating func show(done: Int) { write("\r\(done) of \(total) photos") }

    /// Takes the line away, before anything else is printed.
    mutating func clear() { write("\r\u{1B}[K") }

    private func write(_ text: String) {
        guard isShown else { return }
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(2, $0.baseAddress, $0.count) }
    }
}
