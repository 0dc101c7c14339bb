internal import DepthTypes
internal import Embedded
internal import PhotoFormats

extension StereoPair {
    /// The pair in `isobath.info/1`: baseline in meters, field of view in degrees.
    var record: JSONValue {
        .object([
            ("source", .text(source)), ("baseline", .optional(baseline)),
            ("horizontalFieldOfView", .optional(horizontalFieldOfView)),
            ("left", left.record), ("right", right.record),
            ("computable", isComputable ? computable : .null),
        ])
    }

    /// The result of `extract --depth-from stereo` for the pair.
    private var computable: JSONValue {
        .object([
            ("quantity", .text(DepthQuantity.disparity.rawValue)),
            ("accuracy", .text(computedScale.accuracy.rawValue)),
        ])
    }
}

extension CodedView {
    /// Where a picture is: the item or bytes, and the part of the coded image that is used.
    fileprivate var record: JSONValue {
        var place: [(String, JSONValue)] = []
        switch location {
        case .heifItem(let id): place = [("item", .integer(id))]
        case .jpegStream(let range):
            place = [("offset", .integer(range.lowerBound)), ("length", .integer(range.count))]
        case .pngStream, .rawSamples, .segments, .jpegXLChannel, .xmpPayload, .raster: break
        }
        return .object(
            place + [
                ("x", .integer(crop?.left ?? 0)), ("y", .integer(crop?.top ?? 0)),
                ("width", .integer(width)), ("height", .integer(height)),
                ("orientation", .integer(orientation.rawValue)),
                ("calibration", calibration.map { .object($0.record()) } ?? .null),
            ])
    }
}

extension FileTrailer {
    /// The bytes in `isobath.info/1`.
    var record: JSONValue {
        .object([
            ("source", .text(source)), ("type", .text(type)), ("name", .optional(name)),
            ("offset", .integer(range.lowerBound)), ("length", .integer(range.count)),
        ])
    }
}
