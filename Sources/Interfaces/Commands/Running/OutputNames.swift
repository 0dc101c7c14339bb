internal import Dispatch
internal import Isobath
internal import Synchronization

/// Assigns the names of outputs in a folder to the inputs of a run. An input gets its name only if it writes
/// something. It waits for an earlier input with the same name, and for nothing else.
final class OutputNames: Sendable {
    private struct State {
        /// The inputs that wrote something, by the names of their outputs.
        var owners: [String: String] = [:]
        /// The names of inputs in progress, by index.
        var names: [Int: String] = [:]
        var writers: Set<Int> = []
    }

    private let job: any Job
    private let inputs: [Input]
    /// The index of the previous input with the same name.
    private let earlier: [Int: Int]
    /// Signalled when an input is done that another one waits for.
    private let ends: [Int: DispatchSemaphore]
    /// The original names of all inputs.
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

    /// The input at an index. Its outputs get another name if an earlier input has used the same one.
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

    /// Records a message about an input.
    func note(_ message: Message, of index: Int) {
        switch message {
        case .written, .skipped: state.withLock { _ = $0.writers.insert(index) }
        default: break
        }
    }

    /// Marks an input as done.
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
