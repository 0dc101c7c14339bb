import Foundation
import TestSupport
import Testing

/// A Markdown file of the repository, and its blocks of code.
struct Document: CustomTestStringConvertible, CustomStringConvertible, Sendable {
    /// A block of code between fences.
    struct Block {
        var language: String
        /// Without the indentation of the fence.
        var lines: [String] = []
    }

    /// The path from the root of the repository.
    let path: String

    init(_ path: String) { self.path = path }

    var description: String { path }
    var testDescription: String { path }

    /// The blocks of code. A fence in a list is indented.
    func blocks() throws -> [Block] {
        let text = try String(contentsOfFile: repositoryRoot + "/" + path, encoding: .utf8)
        var blocks: [Block] = []
        var (isInside, indentation) = (false, 0)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let content = line.drop { $0 == " " }
            if content.hasPrefix("```") {
                isInside.toggle()
                indentation = line.count - content.count
                if isInside { blocks.append(Block(language: String(content.dropFirst(3)))) }
            } else if isInside {
                blocks[blocks.count - 1].lines.append(String(line.dropFirst(indentation)))
            }
        }
        return blocks
    }

    /// Lines that begin with `$ ` in blocks of a console, and all lines of shell scripts.
    func commands() throws -> [String] {
        try blocks().flatMap { block in
            switch block.language {
            case "console": block.lines.filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) }
            case "sh": block.lines.filter { !$0.isEmpty }
            default: [String]()
            }
        }
    }
}
