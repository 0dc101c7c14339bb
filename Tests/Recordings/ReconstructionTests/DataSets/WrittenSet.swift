import Bytes
import DepthTypes
import Foundation
import Reconstruction
import RecordingWriting
import Recordings
import Scenes
import TestSupport

/// A recording of the analytic room, and a data set of it.
struct WrittenSet {
    let set: DataSet
    let source: TemporaryFolder
    let folder: TemporaryFolder

    /// Writes the room in a layout, changes it, and writes a data set of it.
    init(
        _ form: DataSetForm, of layout: RecordingLayout = .sevenScenes, _ options: DataSetOptions = .init(),
        changing change: (borrowing TemporaryFolder) throws -> Void = { _ in }
    ) throws {
        source = TemporaryFolder()
        folder = TemporaryFolder()
        let path = try RecordingWriter().write(layout, into: source)
        try change(source)
        let recording = try Recording(contentsOf: path)
        let followed = try FollowedRecording(recording, options.selection)
        let output = try OutputFolder(path: folder.file("set"))
        set = try DataSet(followed.recording, as: form, options, sourceName: "room", to: output)
        try output.publish()
    }

    var path: String { folder.file("set") }

    func names(_ name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/" + name).sorted()
    }

    func bytes(_ name: String) throws -> [UInt8] { try folder.bytes(of: "set/" + name) }

    /// The words of the lines of a text file, without comments.
    func lines(_ name: String) throws -> [[String]] {
        String(decoding: try bytes(name), as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        )
        .filter { !$0.hasPrefix("#") }.map { $0.split(separator: " ").map(String.init) }
    }

    /// A file of the sparse model in `sparse/0`.
    func sparse(_ name: String) throws -> SparseFile { SparseFile(try bytes("sparse/0/\(name).bin")) }

    func json() throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(try bytes("transforms.json")))
        return object as? [String: Any] ?? [:]
    }
}
