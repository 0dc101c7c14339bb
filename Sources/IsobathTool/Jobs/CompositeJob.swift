internal import Isobath

/// Sets the subject of a photo before another background, or before each of a sequence.
struct CompositeJob: Job {
    static let subcommand = "composite"

    var limits: DecodingLimits
    var reading: RasterReading
    var background: BackgroundChoice
    var matte: MatteChoice?
    var mask: DepthMaskChoice
    var fit: BackgroundFit
    var refines: Bool
    var decontaminates: Bool
    var output: PictureOutput

    var outputFolders: [String] { output.folders }
    var otherFiles: [String] { [background.path, matte?.path].compactMap(\.self) + reading.files }
    var writesStandardOutput: Bool { output.path == "-" }

    func perform(on input: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        let input = input.path
        let frames = try self.frames().filter { frame in
            let background = OutputFile.identities(ofInputs: [frame.background].compactMap(\.self))
            return try output.wants(
                frame.output, keeping: originals.union(background), reporter, of: input)
        }
        guard let start = frames.first else { return }
        let (photo, remark) = try openDepthInput(input, reading: reading, limits: limits)
        if let remark { reporter.remark(remark, of: input) }
        try FoundMatte.check(photo, matte)
        let size = try photo.requiredImageSize()
        // Both take long, and neither needs the other.
        let (subject, first) = try concurrently(
            { try makeSubject(photo) }, { Result { try readBackground(start, fitting: size) } })
        for remark in subject.remarks { reporter.remark(remark, of: input) }
        var next = first
        for (index, frame) in frames.enumerated() {
            let current = next
            let following = index + 1 < frames.count ? frames[index + 1] : nil
            let (written, read) = try concurrently(
                { Result { try write(subject, current.get(), frame, input, reporter) } },
                { Result { try following.map { try readBackground($0, fitting: size) } ?? .none } })
            next = read
            // A frame that failed costs itself only.
            if case .failure(let error) = written {
                reporter.fail(error, ofInput: frame.background ?? input)
            }
        }
    }

    /// One picture to be made.
    private struct Frame: Sendable {
        var background: String?
        var output: String
    }

    private func frames() throws -> [Frame] {
        guard let path = background.path, let pattern = FramePattern(output.path) else {
            return [Frame(background: background.path, output: output.path)]
        }
        do throws(ContainerError) {
            guard let sequence = try FrameSequence(path) else {
                throw ContainerError(.unreadable(detail: "it is not a folder any more"))
            }
            return sequence.frames.map { Frame(background: $0.path, output: pattern.path(number: $0.number)) }
        } catch {
            throw FileFailure(file: path, error: error)
        }
    }

    /// What stands behind the subject, in a color space of its own.
    private enum Backdrop: Sendable {
        case none
        case color(ColorImage)
        case picture(ColorImage, remarks: [String])
    }

    private func readBackground(_ frame: Frame, fitting size: (width: Int, height: Int)) throws -> Backdrop {
        switch background {
        case .none: return .none
        case .color(let color): return .color(ColorImage(color))
        case .file(let path):
            let file = try openPicture(frame.background ?? path, limits: limits)
            let needed = fit.leastSize(of: file.size(), toFill: size)
            let image = try file.image(atLeastWidth: needed.width, height: needed.height)
            let curve = ToneCurve(profile: image.colorProfile) ?? .sRGB
            let fitted = try image.fitted(toWidth: size.width, height: size.height, by: fit, curve: curve)
            return .picture(
                fitted, remarks: file.hasAlpha ? ["what is transparent in the background becomes white"] : [])
        }
    }

    /// Writes the subject before a background, and reports it.
    private func write(
        _ subject: Subject, _ backdrop: Backdrop, _ frame: Frame, _ input: String, _ reporter: Reporter
    ) throws {
        let cutout = subject.cutout
        let made: Picture
        switch backdrop {
        case .none: made = Picture(cutout.translucent(), subject.metadata)
        case .color(let color):
            let color = try color.converted(toProfile: cutout.photo.colorProfile)
            guard case .uint16(let pixels) = color.pixels else { preconditionFailure("converted as it was") }
            made = Picture(try cutout.over(.color(pixels[0])), subject.metadata)
        case .picture(let image, var remarks):
            let image = image.converted(like: cutout.photo, &remarks)
            let isDeep = cutout.photo.is16Bit || image.is16Bit
            made = Picture(
                try cutout.over(
                    .image(image), in16Bits: isDeep && output.format(isOpaque: true).holds16Bits),
                subject.metadata)
            for remark in remarks { reporter.remark(remark, of: frame.background ?? input) }
        }
        try output.write(made, to: frame.output, reporter, of: input)
        let size = "\(cutout.photo.width) × \(cutout.photo.height)"
        reporter.remark(
            "\(size), \(subject.name) → \(PictureOutput.shown(frame.output))", of: input)
    }

    private func makeSubject(_ photo: DepthInput) throws -> Subject {
        try Subject(
            photo, choice: matte, mask: mask, refines: refines, decontaminates: decontaminates, limits: limits
        )
    }
}

extension BackgroundFit {
    /// The size at which a picture has as many pixels as are shown of it in a frame; never more than it has.
    fileprivate func leastSize(
        of picture: (width: Int, height: Int), toFill frame: (width: Int, height: Int)
    ) -> (width: Int, height: Int) {
        let across = Double(frame.width) / Double(max(1, picture.width))
        let down = Double(frame.height) / Double(max(1, picture.height))
        let scales =
            switch self {
            case .cover: (max(across, down), max(across, down))
            case .contain: (min(across, down), min(across, down))
            case .stretch: (across, down)
            }
        return (
            Int((Double(picture.width) * min(1, scales.0)).rounded(.up)),
            Int((Double(picture.height) * min(1, scales.1)).rounded(.up))
        )
    }
}
