/// The script of a page: ECMAScript modules bundled as one classic script, so that one digest allows it.
///
/// Modules share one scope, each after those that it imports, so the names that they declare must differ, and they must not
/// import each other in a cycle. Imports are lines of the form `import { name } from "./module.js";`, exports are
/// declarations after the word `export`.
struct PageScript: Sendable {
    /// The names of the modules, in the order of the script.
    let names: [String]
    /// The script, UTF-8.
    let bytes: [UInt8]

    /// Bundles a module and all that it imports, directly or not. `sources` are modules by name, and must have all of them.
    init(_ name: String, from sources: [String: [UInt8]]) {
        var bundle = Bundle(sources: sources)
        bundle.add(name)
        names = bundle.names
        bytes = Array(("\"use strict\";\n" + bundle.lines.joined(separator: "\n")).utf8)
    }

    /// Modules so far.
    private struct Bundle {
        let sources: [String: [UInt8]]
        var seen: Set<String> = []
        var names: [String] = []
        var lines: [Substring] = []

        mutating func add(_ name: String) {
            guard seen.insert(name).inserted else { return }
            guard let source = sources[name] else { preconditionFailure("no module is named '\(name)'") }
            let text = String(decoding: source, as: UTF8.self)
            var own: [Substring] = []
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                if line.hasPrefix("import ") {
                    add(String(line.split(separator: "\"")[1].dropFirst(2)))
                } else {
                    own.append(line.hasPrefix("export ") ? line.dropFirst(7) : line)
                }
            }
            names.append(name)
            lines += own
        }
    }
}
