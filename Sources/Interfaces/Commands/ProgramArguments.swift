internal import Bytes
internal import Glibc
internal import Synchronization

/// The arguments of this process, as `main` got them.
///
/// `CommandLine.arguments` reads them from `/proc`, and replaces bytes that are not UTF-8.
enum ProgramArguments {
    private static let stored = Mutex<[String]>([])

    /// The arguments, including the program's name, with their bytes unchanged. Empty in processes with another `main`,
    /// such as tests.
    static var all: [String] { stored.withLock(\.self) }

    /// Keeps the arguments that `main` got.
    static func keep(_ arguments: UnsafeBufferPointer<UnsafeMutablePointer<CChar>?>) {
        let texts = unsafe arguments.compactMap { argument -> String? in
            guard let argument = unsafe argument else { return nil }
            let count = unsafe strlen(argument)
            return unsafe argument.withMemoryRebound(to: UInt8.self, capacity: count) {
                unsafe String(fileNameBytes: UnsafeBufferPointer(start: $0, count: count))
            }
        }
        stored.withLock { $0 = texts }
    }
}
