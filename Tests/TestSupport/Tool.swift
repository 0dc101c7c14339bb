public import Foundation

/// The `isobath` tool as a user runs it.
public enum Tool {
    /// The result of a run.
    public struct Run {
        /// The exit status; for a run that a signal ended, 128 and its number.
        public var status: Int
        /// Standard output.
        public var output: Data
        /// Standard error.
        public var messages: String

        /// Standard output as text.
        public var text: String { String(decoding: output, as: UTF8.self) }

        /// The JSON objects of the output's lines.
        public func objects() throws -> [[String: Any]] {
            try text.split(separator: "\n").map { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                guard let fields = object as? [String: Any] else {
                    throw CocoaError(.propertyListReadCorrupt)
                }
                return fields
            }
        }
    }

    /// The executable that `ISOBATH_EXECUTABLE` names, by default the one built beside the tests.
    public static let executable: URL =
        ProcessInfo.processInfo.environment["ISOBATH_EXECUTABLE"].map { URL(filePath: $0) }
        ?? URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "isobath")

    /// Whether tool and tests are built with AddressSanitizer, under which some limits do not apply.
    public static let isSanitized: Bool = unsafe dlsym(nil, "__asan_init") != nil

    /// Runs the tool to its end.
    public static func run(
        _ arguments: [String], input: Data = Data(), folder: String? = nil
    ) throws -> Run {
        try run(executable, arguments, input: input, folder: folder)
    }

    /// Runs a shell script, where `$0` is the tool and `$@` are the arguments, and waits for its end.
    public static func shell(_ script: String, _ arguments: [String], folder: String? = nil) throws -> Run {
        let tool = executable.path(percentEncoded: false)
        return try run(
            URL(filePath: "/bin/sh"), ["-c", script, tool] + arguments, input: Data(), folder: folder)
    }

    private static func run(
        _ executable: URL, _ arguments: [String], input: Data, folder: String?
    ) throws -> Run {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = URL(filePath: folder) }
        let scratch = TemporaryFolder()
        // Files instead of pipes, which would need a concurrent reader.
        for name in ["in", "out", "err"] {
            try (name == "in" ? input : Data()).write(to: URL(filePath: scratch.file(name)))
        }
        process.standardInput = try FileHandle(forReadingFrom: URL(filePath: scratch.file("in")))
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: scratch.file("out")))
        process.standardError = try FileHandle(forWritingTo: URL(filePath: scratch.file("err")))
        try process.run()
        process.waitUntilExit()
        let status = Int(process.terminationStatus)
        return Run(
            status: process.terminationReason == .uncaughtSignal ? 128 + status : status,
            output: try Data(contentsOf: URL(filePath: scratch.file("out"))),
            messages: try scratch.text(of: "err"))
    }
}
