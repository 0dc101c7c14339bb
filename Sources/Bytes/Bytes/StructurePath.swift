/// A location in a file's structure: the names of the enclosing boxes or segments, outermost first.
///
/// Stored inline, with at most eight names (the innermost are kept), so that walking thousands of boxes allocates nothing.
/// Text is created only to show an error.
package struct StructurePath: Hashable, Sendable {
    private var names: SIMD8<UInt32> = .zero
    private var depth = 0

    /// The path of the file itself.
    package init() {}

    package init(_ name: FourCharacterCode) {
        self = StructurePath().appending(name)
    }

    /// The path of a structure inside this one.
    package func appending(_ name: FourCharacterCode) -> StructurePath {
        var path = self
        if depth < 8 {
            path.names[depth] = name.rawValue
            path.depth += 1
        } else {
            for index in 0..<7 { path.names[index] = names[index + 1] }
            path.names[7] = name.rawValue
        }
        return path
    }
}

extension StructurePath: CustomStringConvertible {
    /// The names joined by slashes, as in `meta/iprp/ipco/auxC`; empty for the file itself.
    package var description: String {
        (0..<depth).map { FourCharacterCode(rawValue: names[$0]).description }.joined(separator: "/")
    }
}
