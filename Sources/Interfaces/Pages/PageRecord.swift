internal import DepthTypes
internal import Embedded
internal import Geometry
internal import Scenes

/// The record of a scene or a recording as HTML: camera, planes with their ranges, calibration, and diagnostics.
struct PageRecord: Sendable {
    /// The fields of `isobath.info/1`, of a similar record, or of `isobath.recording/1`.
    let fields: JSONValue
    /// The description of the scene, or of the first frame that is shown.
    let description: SceneDescription
    /// The camera of the depth, with the origin of its values.
    let camera: ResolvedCamera?
    /// Remarks and warnings.
    let remarks: [String]

    /// Make and model.
    var cameraName: String {
        [fields["camera"]?["make"]?.text, fields["camera"]?["model"]?.text].compactMap(\.self)
            .joined(separator: " ")
    }

    /// The declared range of the first plane of depth or disparity, in meters; `nil` without one, or without a unit.
    var rangeInMeters: AlbumEntry.Distances? {
        let kinds = [PlaneKind.depth.rawValue, PlaneKind.disparity.rawValue]
        guard let plane = fields["planes"]?.elements.first(where: { kinds.contains($0["kind"]?.text ?? "") }),
            let low = plane["minimum"]?.double, let high = plane["maximum"]?.double, high > 0
        else { return nil }
        switch plane["unit"]?.text {
        case "m": return AlbumEntry.Distances(near: max(low, 0), far: high)
        case "1/m": return AlbumEntry.Distances(near: 1 / high, far: low > 0 ? 1 / low : nil)
        default: return nil
        }
    }

    /// The declared range of a plane, as distances also for disparity.
    private static func range(of plane: JSONValue) -> String? {
        guard let low = plane["minimum"]?.double, let high = plane["maximum"]?.double else { return nil }
        let unit = plane["unit"]?.text
        let text = "\(Float(low).short) to \(Float(high).short) \(unit ?? "(no unit)")"
        guard unit == "1/m", high > 0 else { return text }
        let far = low > 0 ? "\(Float(1 / low).short) m" : "infinity"
        return "\(text) (\(Float(1 / high).short) m to \(far))"
    }

    /// What the page shows, as text; `count` frames of a recording, which are `distances` away.
    func facts(showing count: Int, _ distances: String) -> String {
        var facts: [String] = []
        if let total = fields["frames"]?.integer {
            let frames = total == 1 ? "1 frame" : "\(total) frames"
            facts.append(count < total ? "\(count) of \(frames)" : frames)
        }
        if let seconds = fields["seconds"]?.double { facts.append("\(Float(seconds).short) s") }
        return (facts + [distances]).joined(separator: ", ")
    }

    /// Tables and lists.
    var html: String {
        var rows = [
            row("File", fields["path"]?.text),
            row("Format", fields["container"]?.text ?? fields["layout"]?.text),
            row("Frames", fields["frames"]?.integer.map { "\($0)" }),
            row("Length", fields["seconds"]?.double.map { "\(Float($0).short) s" }),
            row("Frames a second", fields["rate"]?.double.map { Float($0).short }),
        ]
        let stored = fields["color"] ?? fields
        if let width = stored["width"]?.integer, let height = stored["height"]?.integer {
            rows.append(row("Stored size", "\(width) × \(height)"))
        }
        if let depth = description.depth {
            let unit = depth.scale.hasUnit ? "in \(depth.quantity.unit)" : "(no unit)"
            let text =
                "\(depth.quantity.rawValue), \(depth.size), \(unit), accuracy \(depth.scale.accuracy.rawValue)"
            rows.append(row("Depth", text))
        }
        if let poses = fields["poses"]?["count"]?.integer {
            rows.append(row("Poses", "\(poses), \(fields["poses"]?["convention"]?.text ?? "")"))
        }
        rows.append(row("Camera", cameraName.isEmpty ? nil : cameraName))
        let focalLength = fields["camera"]?["focalLength35mm"]?.integer
        rows.append(row("Focal length", focalLength.map { "\($0) mm (35 mm equivalent)" }))
        if let camera {
            let calibration = camera.calibration
            let focal =
                "f \(Float(calibration.focalLengthX).short), \(Float(calibration.focalLengthY).short); "
                + "center \(Float(calibration.principalPointX).short), \(Float(calibration.principalPointY).short) "
                + "in samples of the depth (\(calibration.width) × \(calibration.height))"
            rows.append(row("Calibration", focal))
            rows.append(row("Known from", "\(camera.source)"))
            if calibration.distortion != nil || calibration.lens != nil {
                rows.append(row("Lens", "its distortion is described"))
            }
        }
        var html = "<table><tbody>\(rows.joined())</tbody></table>\n"
        html += planesTable
        if !remarks.isEmpty {
            let items = remarks.map { "<li>\($0.forPage)</li>" }.joined()
            html += "<h3>Remarks</h3>\n<ul>\(items)</ul>\n"
        }
        return html
    }

    /// A row of a table; empty without a value.
    private func row(_ name: String, _ value: String?) -> String {
        guard let value else { return "" }
        return
            "<tr><th scope=\"row\">\(name)</th><td><bdi>\(value.shortened(to: 400).forPage)</bdi></td></tr>"
    }

    private var planesTable: String {
        guard let planes = fields["planes"]?.elements else { return "" }
        guard !planes.isEmpty else { return "<p>The file holds no planes beside the picture.</p>\n" }
        let heads = ["Plane", "Size", "Samples", "Range", "Accuracy"]
            .map { "<th scope=\"col\">\($0)</th>" }.joined()
        let rows = planes.map { plane in
            let size = "\(plane["width"]?.integer ?? 0) × \(plane["height"]?.integer ?? 0)"
            let bits = plane["bitDepth"]?.integer.map { "\($0)-bit " } ?? ""
            let isDepth = plane["kind"]?.text.flatMap(PlaneKind.init(rawValue:))?.isDepth ?? false
            let cells = [
                plane["kind"]?.text ?? "", size, bits + (plane["codec"]?.text ?? ""),
                Self.range(of: plane) ?? (isDepth ? "not declared" : ""),
                isDepth ? plane["accuracy"]?.text ?? "" : "",
            ]
            return "<tr>\(cells.map { "<td><bdi>\($0.forPage)</bdi></td>" }.joined())</tr>"
        }
        return
            "<h3>Planes</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Planes\"><table class=\"planes\">"
            + "<thead><tr>\(heads)</tr></thead><tbody>\(rows.joined())</tbody></table></div>\n"
    }
}
