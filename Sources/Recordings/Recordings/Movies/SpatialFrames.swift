internal import Bytes
internal import DepthMaps
internal import DepthTypes
internal import Movies
internal import PhotoFormats
internal import Scenes
internal import Sequences

/// The frames of a spatial video with both eyes. Depth is computed from them for the left one, when it is asked for.
final class SpatialFrames: FrameSource {
    let description: SequenceDescription
    private let movie: MovieSource
    private let pair: StereoPair

    /// `nil` unless both eyes are read, side by side, and baseline and field of view are known.
    init?(_ movie: MovieSource) {
        guard let eyes = movie.description.eyes, eyes.areBothRead, eyes.baseline != nil,
            let size = movie.description.colorSize, eyes.isOfPlainCameras, !movie.isSideways
        else { return nil }
        let view = CodedView(fileOfWidth: size.width, height: size.height, orientation: .up)
        var pair = StereoPair(left: view, right: view, source: RecordingLayout.spatialMovie.rawValue)
        (pair.baseline, pair.horizontalFieldOfView) = (eyes.baseline, eyes.horizontalFieldOfView)
        guard pair.computedScale.isMetric else { return nil }
        var description = movie.description
        description.depth = SequenceDescription.Depth(size: size, scale: pair.computedScale)
        description.calibration = pair.camera
        (self.movie, self.pair, self.description) = (movie, pair, description)
    }

    var diagnostics: [Diagnostic] { movie.diagnostics }

    var sound: SequenceSound? { movie.sound }

    func advance() throws -> Double? { try movie.advance() }

    func read(_ parts: FrameParts, into frame: inout SequenceFrame) throws {
        let needed: FrameParts = parts.contains(.depth) ? parts.union([.color, .right]) : parts
        try movie.read(needed, into: &frame)
        frame.calibration = description.calibration
        frame.scale = pair.computedScale
        guard parts.contains(.depth), !frame.right.isEmpty, frame.right.size == frame.color.size else {
            return
        }
        let match = try StereoDepth(
            left: Self.image(frame.color), right: Self.image(frame.right), pair)
        let map = try DepthMap(match.disparityMap())
        frame.depth.overwrite(width: map.width, height: map.height, fill: .nan) { samples in
            let meters = map.meters.span
            for index in samples.indices { samples[index] = meters[index] }
        }
    }

    private static func image(_ plane: FramePlane<RGB<UInt8>>) -> ColorImage {
        ColorImage(width: plane.width, height: plane.height, pixels: .uint8(plane.samples), colorProfile: [])
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
