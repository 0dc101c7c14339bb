internal import DepthTypes
internal import Embedded

/// The record of a recording as HTML.
struct RecordingFacts: Sendable {
    /// The fields of `isobath.recording/1`.
    let fields: JSONValue
    /// Remarks and warnings.
    let remarks: [String]

    /// What the page shows, as text. `disparities` are between which nearly all of the recording is, in 1/meters; `nil`
    /// without a unit.
    func facts(showing count: Int, _ disparities: ClosedRange<Double>?) -> String {
        let total = fields["frames"]?.integer ?? count
        let frames = total == 1 ? "1 frame" : "\(total) frames"
        var facts = [count < total ? "\(count) of \(frames)" : frames]
        if let seconds = fields["seconds"]?.double { facts.append("\(Float(seconds).short) s") }
        if let disparities {
            facts.append(PageHeading.distances(1 / disparities.upperBound, 1 / disparities.lowerBound))
        }
        return facts.joined(separator: ", ")
    }

    /// Tables and lists.
    var html: String {
        var rows = [row("File", fields["path"]?.text), row("Format", fields["layout"]?.text)]
        rows.append(row("Frames", fields["frames"]?.integer.map { "\($0)" }))
        rows.append(row("Length", fields["seconds"]?.double.map { "\(Float($0).short) s" }))
        rows.append(row("Frames a second", fields["rate"]?.double.map { Float($0).short }))
        rows.append(row("Pictures", size("color")))
        if let size = size("depth") {
            let unit = fields["depth"]?["unit"]?.text.map { "in \($0)" } ?? "without a unit"
            let accuracy = fields["depth"]?["accuracy"]?.text ?? "unknown"
            rows.append(row("Depth", "\(size), \(unit), accuracy \(accuracy)"))
        }
        if let poses = fields["poses"]?["count"]?.integer {
            rows.append(row("Poses", "\(poses), \(fields["poses"]?["convention"]?.text ?? "")"))
        }
        if let camera = fields["camera"], let fx = camera["fx"]?.double, let fy = camera["fy"]?.double {
            let size = "\(camera["width"]?.integer ?? 0) × \(camera["height"]?.integer ?? 0)"
            rows.append(row("Camera", "f \(Float(fx).short), \(Float(fy).short) pixels of \(size)"))
        }
        var html = "<table><tbody>\(rows.joined())</tbody></table>\n"
        if !remarks.isEmpty {
            let items = remarks.map { "<li>\($0.forPage)</li>" }.joined()
            html += "<h3>Remarks</h3>\n<ul>\(items)</ul>\n"
        }
        return html
    }

    private func size(_ name: String) -> String? {
        guard let part = fields[name], let width = part["width"]?.integer,
            let height = part["height"]?.integer
        else { return nil }
        return "\(width) × \(height)"
    }

    private func row(_ name: String, _ value: String?) -> String { PageRecord.row(name, value) }
}
