internal import ByteParsing
internal import DepthModel
public import ImageContainers

extension DepthPhoto {
    /// The photo and its planes in the schema `isobath.info/1`. Nothing is decoded.
    ///
    /// Sizes and calibration are as stored; ranges are what the file declares, `null` where it declares none.
    public func record(path: String) -> JSONValue {
        .object([
            ("schema", .text("isobath.info/1")),
            ("path", .text(path)),
            ("container", .text(format)),
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
            ("warnings", .array(warnings.map(JSONValue.text))),
        ])
    }

    /// Everything that is wrong without keeping the rest from being read, in words.
    public var warnings: [String] {
        let defects = planes.compactMap { plane in
            plane.defect.map { "the \(plane.kind.rawValue) plane cannot be read: \($0)" }
        }
        let photo = description.defect.map { ["the photo itself cannot be read: \($0)"] } ?? []
        return findings.map(\.description) + photo + defects
    }
}
