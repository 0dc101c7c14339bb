internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Embedded
internal import Scenes

/// The depth of a scene in a page: a gray PNG of codes, and their meaning.
///
/// Values differ from the scene's by at most half a step of the codes; codes of up to 16 bits are kept. A map of more
/// than the most samples is thinned: the remaining samples keep their values.
struct PackedDepth: Sendable {
    /// The codes as a PNG file.
    let png: [UInt8]
    /// The size of the map in the page.
    let size: PixelSize
    /// Values and how they are coded.
    let codes: PackedCodes
    /// At most 8,192 of the known disparities, in 1/meters if the depth has a unit.
    let disparities: [Float]
    let description: SceneDescription.Depth

    /// Decodes the depth. `step` is the difference between successive stored values; `nil` if they are not integers. Throws as
    /// ``DepthScene/depth()`` does.
    init(
        _ scene: DepthScene, _ description: SceneDescription.Depth, step: Double?, mostSamples: Int
    ) throws {
        self.description = description
        let known: [Float]
        if description.quantity == .disparity {
            let map = Self.thinned(try scene.disparity(), to: mostSamples)
            codes = PackedCodes(map.reciprocalMeters, step: step)
            known = map.reciprocalMeters.filter(\.isFinite).map { max($0, 0) }
            size = PixelSize(width: map.width, height: map.height)
        } else {
            let map = Self.thinned(try scene.depth(), to: mostSamples)
            codes = PackedCodes(map.meters, step: step)
            known = map.meters.filter { $0 > 0 }.map { 1 / $0 }
            size = PixelSize(width: map.width, height: map.height)
        }
        disparities = stride(from: 0, to: known.count, by: max(1, (known.count + 8191) / 8192)).map {
            known[$0]
        }
        let raster = Raster(width: size.width, height: size.height, samples: codes.samples)
        png = try bytesWritten { (descriptor) throws(WriteError) in try raster.writePNG(to: descriptor) }
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

    /// The meaning of the codes.
    var codeFields: [(String, JSONValue)] {
        [
            ("width", .integer(size.width)), ("height", .integer(size.height)),
            ("minimum", .number(codes.minimum)), ("step", .number(codes.step)),
            ("first", .integer(codes.first)),
        ]
    }

    /// The parameters for the page's script.
    var record: JSONValue {
        let scale = description.scale
        return .object(
            codeFields + [
                ("quantity", .text(description.quantity.rawValue)),
                ("unit", scale.hasUnit ? .text(description.quantity.unit) : .null),
                ("scale", .text(scale.rawValue)), ("accuracy", .text(scale.accuracy.rawValue)),
                ("bitDepth", .integer(codes.bitDepth)),
                ("coarse", .bool(description.coding?.isCoarse ?? false)),
            ])
    }
}
