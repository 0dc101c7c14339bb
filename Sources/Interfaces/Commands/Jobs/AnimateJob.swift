internal import Embedded
internal import Isobath
internal import Movies
internal import Scenes

/// Makes a movie of a photo.
struct AnimateJob: Job {
    var arguments: VerbArguments
    var limits: DecodingLimits
    var reading: InputFlags
    var move: CameraMove
    /// A fraction of the width.
    var strength: Float?
    /// The f-number of a moving focus.
    var aperture: Float?
    /// Pixels.
    var longestSide: Int?
    /// The picture to move.
    var pictureOrigin: PictureOrigin?
    var seconds: Double
    var rate: Double?
    var format: AnimationFormat
    var destination: OutputDestination
    var json: Bool
    var existing: ExistingFiles

    var outputFolders: [String] { destination.folders }
    var otherFiles: [String] { reading.files }
    var writesStandardOutput: Bool { destination.isStandardOutput }
    var recordSchema: String? { json ? "isobath.animation/1" : nil }

    func perform(on file: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        let input = file.path
        let path = destination.path(for: file)
        guard try existing.wants(path, keeping: originals, reporter, of: input) else { return }
        if format.movie != nil { try MovieLibrary.load() }
        var file = file
        let opened = try open(&file, reporter)
        guard let still = opened.still else { throw opened.needsFrame }
        reporter.report(opened.diagnostics, of: input)
        let scene = try scene(of: still, file, reporter)
        reporter.report(scene.diagnostics, of: input)
        try animate(scene, to: path, input, reporter)
    }

    /// A GIF's palette is made from this many pictures, spread evenly over the movement.
    private static let paletteFrames = 4

    private func animate(
        _ scene: DepthScene, to path: String, _ input: String, _ reporter: Reporter
    ) throws {
        let rate = rate ?? (format == .mp4 || format == .mkv ? 30 : 15)
        let count = max(2, Int((seconds * rate).rounded()))
        let scene = try MovingScene(
            scene, longestSide: longestSide ?? (format == .gif ? 480 : 960),
            strength: strength ?? MovingScene.usualStrength, fNumber: aperture,
            showing: pictureOrigin)
        let output = SequenceOutput(
            path, .movie(format.movie ?? .mp4), quality: Raster.defaultJPEGQuality, existing: existing)
        let isWritten: Bool
        if let movie = format.movie {
            isWritten = try output.publish(reporter, inOrder: false) { descriptor in
                let sink = MovieSink(descriptor: descriptor, format: movie, codec: nil, rate: rate)
                try write(scene, count, rate, to: sink)
                try sink.finish()
            }
        } else {
            isWritten = try output.publish(reporter, inOrder: true) { descriptor in
                let palette = GIFPalette(
                    of: concurrentMap(0..<min(count, Self.paletteFrames)) { index in
                        scene.picture(move, at: Float(index) / Float(min(count, Self.paletteFrames)))
                    })
                let sink = GIFSink(descriptor: descriptor, rate: rate, palette: palette)
                try write(scene, count, rate, to: sink)
                try sink.finish()
            }
        }
        guard isWritten else { return reporter.countSkipped(path) }
        reporter.countWritten(path, size: scene.size)
        reporter.conclude(
            "\(move.rawValue), \(count) frames of \(scene.size) → \(PictureOutput.shown(path))", of: input)
        reporter.add([("output", .text(path)), ("frames", .integer(count)), ("rate", .number(rate))])
    }

    /// Writes the frames of a movement, one per thread at once.
    private func write(
        _ scene: MovingScene, _ count: Int, _ rate: Double, to sink: some FrameSink
    ) throws {
        var frame = RenderedFrame()
        let atOnce = 4
        let progress = LoopProgress(of: .frame, total: count)
        for start in stride(from: 0, to: count, by: atOnce) {
            let pictures = concurrentMap(start..<min(start + atOnce, count)) { index in
                scene.picture(move, at: Float(index) / Float(count))
            }
            for (offset, pixels) in pictures.enumerated() {
                (frame.index, frame.time) = (start + offset, Double(start + offset) / rate)
                frame.picture = FramePlane(
                    width: scene.size.width, height: scene.size.height, samples: pixels)
                try sink.write(&frame)
            }
            progress.report(start + pictures.count)
        }
    }
}
