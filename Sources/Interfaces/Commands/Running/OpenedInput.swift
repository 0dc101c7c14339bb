internal import Isobath
internal import Movies
internal import PhotoFormats
internal import RasterFormats
internal import Recordings
internal import Scenes

/// The kind and content of an opened input.
enum OpenedInput {
    /// A photo, a raster, a stereo pair, or a frame of a recording. `remark` names the source of its depth if that is
    /// another file.
    case scene(DepthScene, remark: String?, isFrame: Bool = false)
    /// A recording, or a movie of a known layout.
    case recording(Recording)
    /// Another movie, or a stream.
    case frames(any SceneSequence, InputKinds)
}

extension Job {
    /// Opens an input by its contents; `-` is standard input. Reports flags that have no effect on it.
    ///
    /// `asFrames`: open a file that is both a photo and a movie, such as an animated PNG, as a movie. `isPaired`: pair
    /// a photo without depth with the depth image beside it.
    func open(
        _ file: inout Input, asFrames: Bool = false, isPaired: Bool = true, _ reporter: Reporter
    ) throws -> OpenedInput {
        let opened = try find(&file, asFrames: asFrames, isPaired: isPaired)
        try reading.given.check(kind(of: opened), Self.subcommand, file, reporter)
        try checkDetails(of: opened, file, reporter)
        return opened
    }

    /// Refuses flags that affect other inputs of this kind, but not this one.
    private func checkDetails(of opened: OpenedInput, _ file: Input, _ reporter: Reporter) throws {
        func refuse(_ names: [String], _ reason: String) throws {
            for name in names { try reading.given.refuse(name, because: reason, file, reporter) }
        }
        switch opened {
        case .scene(let scene, _, isFrame: false):
            let (file, stereo) = (scene.description.file, scene.description.stereo)
            if stereo != nil, !reading.isStereo, !scene.description.isMatchable {
                let stored = "the depth of this stereo pair is stored, and not computed"
                try refuse((Self.subcommand == "cloud" ? [] : ["camera"]) + ["no-rectify"], stored)
            }
            if let file, file.kind == .raster {
                let title = "this is a raster of type \(file.format)"
                if !["exr", "npz"].contains(file.format) { try refuse(["channel"], title) }
            } else if let stereo, stereo.cameraOrigin == .file, file?.usesReading == false {
                try refuse(["camera", "baseline"], "this stereo pair has a camera of its own")
            }
        case .recording, .scene(_, _, isFrame: true):
            if case .recording(let recording) = opened, !recording.layout.isMovie, recording.topics == nil {
                try refuse(["topic"], RecordingError.noTopics.description)
            }
            if case .recording(let recording) = opened, let reason = recording.unusedCamera {
                try refuse(["camera"], reason)
            }
            guard !Recording.isPattern(file.path) else { break }
            try refuse(["color"], "this recording has color of its own, and is not numbered depth images")
        default: break
        }
    }

    private func kind(of opened: OpenedInput) -> InputKinds {
        switch opened {
        case .scene(let scene, _, let isFrame):
            guard !isFrame else { return .frame }
            let isRead = scene.description.file?.usesReading == true && !reading.isStereo
            return isRead ? .raster : scene.description.stereo != nil ? .pair : .photo
        case .recording(let recording): return recording.layout.isMovie ? .movie : .recording
        case .frames(_, let kind): return kind
        }
    }

    private func find(_ file: inout Input, asFrames: Bool, isPaired: Bool) throws -> OpenedInput {
        if Self.readsFrames || reading.frame != nil,
            let stream = try reading.openStream(&file, limits: limits)
        {
            return try still(of: .frames(stream, .stream))
        }
        if reading.frame != nil || asFrames, let found = try findFrames(file) { return try still(of: found) }
        do {
            if reading.options.rightPath != nil, reading.given.isBatch { throw SeveralLeftPictures() }
            let scene = try openInput(file, reading: reading.options, limits: limits)
            guard isPaired else { return .scene(scene, remark: nil) }
            let (paired, remark) = try paired(scene, file, reading: reading.options, limits: limits)
            return .scene(paired, remark: remark)
        } catch let error as ContainerError where error.mayBeRecording(file) {
            return try still(of: openFrames(file, else: error))
        } catch let error as ContainerError where asFrames && file.path == "-" && error.isForeignFile {
            throw Y4MHeader.notRecognized
        }
    }

    /// A recording or a movie; `nil` for an input to open as a photo, which gives a better error.
    private func findFrames(_ file: Input) throws -> OpenedInput? {
        guard file.source == nil else { return nil }
        let unknown = ContainerError(.unrecognized(detail: ""))
        do {
            let opened = try openFrames(file, asFrames: true, else: unknown)
            let count: Int?
            switch opened {
            case .frames(let source, _): count = source.extent.frameCount
            case .recording(let recording) where recording.layout.isMovie: count = recording.frameCount
            default: return opened
            }
            // FFmpeg reads photos as movies with one frame, and version 7 their planes as more tracks.
            guard count ?? 1 < 2 else { return opened }
            return (try? openInput(file, reading: reading.options, limits: limits)) == nil ? opened : nil
        } catch {
            guard error as? ContainerError != unknown else { return nil }
            if (try? openInput(file, reading: reading.options, limits: limits)) != nil { return nil }
            throw error
        }
    }

    /// Opens an input that is not a photo. If it is not a recording or a movie either, throws `error`, from opening it
    /// as a photo.
    private func openFrames(
        _ file: Input, asFrames: Bool = false, else error: ContainerError
    ) throws -> OpenedInput {
        if !file.isNamed, isMovie(file.path), !MovieReader.mayHoldDepth(file.path, limits: limits) {
            throw error
        }
        do {
            let recording = try Recording(
                storedIn: file.path, reading: reading.options, limits: limits)
            if !file.isNamed, recording.layout.isMovie, !recording.hasDepth { throw error }
            return .recording(recording)
        } catch let other as ContainerError where other == Recording.unrecognized || error.isLimit {
            guard file.isNamed, !FolderEntry.isFolder(file.path) else { throw error }
        }
        if let stream = try reading.openFile(file.path, limits: limits) { return .frames(stream, .stream) }
        guard asFrames || MovieReader.mayBeOther(file.path) else { throw error }
        do {
            let scale = reading.options.scale
            return .frames(
                try MovieSource(contentsOf: file.path, unitsPerMeter: scale, limits: limits), .movie)
        } catch is MovieError {
            throw error
        }
    }

    /// The opened input, or its frame to use as a photo.
    private func still(of opened: OpenedInput) throws -> OpenedInput {
        guard let index = reading.frame else { return opened }
        let scene: DepthScene
        switch opened {
        case .scene: return opened
        case .recording(let recording):
            if !recording.layout.isMovie, recording.topics == nil, !reading.options.topics.isEmpty {
                throw FlagWithoutEffect(flag: "topic", reason: RecordingError.noTopics.description)
            }
            if reading.options.camera != nil, let reason = recording.unusedCamera {
                throw FlagWithoutEffect(flag: "camera", reason: reason)
            }
            scene = try recording.scene(at: index)
        case .frames(let source, _): scene = try source.scene(at: index)
        }
        return .scene(scene, remark: nil, isFrame: true)
    }

    /// Opens an input as a scene, treats its depth and reports assumptions about it. Throws for recordings.
    func openScene(
        _ file: Input, treatment: MapTreatment = MapTreatment(), dequantizesCoarse: Bool = false,
        network: NetworkUse? = nil, _ reporter: Reporter
    ) throws -> DepthScene {
        var file = file
        switch try open(&file, reporter) {
        case .scene(let opened, let remark, _):
            if let remark { reporter.remark(remark, of: file.path) }
            return try scene(
                of: opened, file, treatment: treatment, dequantizesCoarse: dequantizesCoarse,
                network: network,
                reporter)
        case .recording(let recording):
            throw NeedsFrame(
                kind: recording.layout.isMovie ? "a movie" : "a recording (\(recording.title))")
        case .frames(let source, let kind):
            throw NeedsFrame(kind: "\(kind.title), \(source.extent.title)")
        }
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

/// The error for a right picture with several inputs.
private struct SeveralLeftPictures: WrongUsage, CustomStringConvertible {
    var description: String { "--right is the right picture of one input, and there may be several inputs" }
}

/// The error for a recording where photos are needed.
struct NeedsFrame: Error, CustomStringConvertible {
    /// The kind of recording, for a person.
    var kind: String

    var description: String {
        "this is \(kind), but one picture is needed; --frame N takes one of its frames"
    }
}

extension Recording {
    /// Why a given camera has no effect on a movie; `nil` if it has.
    fileprivate var unusedCamera: String? {
        guard layout.isMovie, cameraOrigin != .given else { return nil }
        return hasDepth
            ? "the depth of this movie needs the camera that it states" : "this movie has no depth"
    }
}

extension OpenedInput {
    /// The frames of a recording or movie, in stored or upright orientation; `nil` for a photo.
    func frames(isUpright: Bool) throws -> (any SceneSequence)? {
        switch self {
        case .scene: nil
        case .recording(let recording): RecordingReader(recording, isUpright: isUpright)
        case .frames(let source, _): source
        }
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
