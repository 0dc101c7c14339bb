import Bytes

@testable import Commands

extension Target {
    /// What the tool reads of other programs: lines to a worker and frames of isolated processes.
    static let protocols: [Target] = [
        Target(name: "worker", run: readWorkerLine) { file in file.isFirst ? workerSeeds : [] },
        Target(name: "frames", run: readFrame) { file in file.isFirst ? frameSeeds : [] },
    ]

    private static let workerSeeds: [[UInt8]] = [
        #"{"id": 1, "verb": "extract", "path": "a.heic", "options": {"as": "depth", "fill-holes": true}, "output": "d.tiff"}"#,
        #"{"id": "a", "verb": "extract", "bytes": 40, "name": "x", "options": {"limits": {"pixels": 5}}}"#,
        #"{"id": 3, "verb": "info", "source": "ranged", "size": 70000}"#,
        #"{"id": 3, "have": [[0, 16], [64, 8]], "size": 70000, "bytes": 24}"#, #"{"id": 3, "error": "gone"}"#,
    ].map { Array($0.utf8) }

    private static let frameSeeds: [[UInt8]] = [
        Frame(Message.remark("text", file: "a.heic")), Frame(Message.written),
        Frame(Message.failure("text", file: "a.heic", .failed)), Frame(need: [0..<16, 64..<72]),
        Frame(Input(path: "a.heic")), Frame(Input(path: "a.heic", output: "b.png")),
    ].map { [$0.kind.rawValue] + $0.bytes }
}

extension Picture {
    /// Whether it stands for all, where seeds are not cut from pictures.
    fileprivate var isFirst: Bool { name == "portrait.heic" }
}

@Sendable private func readWorkerLine(_ bytes: [UInt8]) {
    do throws(WorkerRefusal) {
        switch try WorkerLine(parsing: bytes) {
        case .request(let request):
            promise(!request.path.isEmpty && request.path != "-", "a request names an input")
            if case .payload(let count) = request.content { promise(count >= 0, "a payload has a size") }
        case .have(let have): promise(have.payload >= 0, "a payload has a size")
        }
    } catch {
        promise((error.payload == nil) == (error.code == "out-of-step"), "an uncertain payload ends a worker")
        promise(error.payload.map { $0 >= 0 } ?? true, "a payload has a size")
    }
}

@Sendable private func readFrame(_ bytes: [UInt8]) {
    guard let kind = bytes.first.flatMap(Frame.Kind.init) else { return }
    let frame = Frame(kind: kind, bytes: Array(bytes.dropFirst()))
    for range in frame.needed ?? [] { promise(range.lowerBound >= 0, "ranges begin in the file") }
    _ = frame.message?.checked
    _ = frame.input
}
