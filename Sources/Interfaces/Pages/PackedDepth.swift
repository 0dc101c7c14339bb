internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Embedded
internal import Scenes

/// The depth of a scene in a page: a gray PNG of codes, and their meaning.
///
/// Values differ from the scene's by at most half a step of the codes; codes of up to 16 bits are kept. A map of more
/// than ``mostSamples`` is thinned: the remaining samples keep their values.
struct PackedDepth: Sendable {
    /// The codes as a PNG file.
    let png: [UInt8]
    /// The size of the map in the page.
    let size: PixelSize
    /// The size of the map in the scene.
    let fullSize: PixelSize
    /// Values and how they are coded.
    let codes: PackedCodes
    /// The distances between which nearly all of the scene is, in meters; `nil` without a unit or known samples.
    let distances: (near: Double, far: Double)?
    private let description: SceneDescription.Depth

    /// The fraction of samples that is nearer than, and farther than, ``distances``.
    private static let beyondEnds = 0.02
    /// The maximum number of samples that keeps a page of 16-bit depth within its size.
    static let mostSamples = 600_000

    /// Decodes the depth. Throws as ``DepthScene/depth()`` does.
    init(_ scene: DepthScene, _ description: SceneDescription.Depth) throws {
        self.description = description
        let step = description.coding.flatMap { $0.isSmoothed ? nil : Double($0.step) }
        if description.quantity == .disparity {
            let map = Self.thinned(try scene.disparity(), to: Self.mostSamples)
            codes = PackedCodes(map.reciprocalMeters, step: step)
            distances = Self.distances(map, description.scale).map { (1 / $0.high, 1 / max($0.low, 0)) }
            size = PixelSize(width: map.width, height: map.height)
        } else {
            let map = Self.thinned(try scene.depth(), to: Self.mostSamples)
            codes = PackedCodes(map.meters, step: step)
            distances = Self.distances(map, description.scale).map { ($0.low, $0.high) }
            size = PixelSize(width: map.width, height: map.height)
        }
        fullSize = description.size
        let raster = Raster(width: size.width, height: size.height, samples: codes.samples)
        png = try bytesWritten { (descriptor) throws(WriteError) in try raster.writePNG(to: descriptor) }
    }

    /// The values between which nearly all samples are, if they have a unit.
    private static func distances(_ map: some FloatPlane, _ scale: DepthScale) -> (low: Double, high: Double)?
    {
        guard scale.isMetric, let ends = map.percentiles([beyondEnds, 1 - beyondEnds]), ends[1] > 0 else {
            return nil
        }
        return (Double(ends[0]), Double(ends[1]))
    }

    /// The map with at most this many samples, without averaging.
    static func thinned<Map: FloatPlane>(_ map: Map, to mostSamples: Int) -> Map {
        let count = map.width * map.height
        guard count > mostSamples else { return map }
        let scale = (Double(mostSamples) / Double(count)).squareRoot()
        return map.resampled(
            toWidth: max(1, Int(Double(map.width) * scale)), height: max(1, Int(Double(map.height) * scale)),
            by: .nearest)
    }

    /// The parameters for the page's script.
    var record: JSONValue {
        let scale = description.scale
        return .object([
            ("width", .integer(size.width)), ("height", .integer(size.height)),
            ("quantity", .text(description.quantity.rawValue)),
            ("unit", scale.isMetric ? .text(description.quantity.unit) : .null),
            ("scale", .text(scale.rawValue)), ("accuracy", .text(scale.accuracy.rawValue)),
            ("bitDepth", .integer(codes.bitDepth)), ("minimum", .number(codes.minimum)),
            ("step", .number(codes.step)), ("first", .integer(codes.first)),
            ("coarse", .bool(description.coding?.isCoarse ?? false)),
        ])
    }
}
