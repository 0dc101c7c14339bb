internal import DepthMaps
internal import Dispatch
internal import Glibc
internal import Isobath
internal import Synchronization

/// Prints reports about inputs in the order of the inputs, whichever is done first.
final class Console: Sendable {
    private struct State {
        var tally = Tally()
        var progress: Progress
        /// The number of the input whose reports are printed immediately; reports about others wait.
        var head = 0
        var outcomes: Set<Outcome> = []
        var waiting: [Int: [Message]] = [:]
        var finished: Set<Int> = []
        /// Bytes for standard output.
        var output: [UInt8] = []
        /// The status to end with before all inputs are done.
        var ending: Outcome?
        /// Warnings that were printed, the last input that has each, and how many had it after the first.
        var warnings: [(text: String, file: String, repetitions: Int)] = []
    }

    private let isQuiet: Bool
    private let state: Mutex<State>

    init(isQuiet: Bool, progress: Progress) {
        self.isQuiet = isQuiet
        state = Mutex(State(progress: progress))
        guard progress.isShown else { return }
        if progress.total == 1 { LoopProgress.watch { [weak self] in self?.tell(.progress($0), of: 0) } }
        showProgress()
    }

    /// Shows the progress four times a second, until the run ends.
    private func showProgress() {
        guard startsThreads else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.25) { [weak self] in
            guard let self, state.withLock({ $0.progress.show() }) else { return }
            showProgress()
        }
    }

    /// Reports something about an input. Inputs are numbered from 0.
    func tell(_ message: Message, of number: Int) {
        state.withLock { state in
            if number == state.head {
                show(message, &state)
            } else {
                state.waiting[number, default: []].append(message)
            }
        }
    }

    /// Marks an input as done.
    func finish(_ number: Int) {
        state.withLock { state in
            state.finished.insert(number)
            while state.finished.remove(state.head) != nil {
                state.tally.count(state.outcomes)
                state.outcomes = []
                state.head += 1
                for message in state.waiting.removeValue(forKey: state.head) ?? [] { show(message, &state) }
            }
            flush(&state)
            state.progress.inputs = state.head + state.finished.count
        }
    }

    /// Whether to end the run early: standard output was closed.
    var isEnding: Bool { state.withLock { $0.ending != nil } }

    /// Ends printing. Returns the tally and the exit status.
    func close() -> (tally: Tally, outcome: Outcome) {
        state.withLock { state in
            state.progress.end()
            for (text, _, count) in state.warnings where count > 0 {
                let inputs = count == 1 ? "1 more input" : "\(count) more inputs"
                Self.printLine("\(text) (\(inputs))", of: nil)
            }
            return (state.tally, state.ending ?? state.tally.outcome)
        }
    }

    private func show(_ message: Message, _ state: inout State) {
        guard state.ending == nil else { return }
        switch message {
        case .remark(let text, let file):
            guard !isQuiet else { return }
            if text.hasPrefix("warning: ") {
                if let known = state.warnings.firstIndex(where: { $0.text == text }) {
                    if state.warnings[known].file != file { state.warnings[known].repetitions += 1 }
                    return state.warnings[known].file = file
                }
                state.warnings.append((text, file, 0))
            }
            line(Self.note(text), of: file, &state)
        case .outcome(let text, let file):
            guard !isQuiet else { return }
            line(text, of: file, &state)
        case .failure(let text, let file, let outcome):
            line(text.hasPrefix("warning: ") ? text : "error: " + text, of: file, &state)
            state.outcomes.insert(outcome)
        case .output(let bytes): state.output += bytes
        case .written: state.tally.written += 1
        case .skipped: state.tally.skipped += 1
        case .passedOver: state.tally.passedOver += 1
        case .closed: state.ending = .done
        case .progress(let place): state.progress.loop(is: place)
        case .publishing, .file: break
        }
    }

    private func line(_ text: String, of file: String, _ state: inout State) {
        flush(&state)
        state.progress.clear()
        Self.printLine(text, of: file)
    }

    /// A remark as it is printed. Warnings have their prefix already.
    static func note(_ text: String) -> String { text.hasPrefix("warning: ") ? text : "note: " + text }

    /// `isobath: FILE: error: text` on standard error.
    static func printError(_ text: String, of file: String?) { printLine("error: " + text, of: file) }

    /// `isobath: FILE: text` on standard error.
    static func printLine(_ text: String, of file: String?) {
        let name = file.map { $0 == "-" ? "standard input" : $0.isEmpty ? "''" : $0.forTerminal }
        let place = name.map { "\($0): " } ?? ""
        let bytes = Array("isobath: \(place)\(text.forTerminal)\n".utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    }

    private func flush(_ state: inout State) {
        guard !state.output.isEmpty, state.ending == nil else { return }
        let bytes = state.output
        state.output.removeAll(keepingCapacity: true)
        do throws(OutputError) {
            try StandardOutput.write(bytes[...])
        } catch {
            state.ending = StandardOutput.isClosed(error) ? .done : .failed
            if state.ending == .failed { Self.printError(error.message, of: "standard output") }
        }
    }
}
