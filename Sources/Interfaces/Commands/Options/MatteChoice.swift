internal import ArgumentParser
internal import Isobath

enum MatteChoice: ExpressibleByArgument, Equatable, Sendable {
    /// Mattes of the photo, joined.
    case kinds([PlaneKind])
    /// A mask cut from the depth.
    case depth
    /// A picture whose gray is coverage.
    case file(String)

    /// The file; `nil` for other mattes.
    var path: String? { if case .file(let path) = self { path } else { nil } }

    init?(argument: String) {
        if argument.isEmpty { return nil }
        if argument == "depth" {
            self = .depth
            return
        }
        let kinds = argument.split(separator: "+", omittingEmptySubsequences: false).map { name in
            name == "portrait"
                ? PlaneKind.matte : PlaneKind(rawValue: String(name)).flatMap { $0.isCoverage ? $0 : nil }
        }
        if kinds.allSatisfy({ $0 != nil }) {
            self = .kinds(kinds.compactMap(\.self))
        } else {
            self = .file(argument)
        }
    }
}
