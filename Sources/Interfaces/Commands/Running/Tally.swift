/// The results of a run so far.
struct Tally {
    /// Inputs that are finished.
    var inputs = 0
    /// The number of inputs that failed, and of inputs that lack the requested plane.
    private(set) var failed = 0
    private(set) var lackingPlane = 0
    /// Inputs that a flag has no effect on; `failed` includes them.
    private var refused = 0
    /// Inputs of another kind.
    var passedOver = 0
    /// Files written, and existing files kept.
    var written = 0
    var skipped = 0

    /// Counts an input by the worst of its outcomes.
    mutating func count(_ outcomes: Set<Outcome>) {
        inputs += 1
        if outcomes.contains(.usage) { refused += 1 }
        if outcomes.contains(.failed) || outcomes.contains(.usage) {
            failed += 1
        } else if outcomes.contains(.lacksPlane) {
            lackingPlane += 1
        }
    }

    /// The outcome of the run: failed if any input failed, otherwise lacking the plane if any input lacks it.
    var outcome: Outcome {
        failed > refused ? .failed : refused > 0 ? .usage : lackingPlane > 0 ? .lacksPlane : .done
    }

    /// A summary on one line.
    var summary: String {
        var parts = ["\(inputs - failed - passedOver) read"]
        if written > 0 { parts.append("\(written) written") }
        if skipped + passedOver > 0 { parts.append("\(skipped + passedOver) skipped") }
        if lackingPlane > 0 { parts.append("\(lackingPlane) without the plane") }
        parts.append("\(failed) failed")
        return "\(inputs) inputs: " + parts.joined(separator: ", ")
    }
}
