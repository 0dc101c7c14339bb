package import Bytes
internal import DepthTypes
package import Embedded
internal import Scenes

/// The contents of `isobath.recording/1`, for every kind of recording.
struct RecordingRecord {
    var path: String
    var layout: RecordingLayout
    var frames: Int
    var skipped = 0
    var unlisted = 0
    var seconds: Double?
    var rate: Double?
    var color: JSONValue = .null
    var depth: JSONValue = .null
    var confidence: JSONValue = .null
    var mattes: JSONValue = .null
    var poses: JSONValue = .null
    var camera: JSONValue = .null
    var eyes: JSONValue = .null
    /// The Exif orientation that turns stored frames upright; `nil` if unknown.
    var orientation: Int?
    /// The topics of a bag; `nil` for other layouts, whose records lack them.
    var topics: [BagTopic]?
    var warnings: [String]

    var json: JSONValue {
        let topics = topics.map { [("topics", JSONValue.array($0.map(\.record)))] } ?? []
        return .object(
            [
                ("schema", .text("isobath.recording/1")), ("path", .text(path)),
                ("layout", .text(layout.rawValue)), ("frames", .integer(frames)),
                ("skipped", .integer(skipped)),
                ("unlisted", .integer(unlisted)),
                ("seconds", .optional(seconds)), ("rate", .optional(rate)), ("color", color),
                ("depth", depth),
                ("confidence", confidence), ("mattes", mattes), ("poses", poses), ("camera", camera),
                ("eyes", eyes),
                ("orientation", .optional(orientation)),
            ] + topics + [("warnings", .array(warnings.map(JSONValue.text)))])
    }

    static func size(_ size: PixelSize?, _ more: [(String, JSONValue)] = []) -> JSONValue {
        .object([("width", .optional(size?.width)), ("height", .optional(size?.height))] + more)
    }

    static func depth(_ size: PixelSize?, _ scale: DepthScale, unitsPerMeter: Double?) -> JSONValue {
        self.size(
            size,
            [
                ("unit", .optional(scale.hasUnit ? "m" : nil)), ("scale", .optional(unitsPerMeter)),
                ("accuracy", .text(scale.accuracy.rawValue)),
            ])
    }

    /// `count` is the number of frames that have one; `nil` if unknown.
    static func mattes(_ kinds: [PlaneKind], count: Int?) -> JSONValue {
        .object([("count", .optional(count)), ("kinds", .array(kinds.map { .text($0.rawValue) }))])
    }

    static func eyes(_ eyes: RecordedEyes) -> JSONValue {
        .object([
            (
                "read",
                .array(
                    (eyes.areBothRead ? [Eye.left, .right] : [eyes.firstIsRight ? .right : .left]).map {
                        .text($0.rawValue)
                    })
            ),
            ("main", .optional(eyes.hero?.rawValue)), ("baseline", .optional(eyes.baseline)),
            ("horizontalFieldOfView", .optional(eyes.horizontalFieldOfView)),
            ("disparityAdjustment", .optional(eyes.disparityAdjustment)),
            ("projection", .optional(eyes.projection)),
        ])
    }

    static func camera(
        _ camera: CameraCalibration?, isPerFrame: Bool, _ origin: CameraSource
    ) -> JSONValue {
        guard let camera else { return .null }
        return .object([
            ("fx", .number(camera.focalLengthX)), ("fy", .number(camera.focalLengthY)),
            ("cx", .number(camera.principalPointX)), ("cy", .number(camera.principalPointY)),
            ("width", .integer(camera.width)), ("height", .integer(camera.height)),
            ("perFrame", .bool(isPerFrame)), ("source", .text(origin.name)),
        ])
    }
}

extension Recording {
    /// The recording in the schema `isobath.recording/1`; `describing` formats the lines of `warnings`. Decodes nothing.
    package func record(
        path: String, describing: (Diagnostic) -> String = { $0.description }
    ) -> JSONValue {
        var record = RecordingRecord(
            path: path, layout: layout, frames: frames.count, skipped: skippedCount, unlisted: unlistedCount,
            seconds: seconds,
            rate: rate, warnings: diagnostics.map(describing))
        record.topics = topics
        if hasColor { record.color = RecordingRecord.size(colorSize) }
        if hasDepth { record.depth = RecordingRecord.depth(depthSize, scale, unitsPerMeter: unitsPerMeter) }
        if hasConfidence {
            record.confidence = RecordingRecord.size(confidenceSize, [("levels", .integer(3))])
        }
        // A movie does not say how many frames have one.
        if !mattes.isEmpty {
            record.mattes = RecordingRecord.mattes(mattes, count: layout.isMovie ? nil : matteCount)
        }
        record.eyes = eyes.map(RecordingRecord.eyes) ?? .null
        record.orientation = orientation?.rawValue
        if let convention {
            record.poses = .object([
                ("count", .integer(poseCount)), ("convention", .text(convention.rawValue)),
            ])
        }
        record.camera = RecordingRecord.camera(
            frames.first.flatMap(calibration), isPerFrame: frames.contains { $0.intrinsics != nil },
            cameraOrigin)
        return record.json
    }
}

extension BagTopic {
    fileprivate var record: JSONValue {
        .object([
            ("name", .text(name)), ("type", .text(type)), ("messages", .integer(count)),
            ("rate", .optional(rate)), ("role", .optional(role?.rawValue)),
        ])
    }
}
