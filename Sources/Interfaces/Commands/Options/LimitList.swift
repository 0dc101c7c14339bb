internal import ArgumentParser
internal import Isobath

enum LimitList {
    /// The text of `isobath help limits`.
    static var text: String {
        let names = DecodingLimits.Name.allCases
        let width = names.map(\.rawValue.count).max() ?? 0
        let lines = names.map { name in
            let value = "\(name.defaultValue)"
            return "  " + name.rawValue.padded(to: width) + "  " + value.padded(to: 10) + "  " + name.noun
        }
        return """
            --limit NAME=N changes a limit of reading. It may be repeated, once for each name:

              isobath info --limit pixels=20000000 --limit seconds=10 --isolate upload.heic

            Names, defaults, and what is limited:

            \(lines.joined(separator: "\n"))

            Sizes are in bytes. 'nesting' is \(DecodingLimits.Name.nesting.maximum) at most. 'seconds' applies to \
            isolated processes (--isolate) and to networks.

            """
    }
}

struct GivenLimit: Sendable {
    let name: DecodingLimits.Name
    let value: Int

    /// Reads `NAME=N`.
    init(argument: String) throws {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw ValidationError(
                "--limit is '\(argument.forTerminal)'; it must be NAME=N, such as pixels=20000000")
        }
        try self.init(name: String(parts[0]), value: String(parts[1]))
    }

    /// Checks a name and its value.
    init(name: String, value: String) throws {
        guard let limit = DecodingLimits.Name(rawValue: name) else {
            throw ValidationError("there is no limit '\(name.forTerminal)'; 'isobath help limits' lists all")
        }
        guard let number = Int(value), (0...limit.maximum).contains(number) else {
            throw ValidationError(
                "--limit \(limit.rawValue) is '\(value.forTerminal)'; it must be a whole number from 0 to \(limit.maximum)"
            )
        }
        (self.name, self.value) = (limit, number)
    }
}
