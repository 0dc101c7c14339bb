internal import Isobath

/// What goes through the pipes between an isolated process and the one that started it: a kind, a length and bytes.
struct Frame {
    /// What a frame says. Inputs go to the isolated process, all others come from it.
    enum Kind: UInt8 {
        /// The path of an input that a user named, and of one that was found in a folder.
        case namedInput, foundInput
        /// A ``Message``: the file's name, a zero byte, the text.
        case remark, failed, lacksPlane
        /// Others, with bytes for standard output or without any.
        case output, written, skipped, passedOver, closed
        /// A file is about to appear: its device and number, eight bytes each, and its path.
        case publishing
        /// The input is done.
        case done
    }

    var kind: Kind
    var bytes: [UInt8] = []

    /// More than any message has.
    private static let largest = 1 << 28

    func write(to pipe: Pipe) -> Bool {
        let count = UInt32(truncatingIfNeeded: bytes.count)
        return pipe.write(
            [kind.rawValue] + (0..<4).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) } + bytes)
    }

    /// The next frame; `nil` when none comes before the deadline, or none that is one.
    init?(from pipe: Pipe, until deadline: ContinuousClock.Instant? = nil) {
        guard let head = pipe.read(5, until: deadline), let kind = Kind(rawValue: head[0]) else { return nil }
        let count = head[1...].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard count <= Self.largest, let bytes = pipe.read(count, until: deadline) else { return nil }
        (self.kind, self.bytes) = (kind, bytes)
    }

    init(kind: Kind, bytes: [UInt8] = []) {
        (self.kind, self.bytes) = (kind, bytes)
    }
}

extension Frame {
    init(_ input: Input) {
        self.init(kind: input.isNamed ? .namedInput : .foundInput, bytes: input.path.fileNameBytes)
    }

    /// The input that the frame names, if it does.
    var input: Input? {
        guard kind == .namedInput || kind == .foundInput else { return nil }
        return Input(path: String(fileNameBytes: bytes), isNamed: kind == .namedInput)
    }

    init(_ message: Message) {
        switch message {
        case .remark(let text, let file): self.init(kind: .remark, bytes: Self.pair(file, text))
        case .failure(let text, let file, .lacksPlane):
            self.init(kind: .lacksPlane, bytes: Self.pair(file, text))
        case .failure(let text, let file, _): self.init(kind: .failed, bytes: Self.pair(file, text))
        case .output(let bytes): self.init(kind: .output, bytes: bytes)
        case .written: self.init(kind: .written)
        case .skipped: self.init(kind: .skipped)
        case .passedOver: self.init(kind: .passedOver)
        case .closed: self.init(kind: .closed)
        case .publishing(let path, let identity):
            self.init(kind: .publishing, bytes: identity.bytes + path.fileNameBytes)
        }
    }

    /// The message that the frame is, if it is one.
    var message: Message? {
        switch kind {
        case .remark: .remark(pair.text, file: pair.file)
        case .failed: .failure(pair.text, file: pair.file, .failed)
        case .lacksPlane: .failure(pair.text, file: pair.file, .lacksPlane)
        case .output: .output(bytes)
        case .written: .written
        case .skipped: .skipped
        case .passedOver: .passedOver
        case .closed: .closed
        case .publishing:
            FileIdentity(bytes: bytes.prefix(FileIdentity.byteCount)).map {
                .publishing(path: String(fileNameBytes: bytes.dropFirst(FileIdentity.byteCount)), $0)
            }
        case .namedInput, .foundInput, .done: nil
        }
    }

    private static func pair(_ file: String, _ text: String) -> [UInt8] {
        Array(file.utf8) + [0] + Array(text.utf8)
    }

    private var pair: (file: String, text: String) {
        let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        return (parts.first ?? "", parts.last ?? "")
    }
}
