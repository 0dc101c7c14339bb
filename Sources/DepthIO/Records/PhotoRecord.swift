package import ByteParsing
internal import DepthModel
package import EmbeddedFormats
internal import ImageContainers

extension DepthPhoto {
    /// The photo and its planes in the schema `isobath.info/1`. Nothing is decoded.
    ///
    /// Sizes and calibration are as stored; ranges are what the file declares, `null` where it declares none.
    /// `describing` makes the lines of `warnings`.
    package func record(
        path: String, describing: (Diagnostic) -> String = { $0.description }
    ) -> JSONValue {
        .object([
            ("schema", .text("isobath.info/1")),
            ("path", .text(path)),
            ("container", .text(format.rawValue)),
            ("width", .integer(description.width)),
            ("height", .integer(description.height)),
            ("orientation", .integer(description.orientation.rawValue)),
            (
                "camera",
                .object([
                    ("make", .optional(description.make)),
                    ("model", .optional(description.model)),
                    ("focalLength35mm", .optional(description.focalLength35mm)),
                ])
            ),
            ("planes", .array(planes.map { .object($0.record()) })),
            ("stereo", description.stereo?.record ?? .null),
            ("trailers", .array(trailers.map(\.record))),
            ("warnings", .array((container.diagnostics + readErrors).map { .text(describing($0)) })),
        ])
    }
}
