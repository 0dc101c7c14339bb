internal import DepthModel
internal import EmbeddedFormats

extension JSONValue {
    /// The record of a source in the schema `isobath.info/1`.
    ///
    /// Sizes and calibration are as stored; ranges are as the file declares them, `null` if missing.
    static func info(
        path: String, container: String?, width: Int, height: Int, orientation: Orientation,
        camera: (make: String?, model: String?, focalLength35mm: Int?) = (nil, nil, nil),
        planes: [[(String, JSONValue)]], stereo: JSONValue = .null, trailers: [JSONValue] = [],
        warnings: [String]
    ) -> JSONValue {
        .object([
            ("schema", .text("isobath.info/1")),
            ("path", .text(path)),
            ("container", .optional(container)),
            ("width", .integer(width)),
            ("height", .integer(height)),
            ("orientation", .integer(orientation.rawValue)),
            (
                "camera",
                .object([
                    ("make", .optional(camera.make)), ("model", .optional(camera.model)),
                    ("focalLength35mm", .optional(camera.focalLength35mm)),
                ])
            ),
            ("planes", .array(planes.map(JSONValue.object))),
            ("stereo", stereo),
            ("trailers", .array(trailers)),
            ("warnings", .array(warnings.map(JSONValue.text))),
        ])
    }
}
