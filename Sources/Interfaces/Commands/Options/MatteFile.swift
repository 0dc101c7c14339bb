internal import ArgumentParser
internal import Isobath
internal import PhotoFormats

/// `--matte FILE` or `--matte KIND=FILE`.
struct MatteFile: ExpressibleByArgument, Sendable {
    var kind: PlaneKind
    var path: String

    init?(argument: String) {
        if let mark = argument.firstIndex(of: "="), let kind = PlaneKind(rawValue: String(argument[..<mark])),
            kind.isMatte
        {
            (self.kind, path) = (kind, String(argument[argument.index(after: mark)...]))
        } else {
            (kind, path) = (.matte, argument)
        }
        guard !path.isEmpty else { return nil }
    }
}

extension PlaneKind {
    /// Parses the name of a kind as `--plane` and `--remove` spell it.
    init?(planeName: String) {
        guard let kind = PlaneKind(rawValue: planeName == "portrait" ? "matte" : planeName), kind != .unknown
        else { return nil }
        self = kind
    }
}
