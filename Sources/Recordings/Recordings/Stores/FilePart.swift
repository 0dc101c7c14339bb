internal import Bytes

/// A part in a separate file.
struct FilePart: FramePart {
    let folder: StoredFolder
    let fileName: String

    var name: String? { "\(folder.path.lastPathComponent)/\(fileName)" }
    var path: String? { folder.path.followed(by: fileName) }

    func read(
        into bytes: inout [UInt8], _ memory: inout StoreMemory, _ limits: DecodingLimits
    ) throws(ContainerError) {
        let source = try open(limits)
        try limits.check(.codedBytes, source.byteCount)
        try source.read(0..<source.byteCount, into: &bytes)
    }

    func source(_ limits: DecodingLimits) -> (any ByteSource)? { try? open(limits) }

    private func open(_ limits: DecodingLimits) throws(ContainerError) -> FileSource {
        try FileSource(path: folder.path.followed(by: fileName), limits: limits)
    }
}

/// A folder with files of frames.
final class StoredFolder: Sendable {
    let path: String

    init(_ path: String) { self.path = path }
}
