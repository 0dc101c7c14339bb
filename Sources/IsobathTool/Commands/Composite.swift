public import ArgumentParser
public import Isobath

/// `isobath composite`
struct Composite: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "composite",
        abstract: "Set the subject of a photo before another background.",
        discussion: """
            The subject is what the photo's portrait matte says, else what a mask cut from its depth says. Edges follow \
            the photo, the old background is taken out of hair and soft edges, and light is mixed linearly. The output \
            has the photo's size, upright, its color profile, Exif and XMP. A background that is a folder, or a numbered \
            sequence such as 'sea-%04d.jpg', gives a sequence: -o then needs a place for the number, too.
            """)

    @Argument(help: "The photo; - is standard input.")
    var input: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "A picture, a color such as '#20a0ff' or 'white' (sRGB), or 'none' for a transparent background.",
            valueName: "file|color|none"))
    var background: BackgroundChoice

    @Option(
        help: ArgumentHelp(
            "What the subject is: portrait, depth, a picture whose gray is coverage, or mattes such as hair+skin.",
            valueName: "matte"))
    var matte: MatteChoice?

    @Option(help: "How a picture fills the photo's frame: cover, contain or stretch.")
    var fit: BackgroundFit = .cover

    @Flag(name: .customLong("no-refine"), help: "Enlarge the matte evenly, not along the photo's edges.")
    var leavesMatteUnrefined = false

    @Flag(
        name: .customLong("no-decontaminate"), help: "Leave the old background's color in soft edges.")
    var leavesOldColors = false

    @OptionGroup(title: "Depth masks") var mask: DepthMaskOptions

    @OptionGroup var picture: PictureOutputOptions

    @OptionGroup(title: "Rasters") var rasters: RasterOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if background == .none, let format = PictureFormat(fileName: picture.output), !format.holdsOpacity {
            throw ValidationError("JPEG has no transparency; use .png or .tiff with '--background none'.")
        }
        if mask.isGiven, let matte, matte != .depth {
            throw ValidationError("The flags of depth masks go with --matte depth.")
        }
        let files = [input, backgroundPath, mattePath].filter { $0 == "-" }
        guard files.count < 2 else { throw ValidationError("Standard input can be read once.") }
        let isNumbered = FramePattern(picture.output) != nil
        let isSequence = backgroundPath.map { FramePattern($0) != nil || FolderEntry.isFolder($0) } ?? false
        if isSequence, !isNumbered {
            throw ValidationError(
                "Several backgrounds make several pictures: give -o a place for the number, as in 'out-%04d.jpg'."
            )
        }
        if isNumbered, !isSequence {
            throw ValidationError("A numbered output needs a folder or a numbered sequence as background.")
        }
    }

    func run() throws {
        var run = InputRun(common, writingIn: OutputFile.folders(of: picture.output))
        try run.perform(input, compose)
    }

    private func compose(_ reporter: Reporter) throws {
        let frames = try self.frames().filter { frame in
            try picture.wants(
                frame.output,
                isNoneOf: [input, mattePath, frame.background].compactMap(\.self) + rasters.files, reporter,
                of: input)
        }
        guard let start = frames.first else { return }
        let (photo, remark) = try openDepthInput(input, reading: rasters.reading, limits: common.limits)
        if let remark { reporter.remark(remark, of: input) }
        let choice = matte ?? (mask.isGiven ? .depth : nil)
        try FoundMatte.check(photo, choice)
        let size = try photo.requiredImageSize()
        // Both take long, and neither needs the other.
        let (subject, first) = try concurrently(
            { try makeSubject(photo, choice) }, { Result { try readBackground(start, fitting: size) } })
        for remark in subject.remarks { reporter.remark(remark, of: input) }
        var next = first
        for (index, frame) in frames.enumerated() {
            let current = next
            let following = index + 1 < frames.count ? frames[index + 1] : nil
            let (written, read) = try concurrently(
                { Result { try write(subject, current.get(), frame, reporter) } },
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
        guard let path = backgroundPath, let pattern = FramePattern(picture.output) else {
            return [Frame(background: backgroundPath, output: picture.output)]
        }
        do throws(ContainerError) {
            guard let sequence = try FrameSequence(path) else {
                throw ContainerError(.unreadable(detail: "it is no folder any more"), at: 0)
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
            let file = try openPicture(frame.background ?? path, limits: common.limits)
            let needed = fit.leastSize(of: file.size(), toFill: size)
            let image = try file.image(atLeastWidth: needed.width, height: needed.height)
            let curve = ToneCurve(profile: image.colorProfile) ?? .sRGB
            let fitted = try image.fitted(toWidth: size.width, height: size.height, by: fit, curve: curve)
            return .picture(
                fitted, remarks: file.hasAlpha ? ["what is transparent in the background becomes white"] : [])
        }
    }

    /// Writes the subject before a background, and tells of it.
    private func write(_ subject: Subject, _ backdrop: Backdrop, _ frame: Frame, _ reporter: Reporter) throws
    {
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
                    .image(image), in16Bits: isDeep && picture.format(isOpaque: true).holds16Bits),
                subject.metadata)
            for remark in remarks { reporter.remark(remark, of: frame.background ?? input) }
        }
        try picture.write(made, to: frame.output, reporter, of: input)
        let size = "\(cutout.photo.width) × \(cutout.photo.height)"
        reporter.remark(
            "\(size), \(subject.name) → \(frame.output == "-" ? "standard output" : frame.output)", of: input)
    }

    private func makeSubject(_ photo: DepthInput, _ choice: MatteChoice?) throws -> Subject {
        try Subject(
            photo, choice: choice, mask: mask, refines: !leavesMatteUnrefined,
            decontaminates: !leavesOldColors, limits: common.limits)
    }

    private var backgroundPath: String? { if case .file(let path) = background { path } else { nil } }

    private var mattePath: String? { if case .file(let path) = matte { path } else { nil } }
}

extension BackgroundFit: ExpressibleByArgument {}

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
