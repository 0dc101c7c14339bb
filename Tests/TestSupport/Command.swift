public import Foundation
public import Testing

/// The words of a command line, split at white space. An interpolated text stays in one word, each text of an
/// interpolated list is a word, and `{NAME}` is the path of a test image.
public struct Command: ExpressibleByStringInterpolation {
    let words: [String]

    /// The words of a text.
    public init(stringLiteral value: String) {
        var parts = StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        parts.appendLiteral(value)
        self.init(stringInterpolation: parts)
    }

    /// The words of a text with interpolations.
    public init(stringInterpolation parts: StringInterpolation) {
        words = parts.words.map { word in
            word.hasPrefix("{") && word.hasSuffix("}")
                ? TestImages.path(String(word.dropFirst().dropLast())) : word
        }
    }

    /// Collects the words of a text and its interpolations.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var words: [String] = []
        private var isInsideWord = false

        /// Nothing yet.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        private mutating func append(_ text: String) {
            if isInsideWord { words[words.count - 1] += text } else { words.append(text) }
            isInsideWord = true
        }

        /// Adds the words of a literal; its first and its last may go on in the neighbors.
        public mutating func appendLiteral(_ literal: String) {
            for (index, part) in literal.split(
                omittingEmptySubsequences: false, whereSeparator: \.isWhitespace
            )
            .enumerated() {
                if index > 0 { isInsideWord = false }
                if !part.isEmpty { append(String(part)) }
            }
        }

        /// Adds a text to the word, whatever is in it.
        public mutating func appendInterpolation(_ text: some LosslessStringConvertible) {
            append(text.description)
        }

        /// Adds words.
        public mutating func appendInterpolation(_ list: some Collection<String>) { words += list }
    }
}

extension Tool {
    /// Runs the tool with a command line, and expects its exit status, unless that is `nil`, and what its messages
    /// contain.
    @discardableResult
    public static func run(
        _ command: Command, input: Data = Data(), status: Int? = 0, says messages: String...,
        folder: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Run {
        let run = try run(command.words, input: input, folder: folder)
        run.expect(status, messages, after: command, sourceLocation)
        return run
    }
}

extension TemporaryFolder {
    /// Runs the tool in this folder with a command line, and expects its exit status and what its messages contain.
    @discardableResult
    public func run(
        _ command: Command, input: Data = Data(), status: Int? = 0, says messages: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Tool.Run {
        let run = try Tool.run(command.words, input: input, folder: path)
        run.expect(status, messages, after: command, sourceLocation)
        return run
    }
}

extension Tool.Run {
    fileprivate func expect(
        _ status: Int?, _ messages: [String], after command: Command, _ sourceLocation: SourceLocation
    ) {
        let comment = Comment(rawValue: "\(command.words.joined(separator: " ")): \(self.messages)")
        if let status { #expect(self.status == status, comment, sourceLocation: sourceLocation) }
        for message in messages {
            #expect(self.messages.contains(message), comment, sourceLocation: sourceLocation)
        }
    }
}
