import Bytes
import DepthMaps
import DepthTypes
import Embedded
import Foundation
import Geometry
import Isobath
import MovieWriting
import Movies
import PhotoEditing
import RasterFormats
import RecordingWriting
import TestSupport
import Testing

@testable import Codecs
@testable import PhotoFormats
@testable import Scenes

extension FuzzTarget {
    /// Every target, by name.
    static let all: [FuzzTarget] = [
        FuzzTarget(
            name: "jpeg", share: 160, files: { try pictures(["jpg", "jps", "mpo"]) }, read: structure),
        FuzzTarget(name: "heif", share: 140, files: { try pictures(["heic", "avif"]) }, read: structure),
        FuzzTarget(name: "dng", share: 50, files: { try pictures(["dng"]) }, read: structure),
        FuzzTarget(name: "jpeg-xl", share: 60, files: { try pictures(["jxl"]) }, read: structure),
        FuzzTarget(
            name: "xmp", share: 60,
            files: { try blocks { (c) throws(ContainerError) in try c.photoXMPPacket() } }, read: xmp),
        FuzzTarget(
            name: "exif", share: 100,
            files: { try blocks { (c) throws(ContainerError) in try c.photoExif() } }, read: exif),
        FuzzTarget(name: "json", share: 60, files: records, read: json),
        FuzzTarget(name: "recording-lists", share: 12, files: recordingLists, read: lists),
        FuzzTarget(name: "recording-files", share: 88, files: recordingFiles, read: recordingFile),
        FuzzTarget(name: "calibration", share: 20, files: calibrations, read: calibration),
        FuzzTarget(name: "lossless-jpeg", share: 140, files: losslessImages, read: losslessJPEG),
        FuzzTarget(name: "rasters", share: 100, files: rasters, read: samples),
        FuzzTarget(
            name: "editing", share: 10, files: { try pictures(["jpg", "mpo", "heic"]) }, read: edited,
            survey: structure),
        FuzzTarget(
            name: "end-to-end", share: 10, files: { try pictures(photos) }, read: samples, survey: structure),
    ]

    /// The target for files from other programs.
    static let real = FuzzTarget(name: "samples", share: 20, files: samples, read: structure)

    /// The target with a name.
    static func named(_ name: String) -> FuzzTarget? { (all + [real]).first { $0.name == name } }

    /// Small, so that most time is spent in parsers: the largest test image has 691,200 pixels.
    private static let limits: DecodingLimits = {
        var limits = DecodingLimits()
        limits[.pixels] = 1 << 20
        return limits
    }()

    /// Reads everything except pixels.
    @Sendable private static func structure(_ source: any ByteSource) {
        guard let input = try? DepthScene(storedIn: source, limits: limits) else { return }
        _ = input.record(path: "mutant").serialized
        guard let photo = input.source as? DepthPhoto else { return }
        _ = try? photo.xmp()
        _ = photo.metadata()
        for plane in photo.storedPlanes { _ = try? photo.container.codedImage(at: plane.location) }
        _ = try? photo.container.codedImage(at: photo.description.location)
    }

    /// Decodes all samples and makes a cloud of them.
    @Sendable private static func samples(_ source: any ByteSource) {
        guard let input = try? DepthScene(storedIn: source, limits: limits) else { return }
        _ = input.record(path: "mutant").serialized
        if let photo = input.source as? DepthPhoto {
            for plane in photo.planes where !plane.kind.isDepth { _ = try? photo.codes(of: plane) }
            _ = try? photo.opaqueImage(atLeast: PixelSize(width: 1, height: 1))
        } else {
            _ = try? openPicture(source, limits: limits).image()
        }
        guard let map = try? input.depth() else { return }
        var options = CloudOptions()
        options.stride = 8
        _ = PointCloud(map, options: options)
    }

    /// Puts depth into a photo in every form.
    @Sendable private static func edited(_ source: any ByteSource) {
        guard let bytes = try? source.readPrefix(at: 0, count: .max),
            let photo = try? DepthPhoto(MemorySource(bytes), limits: limits)
        else { return }
        let size = photo.description.orientation.size(
            width: photo.description.width, height: photo.description.height)
        let (width, height) = (max(1, size.width / 40), max(1, size.height / 40))
        let map = DepthMap(
            width: width, height: height, meters: (0..<width * height).map { 1 + Float($0 % 97) / 50 },
            scale: .absolute)
        for form in DepthForm.allCases {
            var edit = PhotoEdit(form: form)
            edit.replaces = true
            edit.depth = try? DecodedPlane(map).coded(DepthCoding())
            guard let edited = try? edit.apply(to: bytes, limits: limits) else { continue }
            let result = try? DepthPhoto(MemorySource(edited.bytes), limits: limits)
            precondition(result?.planes.contains { $0.kind == .depth } == true, "\(form) is unreadable")
        }
    }

    @Sendable private static func xmp(_ source: any ByteSource) {
        guard let bytes = try? source.readPrefix(at: 0, count: .max) else { return }
        _ = try? XMPProperties(parsing: bytes, limits: limits, at: 0, in: StructurePath())
        _ = try? xmpForUprightCopy(bytes, orientation: .right, limits: limits)
    }

    @Sendable private static func exif(_ source: any ByteSource) {
        guard let bytes = try? source.readPrefix(at: 0, count: .max) else { return }
        _ = try? ExifInformation(parsing: bytes, at: 0, in: StructurePath(), limits: limits)
        _ = try? MultiPictureIndex(parsing: bytes, at: 0, limits: limits).fields(in: bytes, limits: limits)
        _ = try? exifForUprightCopy(bytes, width: 40, height: 30, limits: limits)
    }

    @Sendable private static func json(_ source: any ByteSource) {
        guard let bytes = try? source.readPrefix(at: 0, count: .max) else { return }
        guard let json = try? JSONValue(parsing: bytes, limits: limits) else { return }
        _ = SampleEncoding(json)?.coding
        _ = json.serialized
        guard let camera = json["calibration"].flatMap(CameraCalibration.init) else { return }
        let scaled = camera.scaled(toWidth: 4, height: 3).oriented(by: .left)
        let map = DepthMap(
            width: 3, height: 4, meters: [Float](repeating: 2, count: 12), scale: .absolute,
            calibration: scaled)
        _ = PointCloud(map)
    }

    @Sendable private static func calibration(_ source: any ByteSource) {
        guard let bytes = try? source.readPrefix(at: 0, count: .max) else { return }
        _ = try? StereoCalibration(parsing: bytes)
    }

    @Sendable private static func losslessJPEG(_ source: any ByteSource) {
        guard let bytes = try? source.readPrefix(at: 0, count: .max), LosslessJPEG.isLossless(bytes) else {
            return
        }
        _ = try? LosslessJPEG(parsing: bytes, at: 0, limits: limits).decode()
    }

    @Sendable private static func lists(_ source: any ByteSource) {
        guard let bytes = try? source.readPrefix(at: 0, count: .max) else { return }
        guard let records = try? RecordingProbe.readLists(bytes, limits: limits) else { return }
        for record in records { _ = record.serialized }
    }

    @Sendable private static func recordingFile(_ source: any ByteSource) {
        guard let bytes = try? source.readPrefix(at: 0, count: .max) else { return }
        for record in RecordingProbe.readFile(bytes, limits: limits) { _ = record.serialized }
        _ = try? MovieStructure(of: MemorySource(bytes), limits: limits)
    }

    /// Lists of frames, poses and cameras as recordings have them.
    @Sendable private static func recordingLists() throws -> WholeFiles {
        let pose = "0.1 0.2 0.3 0.0 0.0 0.0 1.0"
        let matrix = "1 0 0 0.1\n0 1 0 0.2\n0 0 1 0.3\n0 0 0 1\n"
        let texts = [
            "timestamp, frame, x, y, z, qx, qy, qz, qw\n1.5, 000001, 0.1, 0.2, 0.3, 0, 0, 0, 1\n",
            "# depth maps\n1.0 depth/1.png\n1.1 depth/2.png\n", "# poses\n1.0 \(pose)\n1.1 \(pose)\n",
            "1.0 rgb/1.png 1.0 depth/1.png\n", "0 0 1\n\(matrix)1 1 2\n\(matrix)", matrix,
            "1.0 0.1 0.2 0.3 1 2 3\n2.0 0 0 0 1 2 3\n", "256 192 210.5 210.5 127.1 95.3\n",
            #"{"time": 1.5, "intrinsics": [100, 0, 50, 0, 100, 40, 0, 0, 1], "cameraPoseARFrame": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}"#,
            #"{"fx": 100, "fy": 100, "cx": 50, "cy": 40, "width": 100, "height": 80, "t_00": 1, "t_11": 1, "t_22": 1}"#,
            #"{"fl_x": 100, "fl_y": 100, "cx": 50, "cy": 40, "w": 100, "h": 80, "frames": [{"file_path": "rgb/1", "depth_file_path": "depth/1.png", "transform_matrix": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}]}"#,
            #"{"w": 100, "h": 80, "K": [100, 0, 0, 0, 100, 0, 50, 40, 1], "fps": 60, "poses": [[0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0, 1]]}"#,
            #"{"timestamp": 1500000000, "intrinsics": [100, 0, 0, 0, 100, 0, 50, 40, 1], "transform": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}"#,
            #"{"parameters": [{"extrinsic": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}], "intrinsic_matrix": [100, 0, 0, 0, 100, 0, 50, 40, 1]}"#,
        ]
        return texts.enumerated().map { ("list-\($0.offset)", MemorySource(Array($0.element.utf8))) }
    }

    /// A `.sens` of two frames of 4 × 2 samples, a ZIP archive of Record3D without frames, the end of one of its movies, and
    /// the movie of a Live Photo with a matte.
    @Sendable private static func recordingFiles() throws -> WholeFiles {
        var sens = SensFile(size: PixelSize(width: 4, height: 2))
        sens.camera = [4, 0, 2, 0, 0, 4, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1]
        sens.frames = (0..<2).map { (SensFile.identity, $0, [], [UInt8](repeating: 7, count: 16)) }
        let metadata =
            #"{"w": 4, "h": 2, "dw": 4, "dh": 2, "K": [4, 0, 0, 0, 4, 0, 2, 1, 1], "poses": [[0, 0, 0, 1, 0, 0, 0]]}"#
        var archive = ZIPWriter()
        archive.add("metadata", Array(metadata.utf8))
        archive.add("rgbd/0.depth", uncompressedLZFSE([UInt8](repeating: 0x40, count: 32)))
        let movie =
            #"xxxx{"intrinsicMatrix":[194, 0, 0, 0, 194, 0, 95, 125, 1], "rangeOfEncodedDepth": [0, 4]}"#
        let frames = [[UInt8](repeating: 90, count: 64)]
        let live = LivePhotoMovie([
            .init(width: 8, height: 8, frames: frames),
            .init(matte: "person", width: 8, height: 8, frames: frames),
        ]).bytes
        return [
            ("room.sens", MemorySource(sens.bytes)), ("room.r3d", MemorySource(archive.finished)),
            ("movie", MemorySource(Array(movie.utf8))), ("live", MemorySource(live)),
        ]
    }

    /// The lines that `extract` prints.
    @Sendable private static func records() throws -> WholeFiles {
        let folder = TemporaryFolder()
        let run = try folder.run("extract {portrait.heic} --json -o d.png")
        return [("line.json", MemorySource(Array(run.text.utf8)))]
    }

    @Sendable private static func calibrations() throws -> WholeFiles {
        let text = """
            cam0=[711.5 0 376.1; 0 711.5 227.4; 0 0 1]
            cam1=[711.5 0 400.25; 0 711.5 227.4; 0 0 1]
            doffs=24.15
            baseline=59.9432
            width=713
            height=434
            ndisp=64
            """
        return [("calib.txt", MemorySource(Array(text.utf8)))]
    }
}
