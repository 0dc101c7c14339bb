internal import Embedded
internal import Isobath
internal import Reconstruction
internal import Recordings

extension CloudJob {
    /// Writes those of the cloud and the camera's path that are among `files`.
    func write(
        _ recording: Recording, to files: [String], output: String, _ file: Input,
        _ reporter: Reporter
    ) throws {
        closeOnInterrupt()
        let input = file.path
        if !isLevel {
            let reason = "a recording has the axes of its poses, unless --level turns it upright"
            try arguments.refuse("axes", because: reason, file, reporter)
        }
        if files.contains(output) { try check(recording, output) }
        reporter.report(recording.diagnostics, of: input)
        let followed = try FollowedRecording(
            recording, selection, uprightIn: isLevel ? export.axes : nil)
        reporter.report(followed.diagnostics, of: input)
        if files.contains(output) { try write(followed, to: output, input, reporter) }
        guard let trajectory, files.contains(trajectory) else { return }
        try writePath(of: followed.recording, to: trajectory, input, reporter)
    }

    /// Throws for flags that do not fit the cloud.
    private func check(_ recording: Recording, _ output: String) throws {
        if treatment.minimumConfidence != nil, !recording.hasConfidence { throw SceneError.noConfidencePlane }
        if let trajectory, OutputFile.isSamePlace(trajectory, output) {
            throw Failure("--trajectory names the file of the cloud; give it a name of its own")
        }
    }

    /// Fuses the frames of a recording, and writes the cloud.
    private func write(
        _ followed: FollowedRecording, to output: String, _ input: String, _ reporter: Reporter
    ) throws {
        let recording = followed.recording
        try recording.requireMetricDepth()
        guard let voxel = export.voxelSize ?? SceneVoxel(of: recording, selection)?.size else {
            throw FusionError.noPoints
        }
        if export.voxelSize == nil {
            let words = "voxels have an edge of \(voxel.short) m, about a hundredth of the usual distance"
            reporter.remark("\(words); --voxel sets it", of: input)
        }
        var options = FusionOptions(voxelSize: voxel)
        options.near = export.options.near
        options.far = export.options.far
        options.keepsEdges = export.options.keepsEdges
        options.stride = export.options.stride
        options.minimumConfidence = treatment.minimumConfidence ?? options.minimumConfidence
        options.hasNormals = export.options.hasNormals
        options.hasSplats = export.options.hasSplats
        let fused = try FusedRecording(
            recording, options, selection, tool: export.tool,
            sourceName: OutputDestination.name(of: input))
        reporter.report(fused.diagnostics, of: input)
        reporter.reportStop(after: fused.frameCount, of: selection.indices(in: recording).count, input)
        var surface = export.isMesh ? try mesh(of: fused, input, reporter) : nil
        if export.hasTexture, let textured = try surface?.textured(by: recording, selection) {
            surface = textured.mesh
            reporter.report(textured.diagnostics, of: input)
        }
        let isWritten = try existing.save(output, reporter) { [surface] in
            if let surface {
                return try surface.write(to: $0, as: format, isText: isText, texture: surface.texture)
            }
            try fused.cloud.write(with: format.encoder(fused.cloud.header, isText: isText), to: $0)
        }
        guard isWritten else { return }
        let losses = Losses(damaged: fused.damagedFrames, missing: recording.skippedCount)
        reporter.conclude(
            fused.summary(losses, surface) + " → \(output == "-" ? "standard output" : output)", of: input,
            isLossy: !losses.text.isEmpty)
        reporter.add([("output", .text(output)), ("format", .text(format.rawValue))])
        reporter.add(fused.record(followed, voxel, surface))
    }

    /// The surface as triangles.
    private func mesh(of fused: FusedRecording, _ input: String, _ reporter: Reporter) throws -> FusedMesh {
        let surface = try fused.cloud.mesh(
            maximumError: export.maximumMeshError, maximumTriangles: export.maximumTriangles)
        if surface.speckCount > 0 {
            let pieces = surface.speckCount == 1 ? "1 piece" : "\(surface.speckCount) pieces"
            reporter.remark("\(pieces) of fewer than 50 triangles removed", of: input)
        }
        if let most = export.maximumTriangles, surface.triangleCount > most {
            reporter.remark(
                "\(surface.triangleCount) triangles remain: with \(most), parts of the surface would turn over",
                of: input)
        }
        return surface
    }

    /// Writes the path of the camera.
    private func writePath(
        of recording: Recording, to file: String, _ input: String, _ reporter: Reporter
    ) throws {
        let path = CameraPath(recording, selection)
        let bytes =
            file.pathExtension == "ply"
            ? path.ply : Array("\(path.transforms(in: file.folderPath).serialized)\n".utf8)
        guard try existing.save(file, reporter, { try $0.write(bytes: bytes) }) else { return }
        reporter.conclude("camera path → \(file)", of: input)
    }
}

extension FusedRecording {
    /// Points, size, and how well poses fit, on one line.
    fileprivate func summary(_ losses: Losses, _ surface: FusedMesh?) -> String {
        let size = cloud.header.maximum - cloud.header.minimum
        let triangles = surface.map { ", \($0.triangleCount) triangles" } ?? ""
        let fit = check?.error.map { ", poses fit to \(Float($0 * 1000).short) mm" } ?? ""
        return
            "\(surface?.vertices.header.pointCount ?? cloud.header.pointCount) points\(triangles) of \(frameCount) \(frameCount == 1 ? "frame" : "frames")\(losses.text), \(size.x.short) × \(size.y.short) × "
            + "\(size.z.short) m\(fit)"
    }

    /// The fields of `isobath.cloud/1`.
    fileprivate func record(
        _ followed: FollowedRecording, _ voxel: Float, _ surface: FusedMesh?
    ) -> [(String, JSONValue)] {
        let recording = followed.recording
        func numbers(_ point: SIMD3<Float>) -> JSONValue {
            .array([point.x, point.y, point.z].map { .number(Double($0.description) ?? Double($0)) })
        }
        let header = cloud.header
        return [
            ("points", .integer(surface?.vertices.header.pointCount ?? header.pointCount)),
            ("triangles", surface.map { .integer($0.triangleCount) } ?? .null),
            ("meshError", surface.map { .number(Double($0.error.inner)) } ?? .null),
            ("meshRimError", surface.map { .number(Double($0.error.rim)) } ?? .null),
            ("meshErrorUnit", surface.map { _ in .text("m") } ?? .null),
            (
                "bounds",
                .object([("minimum", numbers(header.minimum)), ("maximum", numbers(header.maximum))])
            ),
            ("unit", .text("m")), ("accuracy", .text(recording.scale.accuracy.rawValue)),
            ("axes", .text(followed.level?.axes.rawValue ?? "world")), ("colors", .bool(header.hasColors)),
            ("normals", .bool(header.hasNormals)), ("splats", .bool(header.splatSpacing != nil)),
            ("layout", .text(recording.layout.rawValue)), ("frames", .integer(frameCount)),
            ("damagedFrames", .array(damagedFrames.map { .integer($0) })),
            ("missing", .integer(recording.skippedCount)),
            ("voxel", .number(Double(voxel.description) ?? Double(voxel))),
            ("voxels", .integer(header.pointCount + cloud.rareCount)),
            ("rare", .integer(cloud.rareCount)), ("ghosts", .integer(cloud.ghostCount)),
            (
                "poses",
                .object([
                    ("convention", .optional(recording.convention?.rawValue)),
                    ("reprojectionError", .optional(check?.error)),
                    ("fitsBetter", .optional(check?.better?.rawValue)),
                    ("estimate", followed.estimate?.record ?? .null),
                ])
            ),
            ("level", followed.level?.record ?? .null),
        ]
    }
}

extension EstimatedPath {
    fileprivate var record: JSONValue {
        .object([
            ("frames", .integer(frameCount)), ("followed", .integer(followedCount)),
            ("worldFrame", .integer(worldFrame)),
            ("lostFrames", .array(lostFrames.map { .integer($0) })), ("otherParts", .integer(otherParts)),
            ("depthError", .optional(depthError)), ("positionDeviation", .optional(positionDeviation)),
        ])
    }
}

extension RecordingLevel {
    fileprivate var record: JSONValue {
        .object([
            ("source", .text(source.rawValue)), ("tilt", .number(tilt)),
            ("floorAngle", .optional(floorAngle)), ("floorShare", .optional(floorShare)),
            ("floorFlatness", .optional(floorFlatness)),
        ])
    }
}
