internal import CSystemShims
internal import Glibc

/// A process that this one started, and ends.
package struct ChildProcess: Sendable {
    /// How a process ended.
    package enum Ending: Hashable, Sendable {
        /// It exited with this status.
        case status(Int32)
        /// A signal ended it.
        case signal(Int32)
        /// It is unknown: another part of this process waited for it.
        case unknown

        /// The name of a signal, such as SIGKILL.
        package static func name(ofSignal number: Int32) -> String {
            unsafe isobath_signal_name(number).map { unsafe "SIG" + String(cString: $0) }
                ?? "signal \(number)"
        }
    }

    /// The path of the program that this process runs.
    package static let ownProgram = "/proc/self/exe"

    /// The variables of this process, as `NAME=value`.
    package static var environment: [String] {
        var variables: [String] = []
        while let variable = unsafe environ[variables.count] {
            variables.append(unsafe String(cString: variable))
        }
        return variables
    }

    package let number: Int32

    /// Starts the program at a path, without a shell. The first argument is the program's name. Copies of these
    /// descriptors become its descriptors 0, 1, …; -1 is `/dev/null`, as are those that are missing.
    ///
    /// Throws the system's error number on failure.
    package init(
        _ program: String, _ arguments: [String], environment: [String] = ChildProcess.environment,
        descriptors: [Int32]
    ) throws(LaunchError) {
        var copies: [Int32] = []
        defer { for copy in copies where copy >= 0 { close(copy) } }
        for descriptor in descriptors {
            copies.append(descriptor < 0 ? -1 : try Self.outOfTheWay(descriptor))
        }
        number = try Self.launch(program, arguments, environment, copies)
    }

    /// A copy of a descriptor, with a number that the child does not use.
    private static func outOfTheWay(_ descriptor: Int32) throws(LaunchError) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, ISOBATH_LAUNCH_DESCRIPTORS)
        // The system reports numbers beyond the limit of open files as invalid.
        guard copy >= 0 else { throw LaunchError(code: errno == EINVAL ? EMFILE : errno) }
        return copy
    }

    private static func launch(
        _ program: String, _ arguments: [String], _ environment: [String], _ descriptors: [Int32]
    ) throws(LaunchError) -> pid_t {
        // The program, the arguments and NULL, the variables and NULL.
        let texts: [String?] = [program] + arguments + [nil] + environment + [nil]
        let copies = unsafe texts.map { text in unsafe text.flatMap { unsafe strdup($0) } }
        defer { unsafe copies.forEach { unsafe free($0) } }
        let pointers: [UnsafePointer<CChar>?] = unsafe copies.map { unsafe UnsafePointer($0) }
        var process: pid_t = 0
        let code = unsafe pointers.withUnsafeBufferPointer { pointers -> Int32 in
            guard let first = pointers.baseAddress else { return EINVAL }
            var request = unsafe isobath_launch()
            unsafe request.program = unsafe pointers[0]
            unsafe request.arguments = unsafe first + 1
            unsafe request.environment = unsafe first + arguments.count + 2
            unsafe withUnsafeMutableBytes(of: &request.descriptors) { bytes in
                for place in 0..<Int(ISOBATH_LAUNCH_DESCRIPTORS) {
                    let descriptor = place < descriptors.count ? descriptors[place] : -1
                    unsafe bytes.storeBytes(of: descriptor, toByteOffset: 4 * place, as: Int32.self)
                }
            }
            return unsafe isobath_launch(&request, &process)
        }
        guard code == 0 else { throw LaunchError(code: code) }
        return process
    }

    package func send(_ signal: Int32) { kill(number, signal) }

    /// Kills the process unless it has ended, waits for it, and returns how it ended. Call this once.
    @discardableResult
    package func end() -> Ending {
        kill(number, SIGKILL)
        return wait(0) ?? .unknown
    }

    /// The same, but lets the process run for up to this many seconds more.
    package func end(within seconds: Double) -> Ending {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            if let ending = wait(WNOHANG) { return ending }
            usleep(2000)
        }
        return end()
    }

    /// How the process ended; `nil` if it still runs.
    private func wait(_ options: Int32) -> Ending? {
        var status: Int32 = 0
        var found = unsafe waitpid(number, &status, options)
        while found < 0, errno == EINTR { found = unsafe waitpid(number, &status, options) }
        guard found != 0 else { return nil }
        guard found == number else { return .unknown }
        let signal = status & 0x7F
        return signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
    }
}

/// Why the system started no process.
package struct LaunchError: Error, Hashable, CustomStringConvertible {
    /// The system's error number.
    package var code: Int32

    package var description: String { systemMessage(code) }
}
