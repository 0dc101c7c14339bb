internal import ArgumentParser
internal import Isobath

/// `--limit NAME=N`, once for each limit of ``DecodingLimits`` that is changed.
struct LimitOptions: ParsableArguments {
    @Option(
        name: .customLong("limit"),
        help: ArgumentHelp(
            "Change a limit of reading, such as pixels=20000000; 'isobath help limits' lists them. May be repeated.",
            valueName: "name=n"),
        completion: .list(DecodingLimits.Name.allCases.map { "\($0.rawValue)=" }), transform: GivenLimit.init)
    private var given: [GivenLimit] = []

    /// The limits as given, the rest at their defaults.
    var limits: DecodingLimits {
        given.reduce(into: DecodingLimits()) { limits, limit in limits[limit.name] = limit.value }
    }

    func validate() throws {
        var seen: Set<DecodingLimits.Name> = []
        for limit in given where !seen.insert(limit.name).inserted {
            throw ValidationError("'--limit \(limit.name.rawValue)' is given twice.")
        }
    }

    /// The text of `isobath help limits`.
    static var list: String {
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

/// The value of one `--limit`.
struct GivenLimit: Codable, Sendable {
    let name: DecodingLimits.Name
    let value: Int

    /// Reads `NAME=N`.
    init(argument: String) throws {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw ValidationError("'--limit' takes NAME=N, such as pixels=20000000, and not '\(argument)'.")
        }
        guard let name = DecodingLimits.Name(rawValue: String(parts[0])) else {
            throw ValidationError("There is no limit '\(parts[0])'; 'isobath help limits' lists all.")
        }
        guard let value = Int(parts[1]), (0...name.maximum).contains(value) else {
            throw ValidationError(
                "'--limit \(name.rawValue)' takes a whole number from 0 to \(name.maximum), and not '\(parts[1])'."
            )
        }
        (self.name, self.value) = (name, value)
    }
}
