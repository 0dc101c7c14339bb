package import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Geometry
package import Recordings
package import Scenes

extension FusedMesh {
    /// A texture is made of the sharpest of every three pictures, with these limits of their number. Shorter recordings give all.
    private static let mostPictures = 200
    private static let leastPictures = 60
    /// The longer side of a texture: every graphics card supports this.
    private static let longestSide = 4096
    /// The quality of the texture, from which on JPEG keeps all texels of color.
    private static let quality = 95
    /// Texels for the edge of a voxel, at most: surfaces are not known well enough for more.
    private static let mostTexels: Float = 16

    /// The surface with a texture of the recording's pictures, whose exposures are made equal; unchanged, and without a texture, if no
    /// frame has a picture and a pose, and, with a warning, if the surface is in too many parts.
    ///
    /// A picture that cannot be decoded is skipped. Throws ``FusionError``, errors of a movie that cannot be opened, and `WriteError`.
    package func textured(
        by recording: Recording, _ selection: FrameSelection
    ) throws -> (mesh: FusedMesh, diagnostics: [Diagnostic]) {
        guard recording.hasColor else { return (self, []) }
        var options = DataSetOptions()
        options.selection = selection
        let all = selection.indices(in: recording).count
        options.maximumFrames = min(max(Self.leastPictures, all / 3), Self.mostPictures)
        options.takesSharpest = all > Self.leastPictures
        let choice = try FrameChoice(recording, needsPictureAndPose: true, options)
        guard !choice.indices.isEmpty else { return (self, []) }
        let chosen = recording.keeping(choice.indices)
        let room = Double(recording.limits[.memoryBytes] / SurfaceTexture.bytesPerTexel / 4)
        let longestSide = min(Self.longestSide, max(64, Int(room.squareRoot())))
        let texture = SurfaceTexture(
            mesh, voxelSize: voxelSize, texelSize: texelSize(in: chosen), longestSide: longestSide)
        guard let texture else {
            let words = "the surface is in too many parts for a texture, and has the colors of its vertices"
            return (self, [.warning(.omittedSamples, words)])
        }
        try chosen.checkMovie()
        var pictureCount = 0
        try SceneLoop().forEach(RecordingReader(chosen), [.picture]) { frame in
            let scene = frame.scene
            guard case .success = frame.result, let pose = scene.description.pose,
                let picture = (try? scene.color()).map({ FramePlane<RGB<UInt8>>($0) }),
                let camera = chosen.calibration(of: chosen.frames[frame.index])
            else { return }
            let scaled = camera.scaled(toWidth: picture.width, height: picture.height)
            texture.add(picture, Intrinsics(scaled), pose)
            pictureCount += 1
        }
        guard !Interruption.isRequested else { throw FusionError.interrupted }
        guard pictureCount > 0 else { return (self, []) }
        let sheet = texture.pixels()
        let raster = Raster(width: sheet.width, height: sheet.height, samples: .color(.uint8(sheet.pixels)))
        let file = try PlainPicture(coding: raster, quality: Self.quality).bytes
        var diagnostics: [Diagnostic] = []
        if sheet.unseenShare >= 0.005 {
            let percent = Float(100 * sheet.unseenShare).short
            let words = pictureCount == 1 ? "the picture does" : "\(pictureCount) pictures do"
            diagnostics.append(
                .note(
                    .omittedSamples,
                    "\(words) not show \(percent) % of the surface, where the texture has the colors of vertices"
                ))
        }
        return (showing(texture.texturedMesh(), texture: file), diagnostics)
    }

    /// The edge that a pixel of the nearest picture has on the surface, in meters. On a quarter of the surface it is smaller.
    private func texelSize(in recording: Recording) -> Float {
        let cameras = recording.frames.compactMap {
            frame -> (pose: CameraPose, camera: Intrinsics, SIMD2<Double>)? in
            guard let pose = frame.pose, let camera = recording.calibration(of: frame) else { return nil }
            let size = recording.colorSize ?? PixelSize(width: camera.width, height: camera.height)
            return (
                pose, Intrinsics(camera.scaled(toWidth: size.width, height: size.height)),
                SIMD2(Double(size.width), Double(size.height))
            )
        }
        let positions = mesh.vertices.positions
        let edges = stride(from: 0, to: positions.count, by: max(1, positions.count / 2000)).compactMap {
            index in
            cameras.compactMap { pose, camera, size -> Float? in
                let point = pose.camera(SIMD3<Double>(positions[index]))
                guard point.z > 0 else { return nil }
                let pixel = SIMD2(
                    point.x / point.z * camera.fx + camera.cx, point.y / point.z * camera.fy + camera.cy)
                guard pixel.min() >= 0, (size - pixel).min() > 0 else { return nil }
                return Float(point.z / camera.fx)
            }.min()
        }.sorted()
        guard !edges.isEmpty else { return voxelSize / Self.mostTexels }
        return max(edges[edges.count / 4], voxelSize / Self.mostTexels)
    }
}
