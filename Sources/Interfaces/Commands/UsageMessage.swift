internal import ArgumentParser

/// Messages about arguments: unknown flags first, then ArgumentParser's messages in our style.
struct UsageMessage {
    private let flags: FlagList

    init(_ type: any ParsableCommand.Type) { flags = FlagList(of: type) }

    /// The message about wrong arguments of a subcommand, instead of ArgumentParser's `message`.
    func text(for message: String, _ arguments: [String]) -> String {
        if let flag = unknownFlag(in: arguments) {
            let meant = Self.otherWords[String(flag.dropFirst(2))]?.first { flags[$0] != nil }.map {
                "--" + $0
            }
            let near = meant ?? Self.nearest(to: flag, among: flags.flags.map { "--" + $0.name })
            return "there is no flag \(flag)" + (near.map { "; did you mean \($0)?" } ?? "")
        }
        return plain(message)
    }

    /// What people call flags.
    private static let otherWords = [
        "bg": ["background"], "mask": ["matte", "plane"], "matte": ["plane"], "hair": ["matte", "plane"],
        "strength": ["aperture"], "f-number": ["aperture"], "fstop": ["aperture"], "f-stop": ["aperture"],
        "duration": ["seconds"], "length": ["seconds"], "max-depth": ["far"], "max-distance": ["far"],
        "min-depth": ["near"], "min-distance": ["near"], "step": ["every", "stride"],
        "skip": ["every", "stride"],
        "voxel-size": ["voxel"], "resolution": ["voxel", "size"], "out": ["output"], "from": ["depth"],
        "trajectory": ["poses"], "overwrite": ["force"], "bits": ["values"], "hdr": ["no-hdr"],
    ]

    /// A flag that the subcommand does not have. Otherwise the value of a misspelled flag would be reported as an
    /// input.
    private func unknownFlag(in arguments: [String]) -> String? {
        arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") && $0.count > 2 }
            .map { String($0.prefix { $0 != "=" }) }.first { flags[String($0.dropFirst(2))] == nil }
    }

    /// A message that begins in lower case, without quotation marks around flags and without a full stop.
    private func plain(_ message: String) -> String {
        var text = message.hasPrefix("Error: ") ? String(message.dropFirst(7)) : message
        if text.hasSuffix(".") { text.removeLast() }
        text = text.replacing(/'(--?[a-zA-Z][a-zA-Z0-9-]*)( <[^>']*>)?'/) { "\($0.output.1)" }
        if let match = text.wholeMatch(
            of: /The value '(.*)' is invalid for (--?[a-z0-9-]+)(?:: (.*)|\. Please.*)?/)
        {
            let (value, flag) = (match.output.1, String(match.output.2))
            if let own = match.output.3, own.hasPrefix("--") || own.hasPrefix("'") || own.hasPrefix("there") {
                return String(own)
            }
            let declared = flags.flags.first { "--" + $0.name == flag || $0.letter.map { "-\($0)" } == flag }
            return "\(flag) is '\(value)'; "
                + (declared?.unitRule ?? match.output.3.map(String.init) ?? declared?.rule
                    ?? "this is not valid")
        }
        guard let first = text.first, text.dropFirst().first?.isUppercase != true else { return text }
        return first.lowercased() + text.dropFirst()
    }

    /// The most similar name by edit distance; `nil` if no name is similar enough.
    static func nearest(to word: String, among names: [String]) -> String? {
        let distances = names.map { (name: $0, distance: editDistance(Array(word), Array($0))) }
        return distances.filter { $0.distance <= max(1, word.count / 3) }.min { $0.distance < $1.distance }?
            .name
    }

    /// The edit distance: how many letters to add, remove, change or swap with the next (optimal string alignment).
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
