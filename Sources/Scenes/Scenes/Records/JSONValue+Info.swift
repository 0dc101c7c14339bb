internal import DepthTypes
internal import Embedded

extension JSONValue {
    /// The record of a source in the schema `isobath.info/1`.
    ///
    /// Sizes and calibration are as stored; ranges are as the file declares them, `null` if missing. Only frames of movies
    /// that state a lens have the key `recordedLens`.
    static func info(
        path: String, container: String?, width: Int, height: Int, orientation: Orientation,
        camera: (make: String?, model: String?, focalLength35mm: Int?) = (nil, nil, nil),
        planes: [[(String, JSONValue)]], stereo: JSONValue = .null, lens: RecordedLens? = nil,
        trailers: [JSONValue] = [],
        warnings: [String]
    ) -> JSONValue {
        let lens = lens.map { [("recordedLens", $0.record)] } ?? []
        return .object(
            [
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
            ] + lens)
    }
}

extension RecordedLens {
    fileprivate var record: JSONValue {
        // The shortest decimal of the Float32: 2.8, not 2.799999952316284.
        func number(_ value: Float?) -> JSONValue { .optional(value.flatMap { Double("\($0)") }) }
        return .object([("fNumber", number(fNumber)), ("focusDisparity", number(focusDisparity))])
    }
}
