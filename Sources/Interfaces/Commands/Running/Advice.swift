internal import Embedded
internal import Isobath
internal import Movies
internal import Networks
internal import Reconstruction
internal import Recordings
internal import Scenes

// The library's messages describe the problem; only this file adds the flag of the tool that helps.

/// The flags that give a computed disparity a unit.
private let stereoRemedy =
    "--anchor twice or --align gives a network's depth a unit; --camera with a calibration, or with --baseline, gives a stereo pair a unit"

/// The flag that reads heights as another quantity.
private let readsAsDistances = "--quantity depth reads positive ones as distances"

/// The flags that give a map meters when depth is embedded into a photo.
private let rangeRemedy =
    "--range NEAR,FAR gives the distances of its codes of 8 or 16 bits, and --scale a unit"

/// An error's message, followed by the flag that helps where there is one.
func advised(_ error: any Error) -> String {
    advice(for: error).map { "\(bareMessage(of: error)); \($0)" } ?? bareMessage(of: error)
}

/// The flag that helps against an error; `nil` if no flag does.
func advice(for error: any Error) -> String? {
    switch error {
    case let error as ContainerError: advice(for: error)
    case let error as OutputError: advice(for: error.reason)
    case let error as SceneError: advice(for: error)
    case let error as DistanceNeedsUnit: error.remedy
    case DepthScaleError.affine: stereoRemedy
    case let error as DepthCodingError: advice(for: error)
    case let error as PhotoEditingError: advice(for: error)
    case let error as NetworkError: advice(for: error)
    case let error as SequenceError: advice(for: error)
    case FusionError.exceedsMemory: "choose larger ones with --voxel, or raise it with --limit memory-bytes=N"
    default: nil
    }
}

private func advice(for error: ContainerError) -> String? {
    switch error.reason {
    case .malformed where error == .recordWithoutCamera: "--camera F gives one"
    case .unrecognized where error == Y4MHeader.notRecognized:
        "samples without a header need --raw or --raw-depth"
    case .limitExceeded(let name, _, _): "raise it with --limit \(name.rawValue)=N"
    case .ambiguous: "--channel names one"
    case .possiblyHeaderless:
        "samples without a header declare neither size nor type: "
            + "--raw FORMAT,WxH or --raw-depth FORMAT,WxH, such as gray16le,640x480, does"
    case .folder: "--recursive searches it"
    case .pipe: "- reads standard input"
    default: nil
    }
}

private func advice(for reason: OutputError.Reason) -> String? {
    switch reason {
    case .exists: "--force replaces it"
    case .unsafeFileSystem: "--force takes it"
    case .notRegularFile: "-o - writes to standard output"
    default: nil
    }
}

private func advice(for error: SceneError) -> String? {
    switch error {
    case .noUnit: "use --values normalized"
    case .heights: readsAsDistances
    case .noConfidencePlane: "--min-confidence needs one"
    case .noPicture: "--color names one"
    case .distanceWithoutCamera: "--camera gives one"
    case .layerSize: "give --layer-width"
    case .unreadablePicture(_, let error), .unreadableCalibration(_, let error): advice(for: error)
    default: nil
    }
}

private func advice(for error: SequenceError) -> String? {
    switch error {
    case .noObject: "--box gives it by hand"
    case .boxOutside: "--box sets it"
    default: nil
    }
}

private func advice(for error: DepthCodingError) -> String? {
    switch error {
    case .unknownSamples: "--fill-holes fills them from behind"
    case .withoutDistance: "--far M clips them to a distance"
    case .noUnit: rangeRemedy
    case .empty, .invalidRange: nil
    }
}

private func advice(for error: PhotoEditingError) -> String? {
    switch error {
    case .exists: "--replace puts the new one in its place"
    case .unsuitableFormat: "convert brings the photo into that form"
    case .notHEVC: "--to apple-jpeg keeps it a JPEG"
    case .takenForMeters: rangeRemedy
    case .cannotRemove: "convert --to apple-jpeg makes a photo of another form"
    default: nil
    }
}

private func advice(for error: NetworkError) -> String? {
    switch error {
    case .runtime: OnnxRuntime.advice
    case .tooSlow: "--limit seconds=N allows more"
    case .unknownProfile: "--model-profile names it: \(NetworkProfile.names), or a file of JSON"
    default: nil
    }
}

/// The error for a distance in meters when depth has no unit, with the alternatives.
struct DistanceNeedsUnit: Error, CustomStringConvertible {
    let error: DepthScaleError
    let remedy: String

    var description: String { "\(error)" }
}

/// Adds the subcommand's remedy to a ``DepthScaleError``.
func withRemedy<Result>(_ remedy: String, _ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error as DepthScaleError {
        throw DistanceNeedsUnit(error: error, remedy: error == .affine ? stereoRemedy : remedy)
    }
}

extension Diagnostic {
    /// The flag that changes an assumption; `nil` without one.
    private var advice: String? {
        if let error { return Commands.advice(for: error) }
        return switch code {
        case .poseConvention: "--pose-convention names how they are stored"
        case .otherTopics: "--topic names another"
        case .assumedPoses:
            "--topic names others, and cloud --pose-convention other axes; --poses takes poses from a file"
        case .assumedMeters: "use --scale if they are not"
        case .assumedDepthUnit: "use --scale to set it"
        case .noUnit: "--scale gives one, such as 1000 for millimeters"
        case .shiftedSamples: "--scale 8000 reads them"
        case .heights: readsAsDistances
        case .noDataSamples: "--no-data names the value of unknown samples"
        case .unusedScale: "--scale applies one"
        case .assumedWhiteNear: "use --quantity depth if white = far"
        case .assumedWhiteFar: "use --quantity disparity if white = near"
        case "swapped-samples": "without the header, --raw-depth gray16le,WxH reads them so"
        case .doubtfulNearSide: "--quantity says which shade is near: white of disparity, black of depth"
        case .quantizationStep: "--bits 16 keeps finer ones"
        case .doubtfulCamera: "--camera sets another"
        case .emptyMatte: "--matte names another, and --model computes one"
        case .doubtfulSubject: "--model finds one, --focus names a point, and --near and --far set bounds"
        case .focusOutsideSubject: "--focus names another point, and --near and --far set bounds"
        case .filledMatches: "--no-fill-holes leaves them out"
        case .smoothedMatches: "--no-smooth keeps it"
        case .firstFrame: "'isobath extract' writes all"
        case .unusualCoding: "8 bits, and --fill-holes for samples that are unknown, avoid that"
        default: nil
        }
    }

    /// Whether it reports lost data: planes of a photo, frames of a recording, or parts of them.
    ///
    /// Unsupported data and invalid metadata values are not losses.
    var isLoss: Bool {
        if severity != .warning { return false }
        switch error?.reason {
        case .unsupported: return false
        case .truncated, .damaged, .unreadable: return true
        default: return Self.losses.contains(code)
        }
    }

    private static let losses: Set<Code> = [
        .cutOff, .damagedFrames, .lostMessages, .missingFiles, .unreadableLines, .unreadablePhoto,
        .unreadablePlane,
    ]

    /// The message with offset and path, followed by the flag that helps where there is one.
    var advised: String { advice.map { "\(self); \($0)" } ?? "\(self)" }

    /// The loss, with the keys of ``errorRecord(_:advice:)``.
    var lossRecord: JSONValue {
        .object([
            ("code", .text(code.rawValue)), ("message", .text(advised)), ("offset", .optional(offset)),
            ("where", .text("")),
        ])
    }

    /// A line for a person: warnings are marked as such, notes are not.
    var remark: String { (severity == .warning ? "warning: " : "") + advised }
}

extension [Diagnostic] {
    /// The lines for a person.
    var remarks: [String] { map(\.remark) }
}

extension DepthScene {
    /// Remarks about an opened file.
    var remarks: [String] { diagnostics.remarks }
}
