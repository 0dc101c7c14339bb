/// The script of a page: ECMAScript modules bundled as one classic script, so that one digest allows it.
///
/// Modules share one scope, each after those that it imports, so the names that they declare must differ, and they must not
/// import each other in a cycle. Imports are lines of the form `import { name } from "./module.js";`, exports are
/// declarations after the word `export`. It omits comments on lines of their own, and indentation.
struct PageScript: Sendable {
    /// The names of the modules, in the order of the script.
    let names: [String]
    /// The script, UTF-8.
    let bytes: [UInt8]

    /// Bundles modules and all that they import, directly or not. `sources` are modules by name, and must have all of them.
    init(_ modules: [String], from sources: [String: [UInt8]]) {
        var bundle = Bundle(sources: sources)
        for name in modules { bundle.add(name) }
        names = bundle.names
        bytes = Array(("\"use strict\";\n" + bundle.lines.joined(separator: "\n")).utf8)
    }

    /// The lines of a script or a style sheet, without those of comments and without indentation.
    static func lines(of text: String) -> [Substring] {
        var isComment = false
        return text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { line in
            let isPart = isComment || line.hasPrefix("/*")
            isComment = isPart && !line.hasSuffix("*/")
            return !isPart && !line.hasPrefix("//")
        }
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
            for line in PageScript.lines(of: text) {
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
