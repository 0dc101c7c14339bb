package import ByteParsing
internal import DepthModel
package import EmbeddedFormats
internal import ImageContainers
internal import RasterContainers

extension DepthRaster {
    /// The raster in the schema `isobath.info/1`: a file with one plane, or none where it is a color image.
    /// `describing` makes the lines of `warnings`.
    package func record(
        path: String, describing: (Diagnostic) -> String = { $0.description }
    ) -> JSONValue {
        .object([
            ("schema", .text("isobath.info/1")),
            ("path", .text(path)),
            ("container", .text(description.format.rawValue)),
            ("width", .integer(description.width)),
            ("height", .integer(description.height)),
            ("orientation", .integer(description.orientation.rawValue)),
            ("camera", .object([("make", .null), ("model", .null), ("focalLength35mm", .null)])),
            ("planes", .array(plane.map { [.object(record(of: $0))] } ?? [])),
            ("stereo", .null),
            ("trailers", .array([])),
            ("warnings", .array(diagnostics.map { .text(describing($0)) })),
        ])
    }

    /// The plane's fields, with the unit and range of its rule where a photo's would be those of its mapping.
    private func record(of plane: AuxiliaryPlane) -> [(String, JSONValue)] {
        let range = rule.declared.map { (min($0.low, $0.high), max($0.low, $0.high)) }
        let known: [String: JSONValue] = [
            "unit": .optional(rule.unit), "minimum": .optional(range?.0), "maximum": .optional(range?.1),
        ]
        return plane.record().map { ($0.0, known[$0.0] ?? $0.1) }
    }
}
