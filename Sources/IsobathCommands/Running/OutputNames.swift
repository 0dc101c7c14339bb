internal import Dispatch
internal import Isobath
internal import Synchronization

/// Which names of outputs in a folder belong to which input of a run: only one that wrote something has its name. An input waits for an
/// earlier one of its name, and for nothing else.
final class OutputNames: Sendable {
    private struct State {
        /// The inputs that wrote something, by the names of what they wrote.
        var owners: [String: String] = [:]
        /// The names of the inputs that are worked on, by their indices.
        var names: [Int: String] = [:]
        var writers: Set<Int> = []
    }

    private let job: any Job
    private let inputs: [Input]
    /// The input before that has the same name.
    private let earlier: [Int: Int]
    /// Signalled when an input is done that another one waits for.
    private let ends: [Int: DispatchSemaphore]
    /// The names that inputs have of their own.
    private let ownNames: Set<String>
    private let state = Mutex(State())

    init(_ job: any Job, _ inputs: [Input]) {
        (self.job, self.inputs) = (job, inputs)
        var last: [String: Int] = [:]
        var earlier: [Int: Int] = [:]
        for (index, input) in inputs.enumerated() {
            earlier[index] = last.updateValue(index, forKey: job.outputName(of: input.stem))
        }
        self.earlier = earlier
        ends = Dictionary(uniqueKeysWithValues: earlier.values.map { ($0, DispatchSemaphore(value: 0)) })
        ownNames = Set(last.keys)
    }

    /// The input at an index, with another name for its outputs where an earlier one has its own.
    func begin(_ index: Int) -> Input {
        var input = inputs[index]
        if let earlier = earlier[index] { ends[earlier]?.wait() }
        state.withLock { state in
            if let owner = state.owners[job.outputName(of: input.stem)] {
                input.renaming = OutputRenaming(input.path, beside: owner) { stem in
                    let name = job.outputName(of: stem)
                    return ownNames.contains(name) || state.owners[name] != nil
                        || state.names.values.contains(name)
                }
            }
            state.names[index] = job.outputName(of: input.stem)
        }
        return input
    }

    /// Notes what an input reports.
    func note(_ message: Message, of index: Int) {
        switch message {
        case .written, .skipped: state.withLock { _ = $0.writers.insert(index) }
        default: break
        }
    }

    /// An input is done.
    func end(_ index: Int) {
        state.withLock { state in
            guard let name = state.names.removeValue(forKey: index), state.writers.remove(index) != nil else {
                return
            }
            state.owners[name] = inputs[index].path
        }
        ends[index]?.signal()
    }
}
