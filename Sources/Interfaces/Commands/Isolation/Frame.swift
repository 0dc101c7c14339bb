internal import DepthMaps
internal import Isobath

/// A message on the pipes between an isolated process and its parent: a kind, a length and bytes.
struct Frame {
    /// The content of a frame. Inputs and their bytes go to the isolated process; all others come from it.
    enum Kind: UInt8 {
        /// An input: see ``Frame/init(_:)-(Input)``.
        case input
        /// The bytes of a requested range, or why they are missing.
        case have, lost
        /// Ranges of bytes to send: offset and end of each, eight bytes each.
        case need
        /// The path of an output that is not written to a file; its bytes follow in a ``Frame/contents`` frame.
        case file, contents
        /// A ``Message``: the file's name, a zero byte, the text.
        case remark, outcome, failed, lacksPlane, refused
        /// Other messages, with or without bytes for standard output.
        case output, written, skipped, passedOver, closed
        /// A file is about to appear: its device and number, eight bytes each, and its path.
        case publishing
        /// How far a loop is: nothing, or a byte for its step and eight bytes each for the steps done and all, if known.
        case progress
        /// The input is done.
        case done
    }

    var kind: Kind
    var bytes: [UInt8] = []
    /// The bytes of a file. They are many, so they are not copied into or out of `bytes`.
    var contents: [UInt8]?

    /// More bytes than any message has.
    static let largest = 1 << 28
    /// The maximum bytes of all messages of one input.
    static let mostForAnInput = largest
    /// The frame's cost against that limit. Each message has a minimum cost.
    var size: Int { bytes.count + (contents?.count ?? 0) + 256 }

    func write(to pipe: Pipe) -> Bool {
        guard pipe.write(Self.head(kind, bytes.count) + bytes) else { return false }
        guard let contents else { return true }
        return pipe.write(Self.head(.contents, contents.count)) && pipe.write(contents)
    }

    private static func head(_ kind: Kind, _ count: Int) -> [UInt8] {
        let count = UInt32(truncatingIfNeeded: count)
        return [kind.rawValue] + (0..<4).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    }

    /// The next frame; `nil` if it is invalid or does not arrive before the deadline.
    init?(from pipe: Pipe, until deadline: ContinuousClock.Instant? = nil) {
        guard let (kind, bytes) = Self.read(from: pipe, until: deadline) else { return nil }
        (self.kind, self.bytes) = (kind, bytes)
        guard kind == .file else { return }
        guard let (next, contents) = Self.read(from: pipe, until: deadline), next == .contents else {
            return nil
        }
        self.contents = contents
    }

    private static func read(
        from pipe: Pipe, until deadline: ContinuousClock.Instant?
    ) -> (Kind, [UInt8])? {
        guard let head = pipe.read(5, until: deadline), let kind = Kind(rawValue: head[0]) else { return nil }
        let count = head[1...].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard count <= largest, let bytes = pipe.read(count, until: deadline) else { return nil }
        return (kind, bytes)
    }

    init(kind: Kind, bytes: [UInt8] = []) {
        (self.kind, self.bytes) = (kind, bytes)
    }
}

extension Frame {
    /// An input is encoded as texts separated by zero bytes: its path, the number of its bytes (empty for a file), the
    /// output's path (empty if the job decides), the other name of outputs and the input that owns the original name
    /// (empty if outputs keep it), and a mark of one that the user named.
    init(_ input: Input) {
        let texts = [
            input.path, input.source.map { "\($0.byteCount)" } ?? "", input.output ?? "",
            input.renaming?.stem ?? "", input.renaming?.owner ?? "", input.isNamed ? "named" : "",
        ]
        self.init(kind: .input, bytes: Array(texts.map(\.fileNameBytes).joined(separator: [0])))
    }

    /// The description of an input for an isolated process, with the number of bytes in the parent if the input is not
    /// a file.
    struct AnnouncedInput {
        var input: Input
        var byteCount: Int?
    }

    /// The input that the frame describes; `nil` for other frames.
    var input: AnnouncedInput? {
        guard kind == .input else { return nil }
        let texts = bytes.split(separator: 0, omittingEmptySubsequences: false).map {
            String(fileNameBytes: $0)
        }
        guard texts.count == 6 else { return nil }
        var input = Input(path: texts[0], isNamed: !texts[5].isEmpty)
        if !texts[2].isEmpty { input.output = texts[2] }
        if !texts[3].isEmpty { input.renaming = OutputRenaming(stem: texts[3], owner: texts[4]) }
        return AnnouncedInput(input: input, byteCount: Int(texts[1]))
    }

    init(need ranges: [Range<Int>]) {
        self.init(
            kind: .need,
            bytes: ranges.flatMap { Self.bytes(of: $0.lowerBound) + Self.bytes(of: $0.upperBound) }
        )
    }

    /// The ranges that the frame requests; `nil` for other frames, or if a range is invalid.
    var needed: [Range<Int>]? {
        guard kind == .need, bytes.count.isMultiple(of: 16) else { return nil }
        var ranges: [Range<Int>] = []
        for place in stride(from: 0, to: bytes.count, by: 16) {
            guard let start = Self.number(bytes[place..<place + 8]),
                let end = Self.number(bytes[place + 8..<place + 16]), 0 <= start, start <= end
            else { return nil }
            ranges.append(start..<end)
        }
        return ranges
    }

    private static func bytes(of number: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count == 8 else { return nil }
        return Int(bitPattern: bytes.reversed().reduce(UInt(0)) { $0 << 8 | UInt($1) })
    }

    init(_ message: Message) {
        switch message {
        case .remark(let text, let file): self.init(kind: .remark, bytes: Self.pair(file, text))
        case .outcome(let text, let file): self.init(kind: .outcome, bytes: Self.pair(file, text))
        case .failure(let text, let file, .usage): self.init(kind: .refused, bytes: Self.pair(file, text))
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
        case .progress(let place):
            let numbers = [place?.done, place?.total].compactMap(\.self)
            self.init(
                kind: .progress, bytes: (place.map { [$0.step.rawValue] } ?? []) + numbers.flatMap(Self.bytes)
            )
        case .file(let path, let bytes):
            self.init(kind: .file, bytes: path.fileNameBytes)
            contents = bytes
        }
    }

    /// The message that the frame contains; `nil` for other frames.
    var message: Message? {
        switch kind {
        case .remark: .remark(pair.text, file: pair.file)
        case .outcome: .outcome(pair.text, file: pair.file)
        case .refused: .failure(pair.text, file: pair.file, .usage)
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
        case .progress: .progress(place)
        case .file: contents.map { .file(path: String(fileNameBytes: bytes), $0) }
        case .contents, .input, .have, .lost, .need, .done: nil
        }
    }

    private var place: LoopProgress.Place? {
        guard let step = bytes.first.flatMap(LoopProgress.Place.Step.init),
            let done = Self.number(bytes[1...].prefix(8)), done >= 0
        else { return nil }
        let total = Self.number(bytes.dropFirst(9)).map { max($0, 0) }
        return LoopProgress.Place(step, done: done, total: total)
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
