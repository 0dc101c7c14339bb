package import Bytes
internal import DepthTypes
package import Embedded
internal import Movies
internal import PhotoFormats
internal import Scenes

/// Movies: Azure Kinect's, Record3D's of hues and colors, those of two eyes, and any other of color, of 16-bit depth, or of both.
package enum MovieReader {
    /// Lists the frames of a movie without decoding one.
    ///
    /// Throws ``ContainerError`` if the file cannot be read or has too many frames, and the errors of ``MovieSource`` if it is
    /// not a readable movie, or if FFmpeg's libraries are missing.
    static func read(
        _ path: String, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws -> RecordingDraft {
        let file = try FileSource(path: path, limits: limits)
        let movie = try MovieSource(
            contentsOf: path, unitsPerMeter: reading.scale, limits: limits)
        let hue =
            try HueDepth(ofMovie: file, limits: limits)
            ?? HueDepth(describedIn: Array(movie.comment.utf8), limits: limits)
        let list = try movie.list(limits)
        let description = movie.description
        let isHue = hue != nil && description.depth == nil && description.colorSize?.width ?? 0 >= 2
        var draft = RecordingDraft(isHue ? .record3DMovie : layout(of: movie))
        draft.title = draft.layout == .movie ? movie.extent.title : nil
        draft.diagnostics = movie.diagnostics
        draft.colorSize = description.colorSize
        draft.depthSize = description.depth?.size
        draft.scale = description.depth?.scale ?? .unitless
        draft.coding.depth.unitsPerMeter = movie.unitsPerMeter
        draft.eyes = description.eyes
        draft.cutCount = movie.extent.missingCount
        draft.rate = movie.extent.rate ?? list.meanRate
        if isHue, let hue, let size = description.colorSize {
            draft.use(hue, half: HueDepth.half(size))
        } else {
            draft.register(movie, limits)
            draft.match(movie)
        }
        draft.diagnostics += remarks(on: draft)
        draft.movie = StoredMovie(
            path, unitsPerMeter: reading.scale, times: list, hasSound: movie.sound != nil)
        let planes = draft.moviePlanes(mattes: isHue ? [] : description.mattes)
        for (number, time) in list.seconds.enumerated() {
            var frame = RecordedFrame(number: number, time: time)
            frame.movie = MoviePart(time: time, planes: planes)
            try draft.append(frame, limits)
        }
        return draft
    }

    private static func layout(of movie: MovieSource) -> RecordingLayout {
        if movie.isAzureKinect { return .azureKinect }
        return movie.isCinematic ? .cinematicMovie : movie.description.eyes != nil ? .spatialMovie : .movie
    }

    /// What to know about eyes.
    private static func remarks(on draft: RecordingDraft) -> [Diagnostic] {
        guard let eyes = draft.eyes else { return [] }
        if !eyes.areBothRead {
            let reason =
                eyes.isLayered
                ? "the other one needs FFmpeg 7.1 or newer, and this is \(MovieLibrary.version ?? "missing")"
                : "the file has no second layer or track"
            return [.note(.eyes, "one eye of this spatial video is read: \(reason)")]
        }
        return [
            draft.depthSize == nil
                ? .note(
                    .eyes,
                    "there is no depth: it takes a baseline, a field of view and pictures of plain cameras, side by side"
                )
                : .note(.eyes, "depth is computed from both eyes of each frame")
        ]
    }

    /// Whether the file at a path begins as movies do.
    package static func isMovie(_ path: String) -> Bool {
        guard let start = try? FileSource(path: path).readPrefix(at: 0, count: 16) else { return false }
        return recognizes(start)
    }

    /// Whether a file begins as movies do: MP4 and QuickTime, Matroska, AVI.
    package static func recognizes(_ start: [UInt8]) -> Bool {
        guard start.count >= 12 else { return false }
        let isBaseMedia = [Array("ftyp".utf8), Array("moov".utf8), Array("mdat".utf8), Array("wide".utf8)]
            .contains(Array(start[4..<8]))
        return isBaseMedia || start.starts(with: [0x1A, 0x45, 0xDF, 0xA3])
            || start.starts(with: Array("RIFF".utf8)) && start[8..<12].elementsEqual("AVI ".utf8)
    }

    /// Whether a file may be a movie of another kind: an animated GIF or WebP picture, or an MPEG transport stream.
    package static func mayBeOther(_ path: String) -> Bool {
        guard let start = try? FileSource(path: path).readPrefix(at: 0, count: 12), start.count == 12 else {
            return false
        }
        return start.starts(with: Array("GIF8".utf8)) || start[0] == 0x47
            || start.starts(with: Array("RIFF".utf8)) && start[8...].elementsEqual("WEBP".utf8)
    }

    /// The only movie with depth in a folder, or at most two levels below; `nil` if there is not exactly one.
    package static func onlyOne(inFolder path: String, limits: DecodingLimits) -> String? {
        var found: [String] = []
        var level = [path]
        for _ in 0..<3 {
            var next: [String] = []
            for name in level {
                guard let folder = try? RecordingFolder(name) else { continue }
                // A folder with more files holds frames or photos.
                guard folder.files.count <= 100, next.count <= 100 else { return nil }
                found += folder.files.map(folder.path(of:)).filter { file in
                    ["mp4", "mov", "mkv"].contains(file.lastPathComponent.pathExtension)
                        && mayHoldDepth(file, limits: limits)
                }
                next += folder.folders.map(folder.path(of:))
            }
            level = next
        }
        return found.count == 1 ? found[0] : nil
    }

    /// Whether a file may be a movie with depth, by its first and last bytes: Matroska, or one with Record3D's mark.
    package static func mayHoldDepth(_ path: String, limits: DecodingLimits) -> Bool {
        guard let file = try? FileSource(path: path, limits: limits),
            let start = try? file.readPrefix(at: 0, count: 4)
        else { return false }
        if start == [0x1A, 0x45, 0xDF, 0xA3] { return true }
        return (try? HueDepth(ofMovie: file, limits: limits)) != nil
    }
}

extension RecordingDraft {
    /// Depth is a hue beside the picture.
    fileprivate mutating func use(_ hue: HueDepth, half: PixelSize) {
        (coding.hue, colorSize, depthSize) = (hue, half, half)
        (scale, coding.depth.unitsPerMeter) = (.absolute, nil)
        if let camera = hue.intrinsics { (intrinsics, cameraFrame) = (camera, half) }
    }

    /// Registers depth to the pictures, by the cameras that an Azure Kinect attaches to its movie.
    fileprivate mutating func register(_ movie: MovieSource, _ limits: DecodingLimits) {
        guard movie.isAzureKinect, let colorSize, let measured = depthSize,
            let bytes = movie.attachment(KinectCalibration.attachment, atMost: limits[.metadataBytes])
        else { return }
        do throws(ContainerError) {
            let cameras = try KinectCalibration(bytes, depth: measured, color: colorSize, limits: limits)
                .cameras
            let grid = RegisteredGrid(cameras, color: colorSize)
            coding.registration = CameraRegistration(cameras: cameras, depth: measured, color: colorSize)
            (depthSize, intrinsics, cameraFrame) = (grid.size, cameras.color.camera, colorSize)
            needsOwnCamera = true
            diagnostics =
                [grid.note] + diagnostics.filter { $0.code != MovieSource.differentViewCode }
        } catch {
            diagnostics.append(Diagnostic(error))
        }
    }

    /// Depth is computed from the pictures of both eyes, side by side, if baseline and field of view are known.
    fileprivate mutating func match(_ movie: MovieSource) {
        guard let eyes, eyes.areBothRead, let size = colorSize, eyes.isOfPlainCameras, !movie.isSideways,
            eyes.baseline != nil
        else { return }
        let view = CodedView(fileOfWidth: size.width, height: size.height, orientation: .up)
        var pair = StereoPair(left: view, right: view, source: RecordingLayout.spatialMovie.rawValue)
        (pair.baseline, pair.horizontalFieldOfView) = (eyes.baseline, eyes.horizontalFieldOfView)
        guard pair.computedScale.hasUnit, let camera = pair.camera else { return }
        (coding.eyes, depthSize, scale, needsOwnCamera) = (pair, size, pair.computedScale, true)
        coding.depth.unitsPerMeter = nil
        cameraFrame = PixelSize(width: camera.width, height: camera.height)
        intrinsics = Intrinsics(
            fx: camera.focalLengthX, fy: camera.focalLengthY, cx: camera.principalPointX,
            cy: camera.principalPointY)
    }

    /// The planes of each frame of the movie.
    fileprivate func moviePlanes(mattes: [PlaneKind]) -> Set<PlaneID> {
        var planes = Set(mattes.map { PlaneID.plane($0, 0) })
        if colorSize != nil { planes.insert(.picture) }
        if depthSize != nil { planes.insert(.depth) }
        if eyes?.areBothRead ?? false { planes.insert(.eye(.right)) }
        return planes
    }
}

extension RecordedEyes {
    /// Whether each eye is a plain camera: a picture of a sphere or of a fisheye lens has no focal length.
    fileprivate var isOfPlainCameras: Bool { projection.map { $0 == "rect" } ?? true }

    /// What the file declares, for a person.
    package var facts: [String] {
        var facts: [String] = []
        if let baseline { facts.append("\(Float(baseline * 1000).short) mm apart") }
        if let horizontalFieldOfView { facts.append("field of view \(Float(horizontalFieldOfView).short)°") }
        if let hero { facts.append("\(hero.rawValue) is the main eye") }
        if let projection, !isOfPlainCameras { facts.append("projection \(projection)") }
        return facts
    }

    /// Which eyes are read, for a person.
    package var names: String {
        areBothRead
            ? "left and right" : firstIsRight ? "right (left is not read)" : "left (right is not read)"
    }
}

extension SceneSequence {
    /// A movie or a stream in the schema `isobath.recording/1`.
    package func record(path: String, layout: RecordingLayout = .movie, warnings: [String]) -> JSONValue {
        let (extent, frame) = (extent, description)
        var record = RecordingRecord(
            path: path, layout: layout, frames: extent.frameCount ?? 0, seconds: extent.seconds,
            rate: extent.rate, warnings: warnings)
        if let size = frame.colorSize { record.color = RecordingRecord.size(size) }
        if let depth = frame.depth {
            record.depth = RecordingRecord.depth(
                depth.size, depth.scale, unitsPerMeter: depth.scale.hasUnit ? depth.unitsPerMeter : nil)
        }
        record.camera = RecordingRecord.camera(
            frame.calibrationOfFrame, isPerFrame: false, frame.cameras.given == nil ? .file : .given)
        if let eyes = frame.eyes { record.eyes = RecordingRecord.eyes(eyes) }
        if !frame.mattes.isEmpty { record.mattes = RecordingRecord.mattes(frame.mattes, count: nil) }
        return record.json
    }
}

extension Diagnostic.Code {
    /// Which eyes of a spatial video are read, and what follows from it.
    static let eyes: Self = "eyes"
}
