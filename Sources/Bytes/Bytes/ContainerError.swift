/// Why a file could not be read, and where in it.
public struct ContainerError: Error, Hashable, Sendable {
    /// The rule that was broken. Each case calls for a different response.
    public enum Reason: Hashable, Sendable {
        /// The bytes end before the declared end.
        case truncated(needed: Int, available: Int)
        /// A number in the file exceeds the range of the arithmetic done with it.
        case arithmeticOverflow
        /// A limit of ``DecodingLimits`` would be exceeded.
        case limitExceeded(DecodingLimits.Name, limit: Int, requested: Int)
        /// The bytes break a rule of their format.
        case malformed(rule: String)
        /// The bytes are valid as far as read, but use a feature that is not implemented.
        case unsupported(feature: String)
        /// A decoder found damage in coded samples.
        case damaged(detail: String)
        /// The file is of an unsupported kind.
        case unrecognized(detail: String)
        /// The file holds several arrays or channels, but the caller chose none.
        case ambiguous(detail: String)
        /// The file is of an unknown kind, and not text: it may be samples without a header.
        case possiblyHeaderless(detail: String)
        /// The system could not read the file.
        case unreadable(detail: String)
        /// The path leads to a folder.
        case folder
        /// The path leads to a named pipe.
        case pipe
        /// The path leads to a device or a socket.
        case notRegularFile
    }

    /// What is wrong.
    public var reason: Reason
    /// The absolute byte offset in the file; `nil` if no single byte is the cause.
    public var offset: Int?
    /// The enclosing structure, as in `meta/iprp/ipco/auxC`.
    package var path: StructurePath
    /// The name of the file with the error, if the input is several files, such as a recording; else `nil`.
    package var file: String?

    /// The path of the input, if it was opened by its path; else `nil`.
    public internal(set) var input: String?

    /// Describes a failure, with an offset if there is one.
    package init(_ reason: Reason, at offset: Int? = nil, in path: StructurePath = StructurePath()) {
        self.reason = reason
        self.offset = offset
        self.path = path
    }
}

extension ContainerError {
    /// A stable identifier for scripts: `truncated`, `overflow`, `limit-exceeded`, `malformed`, `unsupported`, `damaged`,
    /// `unrecognized` or `unreadable`.
    public var code: String {
        switch reason {
        case .truncated: "truncated"
        case .arithmeticOverflow: "overflow"
        case .limitExceeded: "limit-exceeded"
        case .malformed: "malformed"
        case .unsupported: "unsupported"
        case .damaged: "damaged"
        case .unrecognized, .ambiguous, .possiblyHeaderless: "unrecognized"
        case .unreadable, .folder, .pipe, .notRegularFile: "unreadable"
        }
    }

    /// What is wrong, without the offset and the path.
    public var message: String {
        switch reason {
        case .truncated(let needed, let available):
            "\(needed) bytes needed, \(max(available, 0)) left"
        case .arithmeticOverflow:
            "a size or offset is out of range"
        case .limitExceeded(let name, let limit, let requested):
            "\(requested) \(name.noun) exceed the limit of \(limit)"
        case .malformed(let rule): rule
        case .unsupported(let feature): "\(feature) is not supported"
        case .damaged(let detail): "damaged image data: \(detail)"
        case .unrecognized(let detail), .ambiguous(let detail), .possiblyHeaderless(let detail): detail
        case .unreadable(let detail): "cannot be read: \(detail)"
        case .folder: "cannot be read: it is a folder"
        case .pipe: "cannot be read: it is a pipe, not a regular file"
        case .notRegularFile: "cannot be read: it is not a regular file"
        }
    }

    /// The location of the cause: `meta/iloc at byte 312`, `at byte 12`, `meta/pitm`, or empty.
    public var location: String {
        [file ?? "", locationText(offset, path)].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The same error, located in one of several files of the input.
    package func inFile(_ name: String) -> ContainerError {
        var error = self
        error.file = file.map { "\(name)/\($0)" } ?? name
        return error
    }

    /// Whether the cause is in the file, so that ``location`` helps to find it.
    var isInside: Bool {
        switch reason {
        case .unrecognized, .ambiguous, .possiblyHeaderless, .unreadable, .folder, .pipe, .notRegularFile:
            false
        case .truncated, .arithmeticOverflow, .limitExceeded, .malformed, .unsupported, .damaged: true
        }
    }
}

extension ContainerError: CustomStringConvertible {
    /// The ``input``, the message, and the ``location`` in parentheses, as far as known.
    public var description: String {
        input.map { "\($0): \(detail)" } ?? detail
    }

    /// The ``description`` without the ``input``, for callers that prefix it themselves.
    package var detail: String {
        isInside ? message.located(location) : file.map { "\($0): \(message)" } ?? message
    }
}

/// Adds the input's path to a ``ContainerError`` that `body` throws.
package func opening<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch var error as ContainerError {
        error.input = path
        throw error
    }
}

/// An offset and a path as text: `meta/iloc at byte 312`, `at byte 12`, `meta/pitm`, or empty.
func locationText(_ offset: Int?, _ path: StructurePath) -> String {
    [path.description, offset.map { "at byte \($0)" } ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
}

extension String {
    /// A message, followed by a location in parentheses unless that is empty.
    func located(_ location: String) -> String { location.isEmpty ? self : "\(self) (\(location))" }
}
