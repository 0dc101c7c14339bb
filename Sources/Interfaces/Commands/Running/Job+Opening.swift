internal import Isobath
internal import Movies
internal import PhotoFormats
internal import RasterFormats
internal import Recordings
internal import Scenes

extension Job {
    /// Opens an input by its contents; `-` is standard input. Reports flags that have no effect on it.
    ///
    /// `asFrames`: open a file that is both a photo and a movie, such as an animated PNG, as a movie. `isPaired`: pair
    /// a photo without depth with the depth image beside it.
    func open(
        _ file: inout Input, asFrames: Bool = false, isPaired: Bool = true, _ reporter: Reporter
    ) throws -> any SceneSequence {
        let opened = try find(&file, asFrames: asFrames, isPaired: isPaired)
        if !file.isNamed, !(self is InfoJob), opened.description.file?.hasRecord == true {
            throw ContainerError(.unrecognized(detail: "Isobath wrote it"))
        }
        try arguments.check(opened.kind(isStereo: reading.isStereo), file, reporter)
        try checkDetails(of: opened, file, reporter)
        return opened
    }

    /// Refuses flags that affect other inputs of this kind, but not this one.
    private func checkDetails(
        of opened: any SceneSequence, _ file: Input, _ reporter: Reporter
    ) throws {
        func refuse(_ names: [String], _ reason: String) throws {
            for name in names { try arguments.refuse(name, because: reason, file, reporter) }
        }
        let scene = opened.description
        switch opened.kind() {
        case .photo, .raster, .pair:
            let (file, stereo) = (scene.file, scene.stereo)
            if stereo != nil, !reading.isStereo, !scene.isMatchable {
                let stored = "the depth of this stereo pair is stored, and not computed"
                try refuse((arguments.verb == Cloud.self ? [] : ["camera"]) + ["no-rectify"], stored)
            }
            if let file, file.kind == .raster {
                let title = "this is a raster of type \(file.format)"
                if !["exr", "npz"].contains(file.format) { try refuse(["channel"], title) }
            } else if let stereo, stereo.cameraOrigin == .file, file?.usesReading == false {
                try refuse(["camera", "baseline"], "this stereo pair has a camera of its own")
            }
        case .frame, .recording, .movie:
            guard opened.still != nil || opened.recording != nil else { break }
            for (flag, reason) in opened.recording?.unusedFlags ?? [] { try refuse([flag], reason) }
            if opened.recording?.poseCount == 0 {
                try refuse(["pose-convention"], "the recording stores no poses")
            }
            guard !Recording.isPattern(file.path) else { break }
            try refuse(["color"], "this recording has color of its own, and is not numbered depth images")
        default: break
        }
    }

    private func find(
        _ file: inout Input, asFrames: Bool, isPaired: Bool
    ) throws -> any SceneSequence {
        if Self.readsFrames || reading.frame != nil,
            let stream = try reading.openStream(&file, limits: limits)
        {
            return try still(of: stream)
        }
        if reading.frame != nil || asFrames, let found = try findFrames(file) { return try still(of: found) }
        do {
            if reading.options.rightPath != nil, arguments.isBatch {
                throw UsageError("--right is the right picture of one input, and there may be several inputs")
            }
            let scene = try openInput(file, reading: reading.options, limits: limits)
            return try isPaired
                ? paired(scene, file, reading: reading.options, limits: limits) : SingleScene(scene)
        } catch let error as ContainerError where error.mayBeRecording(file) {
            return try still(of: openFrames(file, else: error.expecting(what: file)))
        } catch let error as ContainerError where asFrames && file.path == "-" && error.isForeignFile {
            throw Y4MHeader.notRecognized
        }
    }

    /// A recording or a movie; `nil` for an input to open as a photo, which gives a better error.
    private func findFrames(_ file: Input) throws -> (any SceneSequence)? {
        guard file.source == nil else { return nil }
        let unknown = ContainerError(.unrecognized(detail: ""))
        do {
            let opened = try openFrames(file, asFrames: true, else: unknown)
            // FFmpeg reads photos as movies with one frame, and version 7 their planes as more tracks.
            guard opened.kind() != .recording, opened.extent.frameCount ?? 1 < 2 else { return opened }
            return (try? openInput(file, reading: reading.options, limits: limits)) == nil ? opened : nil
        } catch {
            guard error as? ContainerError != unknown else { return nil }
            if (try? openInput(file, reading: reading.options, limits: limits)) != nil { return nil }
            throw error
        }
    }

    /// How inputs with frames are opened, in this order. Each returns `nil` for inputs of another kind.
    private var openers: [(_ file: Input, _ asFrames: Bool) throws -> (any SceneSequence)?] {
        [openRecording, openY4M, openMovie]
    }

    /// Opens an input that is not a photo. If it is not a recording or a movie either, throws `error`, from opening it
    /// as a photo.
    private func openFrames(
        _ file: Input, asFrames: Bool = false, else error: ContainerError
    ) throws -> any SceneSequence {
        if !file.isNamed, isMovie(file.path), !MovieReader.mayHoldDepth(file.path, limits: limits) {
            throw error
        }
        for open in openers {
            do {
                if let frames = try open(file, asFrames) { return frames }
            } catch let other as ContainerError where other == Recording.unrecognized || error.isLimit {
                continue
            }
        }
        throw error
    }

    private func openRecording(_ file: Input, asFrames: Bool) throws -> (any SceneSequence)? {
        let recording = try Recording(storedIn: file.path, reading: reading.options, limits: limits)
        guard file.isNamed || !recording.layout.isMovie || recording.hasDepth else { return nil }
        return RecordingReader(recording, isUpright: !reading.options.keepsOrientation)
    }

    private func openY4M(_ file: Input, asFrames: Bool) throws -> (any SceneSequence)? {
        try file.isNamed ? reading.openFile(file.path, limits: limits) : nil
    }

    private func openMovie(_ file: Input, asFrames: Bool) throws -> (any SceneSequence)? {
        guard file.isNamed, !FolderEntry.isFolder(file.path), asFrames || MovieReader.mayBeOther(file.path)
        else { return nil }
        do {
            let scale = reading.options.scale
            return try MovieSource(contentsOf: file.path, unitsPerMeter: scale, limits: limits)
        } catch is MovieError {
            return nil
        }
    }

    /// The opened input, or its frame to use as a photo.
    private func still(of opened: any SceneSequence) throws -> any SceneSequence {
        guard let index = reading.frame, opened.still == nil else { return opened }
        guard let recording = opened.recording else { return SingleScene(try opened.scene(at: index)) }
        for (flag, reason) in recording.unusedFlags
        where flag == "topic" ? !reading.options.topics.isEmpty : reading.options.camera != nil {
            throw UsageError("--\(flag) has no effect: \(reason)")
        }
        return SingleScene(try recording.scene(at: index))
    }

    /// The scene with treated and perhaps computed depth.
    func scene(
        of opened: DepthScene, _ file: Input, treatment: MapTreatment = MapTreatment(),
        dequantizesCoarse: Bool = false, network: NetworkUse? = nil, _ reporter: Reporter
    ) throws -> DepthScene {
        var scene = reading.isStereo ? try opened.matchingEyes() : opened.matched
        if let network {
            let (computed, computation) = try network.scene(for: scene, limits: limits)
            if let computation { reporter.remark(computation, of: file.path) }
            scene = computed
        }
        var treatment = treatment
        if dequantizesCoarse, scene.description.depth?.coding?.isCoarse == true {
            treatment.dequantizes = true
        }
        return scene.treated(treatment)
    }
}

extension Recording {
    /// The flags that would have no effect on it, and why.
    fileprivate var unusedFlags: [(flag: String, reason: String)] {
        guard layout.isMovie else {
            return topics == nil ? [("topic", RecordingError.noTopics.description)] : []
        }
        guard cameraOrigin != .given else { return [] }
        let reason =
            hasDepth ? "the depth of this movie needs the camera that it states" : "this movie has no depth"
        return [("camera", reason)]
    }
}

extension SceneSequence {
    /// The recording, or the movie of a known layout, that it reads; `nil` for other movies, streams and photos.
    var recording: Recording? {
        // Without the type, this would be the property of this extension.
        (self as? RecordingReader).map { reader -> Recording in reader.recording }
    }

    /// The kind of input, with or without stereo matching.
    func kind(isStereo: Bool = false) -> InputKinds {
        if let still {
            if still.description.index != nil { return .frame }
            let isRead = still.description.file?.usesReading == true && !isStereo
            return isRead ? .raster : still.description.stereo != nil ? .pair : .photo
        }
        if let recording { return recording.layout.isMovie ? .movie : .recording }
        return self is PipeSource ? .stream : .movie
    }

    /// The error where one picture is needed.
    var needsFrame: Failure {
        let kind = kind()
        let title =
            switch kind {
            case .recording: "\(kind.title) (\(extent.title))"
            case .movie where recording != nil: kind.title
            default: "\(kind.title), \(extent.title)"
            }
        return Failure("this is \(title), but one picture is needed; --frame N takes one of its frames")
    }

    /// The error where all frames of a recording are needed for `result`.
    func needsRecording(for result: String) -> Failure {
        let kind = kind()
        let reason =
            kind == .movie && description.depth == nil
            ? "this movie (\(extent.title)) has no depth"
            : "this is \(kind.title), whose frames can be read only once"
        return Failure("\(reason), and \(result) of all frames needs a recording; --frame N takes one")
    }
}

/// Whether a file has the signature of a movie.
func isMovie(_ path: String) -> Bool { MovieReader.isMovie(path) }

/// Whether a file has the signature of a ZIP archive.
private func isArchive(_ path: String) -> Bool {
    guard let start = try? FileSource(path: path).readPrefix(at: 0, count: 4) else { return false }
    return start == [0x50, 0x4B, 3, 4]
}

extension ContainerError {
    /// Whether the error is an exceeded limit, which the user may raise.
    var isLimit: Bool {
        if case .limitExceeded = reason { true } else { false }
    }

    /// Whether an input that is not a photo may be a recording: a folder, a file of an unknown kind, or a pattern of
    /// numbered files.
    func mayBeRecording(_ input: Input) -> Bool {
        guard input.source == nil, input.path != "-" else { return false }
        return switch reason {
        case .folder, .unrecognized, .possiblyHeaderless: true
        case .unreadable: Recording.isPattern(input.path)
        // A truncated archive, or one with more members than the limit of arrays, may still be a recording.
        case .malformed, .limitExceeded: isArchive(input.path)
        default: false
        }
    }
}

extension ContainerError {
    /// The error for a file whose name promises something that it is not.
    fileprivate func expecting(what file: Input) -> ContainerError {
        guard file.isNamed, message.hasPrefix(unknownKind) else { return self }
        switch file.path.pathExtension {
        case "aae":
            return ContainerError(
                .unrecognized(detail: "this file holds the edits of a photo; name the photo beside it"))
        case "bag", "db3", "mcap", "r3d", "sens":
            let name = ".\(file.path.pathExtension)"
            return ContainerError(
                .unrecognized(detail: "this is not a recording: it does not begin as \(name) files do"))
        case "mov", "mp4", "m4v", "mkv", "webm", "avi":
            return ContainerError(
                .unrecognized(detail: "this is not a movie that FFmpeg's libraries can read"))
        default: return self
        }
    }
}
