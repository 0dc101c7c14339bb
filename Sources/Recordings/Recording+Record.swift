package import ByteParsing
internal import DepthModel
package import EmbeddedFormats

extension Recording {
    /// The recording in the schema `isobath.recording/1`; `describing` makes the lines of `warnings`. Nothing is decoded.
    package func record(
        path: String, describing: (Diagnostic) -> String = { $0.description }
    ) -> JSONValue {
        .object([
            ("schema", .text("isobath.recording/1")),
            ("path", .text(path)),
            ("layout", .text(layout.rawValue)),
            ("frames", .integer(frames.count)),
            ("skipped", .integer(skippedCount)),
            ("seconds", .optional(seconds)),
            ("rate", .optional(rate)),
            ("color", hasColor ? size(colorSize, []) : .null),
            ("depth", hasDepth ? depthRecord : .null),
            ("confidence", hasConfidence ? size(confidenceSize, [("levels", .integer(3))]) : .null),
            ("poses", posesRecord),
            ("camera", cameraRecord),
            ("warnings", .array(diagnostics.map { .text(describing($0)) })),
        ])
    }

    private func size(_ size: PixelSize?, _ more: [(String, JSONValue)]) -> JSONValue {
        .object(
            [("width", .optional(size?.width)), ("height", .optional(size?.height))] + more)
    }

    private var depthRecord: JSONValue {
        size(
            depthSize,
            [
                ("unit", .optional(scale.isMetric ? "m" : nil)),
                ("scale", .optional(unitsPerMeter)),
                ("accuracy", .text(scale.accuracy.rawValue)),
            ])
    }

    private var posesRecord: JSONValue {
        guard let convention else { return .null }
        return .object([("count", .integer(poseCount)), ("convention", .text(convention.rawValue))])
    }

    /// The camera of the first frame, and whether others have their own.
    private var cameraRecord: JSONValue {
        guard let frame = frames.first, let camera = calibration(of: frame) else { return .null }
        return .object([
            ("fx", .number(camera.focalLengthX)), ("fy", .number(camera.focalLengthY)),
            ("cx", .number(camera.principalPointX)), ("cy", .number(camera.principalPointY)),
            ("width", .integer(camera.width)), ("height", .integer(camera.height)),
            ("perFrame", .bool(frames.contains { $0.intrinsics != nil })),
            ("source", .text(cameraOrigin.rawValue)),
        ])
    }
}
