internal import Isobath

/// The first argument, which names the subcommand. It is checked before anything else is read, so that a wrong name is not
/// reported as a flag that is missing or unknown.
enum FirstWord {
    /// What is wrong with the arguments' first word, or with the second behind `help`; `nil` where nothing is.
    static func problem(in arguments: [String], subcommands: [String]) -> String? {
        guard let first = arguments.first, !first.hasPrefix("-"), !subcommands.contains(first) else {
            return nil
        }
        if first == "help" {
            guard let topic = arguments.dropFirst().first, !topic.hasPrefix("-") else { return nil }
            return problem(with: topic, known: subcommands + ["limits"], kind: "help on")
        }
        if first.contains("/") || first.contains(".") || FileIdentity(path: first) != nil {
            return "say what to do with '\(first)', for example: isobath info \(first)"
        }
        return problem(with: first, known: subcommands, kind: "subcommand")
    }

    private static func problem(with word: String, known: [String], kind: String) -> String? {
        guard !known.contains(word) else { return nil }
        let distances = known.map { (name: $0, distance: editDistance(Array(word), Array($0))) }
        let near = distances.filter { $0.distance <= max(1, word.count / 3) }.min {
            $0.distance < $1.distance
        }
        let hint = near.map { "did you mean '\($0.name)'?" } ?? "see 'isobath --help'"
        return "there is no \(kind) '\(word)'; \(hint)"
    }

    /// How many letters have to be added, left out, changed or swapped with the next to make `b` of `a` (optimal string alignment).
    private static func editDistance(_ a: [Character], _ b: [Character]) -> Int {
        var distance = [[Int]](repeating: Array(0...b.count), count: a.count + 1)
        for i in a.indices {
            distance[i + 1][0] = i + 1
            for j in b.indices {
                let changed = distance[i][j] + (a[i] == b[j] ? 0 : 1)
                distance[i + 1][j + 1] = min(changed, distance[i][j + 1] + 1, distance[i + 1][j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    distance[i + 1][j + 1] = min(distance[i + 1][j + 1], distance[i - 1][j - 1] + 1)
                }
            }
        }
        return distance[a.count][b.count]
    }
}
