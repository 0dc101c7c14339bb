package import Bytes
package import Embedded
internal import Foundation
internal import Scenes
internal import TestFrames

@testable internal import Recordings

/// Reads bytes as the lists, headers and files of every layout of recordings, for fuzzing.
package enum RecordingProbe {
    /// Files that a reader requires besides the fuzzed one.
    private static let companions: [String: [UInt8]] = [
        "depth/1.png": [], "depth/000001.png": [], "rgb/1.png": [], "lowres_depth/1_1.0.png": [],
        "lowres_wide/1_1.0.png": [], "frame-1.depth.png": [], "depth_1.png": [], "color/1.png": [],
        "image_left/000000_left.png": [], "depth_left/000000_left_depth.npy": [], "depth/000000.png": [],
        "results/depth000000.png": [],
        "camera_matrix.csv": Array("100 0 50 0 100 40 0 0 1".utf8), "keyframes/depth/1.png": [],
    ]

    /// A layout, and its file that is fuzzed.
    private static let folders: [(reader: any RecordingLayoutReader.Type, file: String)] = [
        (StrayScannerReader.self, "odometry.csv"), (StrayScannerReader.self, "camera_matrix.csv"),
        (TUMReader.self, "depth.txt"), (TUMReader.self, "groundtruth.txt"),
        (TUMReader.self, "associations.txt"),
        (ScannerAppReader.self, "frame_1.json"), (PolycamReader.self, "keyframes/cameras/1.json"),
        (ARKitScenesReader.self, "lowres_wide.traj"),
        (ARKitScenesReader.self, "lowres_wide_intrinsics/1_1.0.pincam"),
        (SevenScenesReader.self, "frame-1.pose.txt"), (Open3DReader.self, "trajectory.log"),
        (Open3DReader.self, "camera_trajectory.json"), (Open3DReader.self, "intrinsic.json"),
        (TransformsReader.self, "transforms.json"), (Record3DFolderReader.self, "metadata.json"),
        (MultiScanReader.self, "a.jsonl"), (BOPReader.self, "scene_camera.json"),
        (TartanAirReader.self, "pose_left.txt"), (ReplicaReader.self, "traj.txt"),
        (TUMReader.self, "calibration.txt"),
        (Open3DReader.self, "camera_intrinsic.json"),
    ]

    /// A temporary folder of this process.
    private static let scratch = FileManager.default.temporaryDirectory
        .appending(path: "isobath-probe-\(ProcessInfo.processInfo.processIdentifier)")

    /// A folder for each of ``folders``, with the companions.
    private static let paths: [URL] = {
        atexit { try? FileManager.default.removeItem(at: scratch) }
        return folders.indices.map { index in
            let folder = scratch.appending(path: "\(index)")
            for (name, bytes) in companions { try? write(bytes, to: folder.appending(path: name)) }
            return folder
        }
    }()

    private static func write(_ bytes: [UInt8], to file: URL) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    /// Parses the bytes as each list of each layout. Returns the records of the readable ones. Not for several threads.
    package static func readLists(_ bytes: [UInt8], limits: DecodingLimits) throws -> [JSONValue] {
        try zip(folders, paths).compactMap { folder, path in
            try write(bytes, to: path.appending(path: folder.file))
            let contents = try RecordingFolder(path.path)
            guard let draft = try? folder.reader.read(contents, ReadingOptions(), limits) else {
                return nil
            }
            return record(draft, decodingFrames: 0, limits)
        }
    }

    /// Parses the bytes as a recording in a single file: `.sens`, `.r3d`, bags, the end of a movie. Decodes its first
    /// frames.
    package static func readFile(_ bytes: [UInt8], limits: DecodingLimits) -> [JSONValue] {
        let source = MemorySource(bytes)
        _ = try? HueDepth(ofMovie: source, limits: limits)
        _ = MovieReader.recognizes(Array(bytes.prefix(16)))
        let archive = (try? Record3DArchiveReader.read(source, limits)) ?? nil
        let drafts = [
            try? ScanNetReader.read(source, limits), try? BagReader.read(source, ReadingOptions(), limits),
            archive,
        ].compactMap(\.self)
        return drafts.compactMap { record($0, decodingFrames: 3, limits) }
    }

    /// Parses the bytes as a message of each type, in both serializations, and decodes the frame in it.
    package static func readMessages(_ bytes: [UInt8], limits: DecodingLimits) -> [JSONValue] {
        ["ros1", "cdr"].flatMap { encoding in
            BagContents.types.compactMap { type in
                var contents = BagContents(limits)
                let message = BagMessage(
                    topic: 0, time: 0, source: MemorySource(bytes), range: bytes.indices,
                    store: .file(StoredBytes(MemorySource(bytes), limits)))
                guard
                    (try? contents.topic(named: "/depth", type: type, encoding: encoding)) != nil,
                    (try? contents.take(0, at: 0, { message })) != nil,
                    let draft = try? BagReader.draft(of: contents, .mcap, ReadingOptions())
                else { return nil }
                return record(draft, decodingFrames: 1, limits)
            }
        }
    }

    private static func record(
        _ draft: RecordingDraft, decodingFrames count: Int, _ limits: DecodingLimits
    ) -> JSONValue? {
        var finisher = RecordingFinisher(draft: draft, reading: ReadingOptions(), limits: limits)
        guard let recording = try? finisher.recording(at: "memory") else { return nil }
        let decoder = RecordingReader(recording)
        var frame = TestFrame()
        for index in recording.frames.indices.prefix(count) {
            try? decoder.read(.measured, ofFrameAt: index, into: &frame)
        }
        return recording.record(path: "memory")
    }
}
