public import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Geometry
package import Recordings
package import Scenes

/// A data set that was written into a folder.
public struct DataSet: Sendable {
    /// How many frames it has.
    public private(set) var frameCount = 0
    /// How many of its frames have a picture.
    public private(set) var pictureCount = 0
    /// How many of its frames have a pose.
    public private(set) var poseCount = 0
    /// The number of points in its cloud; `nil` without a cloud.
    public private(set) var pointCount: Int?
    /// Frames of the recording that could not be decoded, and why.
    public private(set) var damagedFrames: [(index: Int, error: any Error)] = []
    /// Assumptions, omissions and losses.
    public internal(set) var diagnostics: [Diagnostic] = []

    /// Writes frames of a recording into a folder that is to be published afterwards. Frames that cannot be decoded are
    /// skipped.
    ///
    /// - Parameters:
    ///   - recording: A recording with poses, if the form needs them: see `FollowedRecording`.
    ///   - sourceName: The recording's name, for the header of the cloud.
    /// - Throws: `FusionError` if depth has no unit, the camera is unknown, or no frame can be used; ``DataSetError``;
    ///   `OutputError`; the first frame's error if none can be decoded, and errors of a movie that cannot be opened.
    package init(
        _ recording: Recording, as form: DataSetForm, _ options: DataSetOptions, sourceName: String,
        to folder: OutputFolder
    ) throws {
        try recording.requireMetricDepth()
        if form.needsPictureAndPose, !recording.hasColor { throw DataSetError.noPictures(form) }
        let choice = try FrameChoice(
            recording, needsPictureAndPose: form.needsPictureAndPose, options)
        guard !choice.indices.isEmpty else { throw FusionError.noFrames }
        let chosen = recording.keeping(choice.indices)
        let encoder = FrameEncoder(
            recording: chosen, form: form, quality: options.quality,
            quarters: (recording.orientation ?? .up).quarterTurns)
        var losses = DataSetLosses()
        (losses.unposedCount, losses.unseenCount) = (choice.unposedCount, choice.unseenCount)
        var frames: [DataSetFrame] = []
        var medians: [Float] = []
        let step = max(1, chosen.frames.count / SceneVoxel.frameCount)
        try chosen.checkMovie()
        let reader = RecordingReader(chosen, indices: Array(chosen.frames.indices))
        try SceneLoop().forEach(reader, form.planes) { frame in
            let index = frame.description.index ?? 0
            return try encoder.encoded(
                frame, name: Self.name(choice.indices[index]),
                file: try reader.pictureBytes(ofFrameAt: index))
        } _: { decoded in
            let place = decoded.index
            if form.hasPoints, place % step == 0, let depth = try? decoded.scene.depth(),
                let median = SceneVoxel.median(depth.meters)
            {
                medians.append(median)
            }
            switch decoded.result {
            case .failure(let error): damagedFrames.append((choice.indices[place], error))
            case .success(let encoded) where form.needsPictureAndPose && encoded.frame.picture == nil:
                losses.unseenCount += 1
            case .success(let encoded):
                for file in encoded.files { try folder.write(file.bytes, to: file.path) }
                losses.add(encoded)
                frames.append(encoded.frame)
            }
        }
        guard !Interruption.isRequested else { throw FusionError.interrupted }
        guard !frames.isEmpty else { throw damagedFrames.first?.error ?? FusionError.noFrames }
        let cloud = try form.hasPoints ? fuse(chosen, SceneVoxel(medians), form, sourceName) : nil
        guard !Interruption.isRequested else { throw FusionError.interrupted }
        diagnostics += losses.diagnostics(frames, form, quality: options.quality)
        try finish(frames, cloud, form, to: folder)
    }

    /// Writes a scene as a data set of one frame, whose camera is the world. `photo` is the file of the scene's picture, which
    /// is copied if every program shows it in the same way.
    ///
    /// Throws `FusionError` if depth has no unit, ``DataSetError``, `SceneError`, `CloudError`, `OutputError`, and errors of
    /// decoding.
    package init(
        _ scene: DepthScene, photo: [UInt8]?, as form: DataSetForm, quality: Int, sourceName: String,
        limits: DecodingLimits, to folder: OutputFolder
    ) throws {
        if form.needsPictureAndPose, photo == nil { throw DataSetError.noPictures(form) }
        let depth = try scene.depth()
        guard depth.scale.hasUnit else { throw FusionError.noUnit }
        let camera = try scene.resolvedCamera()
        if let remark = camera.source.remark { diagnostics.append(.note(.assumedCamera, remark)) }
        let picture = try photo.map { bytes in
            try PlainPicture(copying: bytes, limits)
                ?? PlainPicture(coding: Raster(scene.color().inSRGB), quality: quality)
        }
        let encoded = try EncodedFrame(
            form, name: Self.name(0), time: 0,
            depth: FramePlane(depth), picture: picture, camera: camera.calibration,
            pose: .identity)
        for file in encoded.files { try folder.write(file.bytes, to: file.path) }
        var losses = DataSetLosses()
        losses.add(encoded)
        diagnostics += losses.diagnostics([encoded.frame], form, quality: quality)
        if camera.calibration.distortion != nil {
            diagnostics.append(
                .note(.assumedCamera, "the data set does not hold the distortion of the lens"))
        }
        let cloud = try form.hasPoints ? Self.cloud(of: scene, depth, sourceName) : nil
        diagnostics += cloud?.diagnostics.filter { $0.code != .assumedCamera } ?? []
        try finish([encoded.frame], cloud?.pointSource, form, to: folder)
    }

    /// The points of a scene where its picture shows them: without correction of a lens that the data set does not hold.
    private static func cloud(
        of scene: DepthScene, _ depth: DepthMap, _ source: String
    ) throws -> ExportedCloud {
        guard let voxel = SceneVoxel(depth.meters) else { throw FusionError.noPoints }
        var export = CloudExport()
        (export.axes, export.voxelSize) = (.opencv, voxel.size)
        export.correctsLens = depth.calibration?.distortion == nil
        export.sourceName = source
        return try scene.cloud(export)
    }

    /// Writes the lists and the cloud.
    private mutating func finish(
        _ frames: [DataSetFrame], _ cloud: (any CloudSource)?, _ form: DataSetForm, to folder: OutputFolder
    ) throws {
        (frameCount, poseCount) = (frames.count, frames.count { $0.pose != nil })
        pictureCount = frames.count { $0.picture != nil }
        pointCount = cloud?.header.pointCount
        let files: [DataSetFile]
        switch form {
        case .tum: files = TUMLists(frames).files
        case .nerfstudio: files = try TransformsFile(frames).files(cloud)
        case .colmap:
            let model = SparseModel(frames, points: cloud?.collected() ?? PointCloud())
            let unseen = (pointCount ?? 0) - model.pointCount
            if unseen > 0 {
                let text =
                    "\(unseen) points of the cloud are seen in fewer than two pictures, and not in the model"
                diagnostics.append(.note(.omittedSamples, text))
            }
            pointCount = model.pointCount
            files = model.files
        }
        for file in files { try folder.write(file.bytes, to: file.path) }
    }

    /// The name of a frame, by its index in the recording.
    private static func name(_ index: Int) -> String {
        let digits = "\(index)"
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    /// If memory does not suffice, voxels become larger, up to this many times.
    private static let largestFactor: Float = 64

    /// Fuses a recording. Each frame is decoded once, unless memory does not suffice.
    private mutating func fuse(
        _ recording: Recording, _ voxel: SceneVoxel?, _ form: DataSetForm, _ source: String
    ) throws -> any CloudSource {
        guard let voxel else { throw FusionError.noPoints }
        var options = FusionOptions(voxelSize: voxel.size)
        while true {
            do throws(FusionError) {
                let fused = try FusedRecording(recording, options, sourceName: source)
                // Damaged frames are reported once, by their indices in the recording.
                diagnostics += fused.diagnostics.filter { $0.code != .unreadablePlane }
                guard fused.pointCount > form.mostPoints else { return fused.cloud }
                // Points become fewer by the square of the voxel's edge.
                let factor = (Float(fused.pointCount) / Float(form.mostPoints)).squareRoot() * 1.1
                return CoarserCloud(fused.cloud, voxelSize: options.voxelSize * factor)
            } catch {
                guard case .exceedsMemory = error, options.voxelSize < voxel.size * Self.largestFactor
                else { throw error }
                options.voxelSize *= 2
            }
        }
    }
}

/// A cloud with one point for each occupied cube of a coarser grid.
private struct CoarserCloud: CloudSource {
    let header: CloudHeader
    private let points: PointCloud

    /// The mean of the points of a cloud in each cube of this edge, in meters.
    init(_ cloud: some CloudSource, voxelSize: Float) {
        let all = cloud.collected()
        // A fused cloud spans fewer cubes than the grid can number.
        points = (try? all.downsampled(voxelSize: voxelSize)) ?? all
        let (header, found) = (cloud.header, points.header)
        self.header = CloudHeader(
            pointCount: found.pointCount, minimum: found.minimum, maximum: found.maximum,
            hasColors: header.hasColors, hasNormals: header.hasNormals,
            hasConfidences: header.hasConfidences, splatSpacing: points.splatSpacing, tool: header.tool,
            comments: header.comments.map { $0.hasPrefix("voxel ") ? "voxel \(voxelSize) m" : $0 })
    }

    var pieceCount: Int { points.pieceCount }

    func append(piece index: Int, to cloud: inout PointCloud) { points.append(piece: index, to: &cloud) }
}
