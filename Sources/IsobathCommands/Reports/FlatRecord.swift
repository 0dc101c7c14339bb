internal import EmbeddedFormats

/// Lines of `info --json --flat`: one object without nested values for each plane. All have the same fields in the
/// same order, so that tables of many files have the same columns.
enum FlatRecord {
    /// The rows of a record of `isobath.info/1` or `isobath.recording/1`: one for each plane, or one for a file
    /// without planes.
    static func rows(of record: JSONValue) -> [JSONValue] {
        let planes = record["planes"]?.elements ?? []
        return (planes.isEmpty ? [.null] : planes).map { plane in
            .object(
                [("schema", .text("isobath.flat/1")), ("path", record["path"] ?? .null)]
                    + file(record, planes: planes.count) + fields(of: plane)
                    + error(record["error"] ?? .null))
        }
    }

    private static func file(_ record: JSONValue, planes: Int) -> [(String, JSONValue)] {
        let camera = record["camera"] ?? .null
        let isRecording = record["schema"]?.text == "isobath.recording/1"
        return [
            ("container", isRecording ? .text("recording") : record["container"] ?? .null),
            ("width", record["width"] ?? .null), ("height", record["height"] ?? .null),
            ("orientation", record["orientation"] ?? .null), ("make", camera["make"] ?? .null),
            ("model", camera["model"] ?? .null), ("focalLength35mm", camera["focalLength35mm"] ?? .null),
            ("planes", .integer(planes)), ("warnings", .integer(record["warnings"]?.elements.count ?? 0)),
        ]
    }

    private static func fields(of plane: JSONValue) -> [(String, JSONValue)] {
        let camera = plane["calibration"] ?? .null
        let intrinsics = camera["intrinsics"] ?? .null
        func named(_ name: String, in value: JSONValue, as column: String? = nil) -> (String, JSONValue) {
            (column ?? name, value[name] ?? .null)
        }
        let own = [
            "kind", "index", "bitDepth", "codec", "source", "unit", "minimum", "maximum", "accuracy",
            "quality",
            "filtered", "type", "experimental",
        ].map { named($0, in: plane) }
        return own + [
            named("width", in: plane, as: "planeWidth"), named("height", in: plane, as: "planeHeight"),
            named("orientation", in: plane, as: "planeOrientation"),
            named("fx", in: intrinsics), named("fy", in: intrinsics), named("cx", in: intrinsics),
            named("cy", in: intrinsics), named("width", in: intrinsics, as: "cameraWidth"),
            named("height", in: intrinsics, as: "cameraHeight"), named("pixelSize", in: camera),
            named("simulatedAperture", in: plane["blur"] ?? .null),
        ]
    }

    private static func error(_ error: JSONValue) -> [(String, JSONValue)] {
        [
            ("errorCode", error["code"] ?? .null), ("errorMessage", error["message"] ?? .null),
            ("errorOffset", error["offset"] ?? .null), ("errorWhere", error["where"] ?? .null),
        ]
    }
}
