package import Bytes
internal import DepthTypes
package import Embedded
internal import PhotoFormats
internal import RasterFormats

extension DepthRaster {
    package func record(path: String, describing: (Diagnostic) -> String) -> JSONValue {
        .info(
            path: path, container: description.format.rawValue, width: description.width,
            height: description.height, orientation: description.orientation,
            planes: planes.map(record), warnings: diagnostics.map(describing))
    }

    /// The plane's fields. Unit and range come from the interpretation; in a photo they come from the mapping.
    private func record(of plane: PlaneDescription) -> [(String, JSONValue)] {
        let range = rule.declared.map { (min($0.low, $0.high), max($0.low, $0.high)) }
        let known: [String: JSONValue] = [
            "unit": .optional(rule.unit), "minimum": .optional(range?.0), "maximum": .optional(range?.1),
        ]
        return plane.record().map { ($0.0, known[$0.0] ?? $0.1) }
    }
}
