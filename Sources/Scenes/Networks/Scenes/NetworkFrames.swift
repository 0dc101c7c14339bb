package import Bytes
internal import DepthMaps
internal import DepthTypes
package import Sequences

/// The frames of a sequence, with depth or a matte that a network computes for each.
///
/// - A depth network's disparity is aligned to the depth of each frame, if that is in meters.
/// - Otherwise it has no unit, and distances are a constant minus the disparity: only an order, linear in disparity.
/// - The matte of a segmentation network becomes distances without a unit, 1 for the subject and 2 for the background: a mask
///   between ``subjectDistances`` is the matte.
package final class NetworkFrames: FrameSource, @unchecked Sendable {
    package let description: SequenceDescription
    private let source: any FrameSource
    private let network: Network
    private let isAligned: Bool
    /// The constant from which disparity without a unit is subtracted; computed from the first frame, so that colors do
    /// not flicker.
    private var farthest: Float?

    /// The distance of a matte's subject, and how far behind it the background is. The reciprocal is linear in coverage.
    package static let subjectDistances: (far: Float, softness: Float) = (1, 1)

    /// Throws ``SceneError`` without pictures, ``NetworkError/purpose(needed:network:)`` if the network returns neither depth
    /// nor a matte.
    package init(_ source: any FrameSource, _ network: Network, isAligned: Bool) throws {
        guard let picture = source.description.colorSize else { throw SequenceError.noColor }
        try network.profile.require(.depthOrMatte)
        (self.source, self.network) = (source, network)
        let stored = source.description.depth
        self.isAligned = isAligned && network.profile.meaning != .matte && stored?.scale.isMetric == true
        var description = source.description
        let scale: DepthScale =
            if self.isAligned { stored?.scale ?? .inexact } else if network.profile.meaning == .depth {
                .inexact
            } else {
                .unitless
            }
        description.depth = .init(size: network.answerSize(for: picture), scale: scale)
        description.hasConfidence = false
        description.mattes = []
        self.description = description
    }

    package var diagnostics: [Diagnostic] { source.diagnostics }

    package var sound: SequenceSound? { source.sound }

    package func prepare(_ parts: FrameParts) throws {
        guard parts.contains(.depth) else { return try source.prepare(parts) }
        try source.prepare(isAligned ? [.color, .depth] : .color)
    }

    package func advance() throws -> Double? { try source.advance() }

    package func read(_ parts: FrameParts, into frame: inout SequenceFrame) throws {
        guard parts.contains(.depth) else { return try source.read(parts, into: &frame) }
        try source.read(isAligned ? [.color, .depth] : .color, into: &frame)
        guard !frame.color.isEmpty else { throw SequenceError.noColor }
        let image = frame.image
        frame.confidence.clear()
        if network.profile.meaning == .matte {
            let matte = try network.matte(of: image)
            frame.fill(matte.width, matte.height, .unitless) { 2 / (1 + Float(matte.coverage[$0]) / 255) }
            return
        }
        switch try network.depth(of: image) {
        case .metric(let map, _) where !isAligned:
            frame.fill(map.width, map.height, .inexact) { map.meters[$0] }
        case .metric(let map, _): try align(DisparityMap(reciprocalOf: map), &frame)
        case .affine(let map) where isAligned: try align(map, &frame)
        case .affine(let map):
            let top = farthest ?? 2 * max(map.statistics.maximum ?? 1, 1e-6) - (map.statistics.minimum ?? 0)
            farthest = top
            frame.fill(map.width, map.height, .unitless) { max(top - map.reciprocalMeters[$0], 1e-3 * top) }
        }
    }

    /// Aligns disparity to the depth of the frame in meters.
    private func align(_ map: DisparityMap, _ frame: inout SequenceFrame) throws {
        let known = DepthMap(
            width: frame.depth.width, height: frame.depth.height, meters: frame.depth.samples,
            scale: frame.scale)
        let line = try AffineAlignment(map.pairs(with: DisparityMap(reciprocalOf: known)))
        let (factor, offset) = (Float(line.factor), Float(line.offset))
        frame.fill(map.width, map.height, frame.scale) { index in
            let disparity = factor * map.reciprocalMeters[index] + offset
            return disparity > 0 ? 1 / disparity : .nan
        }
    }
}

extension SequenceFrame {
    /// Writes every distance into the existing buffers.
    fileprivate mutating func fill(_ width: Int, _ height: Int, _ scale: DepthScale, _ value: (Int) -> Float)
    {
        self.scale = scale
        depth.overwrite(width: width, height: height, fill: .nan) { samples in
            for index in samples.indices { samples[index] = value(index) }
        }
    }
}
