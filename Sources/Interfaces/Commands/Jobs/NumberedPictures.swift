internal import Isobath
internal import Scenes

/// Picture files as frames at a constant rate.
final class NumberedPictures: SceneSequence, @unchecked Sendable {
    let diagnostics: [Diagnostic] = []
    let extent: SequenceExtent
    private let paths: [String]
    private let rate: Double
    private let limits: DecodingLimits
    private var index = -1

    init(_ paths: [String], rate: Double, limits: DecodingLimits) {
        (self.paths, self.rate, self.limits) = (paths, rate, limits)
        var extent = SequenceExtent("numbered pictures")
        (extent.frameCount, extent.rate) = (paths.count, rate)
        self.extent = extent
    }

    /// Each picture has its own size, which is known once it is decoded.
    var description: SceneDescription {
        var description = SceneDescription()
        description.colorSize = PixelSize(width: 1, height: 1)
        return description
    }

    func advance() throws -> Double? {
        guard index + 1 < paths.count else { return nil }
        index += 1
        return Double(index) / rate
    }

    func describe() -> SceneDescription {
        var description = description
        (description.index, description.time) = (index, Double(index) / rate)
        return description
    }

    func begin(_ planes: Set<PlaneID>, into frame: inout FramePlanes) throws {
        guard planes.contains(.picture) else { return }
        do {
            frame.color = FramePlane(try openInputPicture(paths[index], limits: limits).image().inSRGB)
        } catch let error as ContainerError {
            throw FileFailure(file: paths[index], error: error)
        }
    }
}
