internal import Isobath
internal import Recordings
internal import Scenes

extension Recording {
    /// The recording as lines for a person.
    func summary(path: String) -> String {
        if layout.isMovie { return RecordingReader(self).summary(path: path) }
        var facts = [layout.title, frames.count == 1 ? "1 frame" : "\(frames.count) frames"]
        if let seconds, frames.count > 1 {
            let speed = rate.map { ", \(Float($0).short) a second" } ?? ""
            facts.append("\(Float(seconds).short) s\(speed)")
        }
        var rows: [(String, [String])] = []
        if hasColor { rows.append(("color", [text(colorSize)] + share(colorCount))) }
        if hasDepth { rows.append(("depth", [text(depthSize)] + depthFacts)) }
        if hasConfidence {
            rows.append(("confidence", [text(confidenceSize), "low, medium, high"]))
        }
        if matteCount > 0 { rows.append(("mattes", ["\(matteCount) of \(frames.count)"])) }
        if let convention {
            rows.append(("poses", ["\(poseCount) of \(frames.count)".padded(to: 11), convention.words]))
        }
        if let frame = frames.first, let camera = calibration(of: frame) {
            let focal = "f \(Float(camera.focalLengthX).short) px".padded(to: 11)
            let isOwn = frames.contains { $0.intrinsics != nil }
            rows.append(
                (
                    "camera",
                    [focal, "of \(camera.width) × \(camera.height)" + (isOwn ? ", each frame its own" : "")]
                        + (cameraOrigin == .file ? [] : [cameraOrigin.name])
                ))
        }
        if let orientation, orientation != .up {
            let turn =
                orientation == .down
                ? "upside down" : orientation == .right ? "on its left side" : "on its right side"
            rows.append(("held", ["\(turn): frames are turned upright"]))
        }
        let width = rows.map(\.0.count).max() ?? 0
        var lines = ["\(path): " + facts.joined(separator: ", ")]
        lines += rows.map { "  " + $0.0.padded(to: width) + "  " + $0.1.joined(separator: "  ").trimmedEnd }
        lines += topicLines
        lines += diagnostics.remarks.map { "  \($0)" }
        return lines.map { $0.forTerminal + "\n" }.joined()
    }

    /// A line for each topic of a bag, except for unused ones of a single message: RealSense's SDK stores options so.
    private var topicLines: [String] {
        guard let topics else { return [] }
        let shown = topics.filter { $0.count != 1 || $0.role != nil }
        let rows = shown.map { topic in
            [
                topic.name, topic.type, "\(topic.count)",
                topic.rate.map { "\(Float($0).short) a second" } ?? "", topic.role?.rawValue ?? "",
            ]
        }
        let widths = (0..<4).map { column in min(rows.map { $0[column].count }.max() ?? 0, 60) }
        let others = topics.count - shown.count
        return ["  \(topics.count) topics" + (others > 0 ? ", \(others) of one message not shown" : "")]
            + rows.map { row in
                let cells = zip(row, widths + [0]).map { $0.padded(to: $1) }
                return ("    " + cells.joined(separator: "  ")).trimmedEnd
            }
    }

    private func text(_ size: PixelSize?) -> String { (size?.description ?? "").padded(to: 11) }

    private func share(_ count: Int) -> [String] {
        count == frames.count ? [] : ["\(count) of \(frames.count) frames"]
    }

    private var depthFacts: [String] {
        guard scale.hasUnit else { return ["no unit"] }
        let units = unitsPerMeter.map { $0 == 1 ? "" : ", \(Float($0).short) units a meter" } ?? ""
        return ["m, \(scale.accuracy.rawValue)\(units)"]
    }
}

extension SceneSequence {
    /// The movie or stream as lines for a person.
    func summary(path: String) -> String {
        let (extent, frame) = (extent, description)
        let count = extent.frameCount
        var facts = [extent.title] + (count.map { [$0 == 1 ? "1 frame" : "\($0) frames"] } ?? [])
        if let seconds = extent.seconds, count ?? 0 > 1 {
            let speed = extent.rate.map { ", \(Float($0).short) a second" } ?? ""
            facts.append("\(Float(seconds).short) s\(speed)")
        }
        var lines = ["\(path): " + facts.joined(separator: ", ")]
        if let size = frame.colorSize { lines.append("  color   \(size)") }
        if let eyes = frame.eyes {
            lines.append("  eyes    " + ([eyes.names] + eyes.facts).joined(separator: ", "))
        }
        if let depth = frame.depth {
            let units = depth.unitsPerMeter.map { ", \(Float($0).short) units a meter" } ?? ""
            let meaning = depth.scale.hasUnit ? "m, \(depth.scale.accuracy.rawValue)\(units)" : "no unit"
            lines.append("  depth   " + depth.size.description.padded(to: 11) + "  " + meaning)
        }
        if !frame.mattes.isEmpty {
            lines.append("  mattes  " + frame.mattes.map(\.rawValue).joined(separator: ", "))
        }
        if let camera = frame.calibrationOfFrame {
            lines.append(
                "  camera  f \(Float(camera.focalLengthX).short) px of \(camera.width) × \(camera.height)")
        }
        lines += diagnostics.remarks.map { "  \($0)" }
        return lines.map { $0.forTerminal + "\n" }.joined()
    }
}

extension String {
    /// The text without blanks at its end.
    fileprivate var trimmedEnd: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
