internal import DepthTypes
internal import PhotoFormats
internal import RasterFormats

extension DepthRaster {
    package func summary(name: String) -> [String] {
        let upright = description.orientation.size(width: description.width, height: description.height)
        let size = "\(description.width) × \(description.height)"
        var title =
            "\(name): \(description.format.rawValue.uppercased()) \(upright.width) × \(upright.height)"
        if description.orientation != .up { title += ", orientation \(description.orientation.rawValue)" }
        var lines = [title]
        if let plane {
            var facts = [
                plane.kind.rawValue, size.padded(to: 11), "\(description.sampleType.rawValue) \(plane.codec)",
                "\(unit ?? "no unit"), \(plane.accuracy.rawValue)",
            ]
            if let name = description.name { facts.insert(name, at: 3) }
            if let calibration = plane.calibration {
                facts.append("f \(Float(calibration.focalLengthX).short) px of \(calibration.width)")
            }
            lines.append("  " + facts.joined(separator: "  "))
        }
        return lines
    }
}

extension DepthPhoto {
    package func summary(name: String) -> [String] {
        let size = description.orientation.size(width: description.width, height: description.height)
        var facts = ["\(format.rawValue.uppercased()) \(size.width) × \(size.height)"]
        if description.orientation != .up { facts.append("orientation \(description.orientation.rawValue)") }
        let camera = [description.make, description.model].compactMap(\.self).joined(separator: " ")
        if !camera.isEmpty { facts.append(camera) }
        if let focalLength = description.focalLength35mm { facts.append("\(focalLength) mm") }
        if let pair = description.stereo { facts.append(pair.summary) }
        if planes.isEmpty { facts.append("no auxiliary planes") }
        var lines = ["\(name): \(facts.joined(separator: ", "))"]
        let kinds = planes.map { $0.index == 0 ? $0.kind.rawValue : "\($0.kind.rawValue)-\($0.index + 1)" }
        let width = kinds.map(\.count).max() ?? 0
        for (kind, plane) in zip(kinds, planes) {
            lines.append("  " + kind.padded(to: width) + "  " + plane.summary)
        }
        if !planes.contains(where: \.kind.isDepth), let line = description.stereo?.computableSummary {
            lines.append("\(line): extract --depth-from stereo")
        }
        if !trailers.isEmpty {
            lines.append("  also  " + trailers.map(\.summary).joined(separator: ", "))
        }
        return lines
    }
}

extension StereoPair {
    /// That disparity can be computed, and of which accuracy; `nil` if it cannot.
    var computableSummary: String? {
        guard isComputable else { return nil }
        let scale =
            switch computedScale {
            case .metric: "in 1/m"
            case .affine: "without a unit"
            default: "in 1/m, inexact"
            }
        return "  disparity can be computed from the pair, \(scale)"
    }

    var summary: String {
        var facts = ["stereo pair (\(source)), left \(left.place), right \(right.place)"]
        if let baseline { facts.append("baseline \(Float(baseline * 1000).short) mm") }
        if let horizontalFieldOfView { facts.append("\(Float(horizontalFieldOfView).short)° wide") }
        return facts.joined(separator: ", ")
    }
}

extension CodedView {
    fileprivate var place: String {
        if let crop { return "\(crop.width) × \(crop.height) at \(crop.left), \(crop.top)" }
        switch location {
        case .heifItem(let id): return "item \(id)"
        case .jpegStream(let range): return "at byte \(range.lowerBound)"
        case .pngStream, .rawSamples, .segments, .jpegXLChannel, .xmpPayload, .raster:
            return "\(width) × \(height)"
        }
    }
}

extension FileTrailer {
    fileprivate var summary: String {
        "\(source) \(type)" + (name.map { " \($0)" } ?? "") + " (\(range.count) bytes)"
    }
}

extension PlaneDescription {
    fileprivate var summary: String {
        var facts = ["\(width) × \(height)".padded(to: 11), bitDepth.map { "\($0)-bit \(codec)" } ?? codec]
        if source.hasPrefix("apple") == false, source != "heif-auxiliary" { facts.append(source) }
        if let mapping {
            if mapping.isDeclared {
                facts.append(mapping.summary + accuracy.rawValue)
            } else {
                facts.append("no declared range" + (mapping.low > mapping.high ? ", dark is near" : ""))
            }
        }
        if let calibration {
            facts.append("f \(Float(calibration.focalLengthX).short) px of \(calibration.width)")
        }
        if kind == .unknown { facts.append(type) }
        if isExperimental { facts.append("(experimental)") }
        return facts.joined(separator: "  ")
    }
}

extension SampleMapping {
    /// The range of values and of their reciprocals.
    fileprivate var summary: String {
        let (low, high) = range
        let other: DepthQuantity = quantity == .depth ? .disparity : .depth
        guard hasUnit else {
            // A range that includes 0 has no reciprocals.
            let reciprocals =
                low > 0 ? " (\(other.rawValue) \((1 / high).short) to \((1 / low).short))" : ""
            return "\(low.short) to \(high.short)\(reciprocals) of no unit, "
        }
        let farthest =
            low > 0
            ? "\((1 / high).short) to \((1 / low).short) \(other.unit)"
            : "\((1 / high).short) \(other.unit) to infinity"
        return "\(low.short) to \(high.short) \(quantity.unit) (\(farthest)), "
    }
}

extension String {
    /// The text padded with trailing spaces to at least `width` characters.
    package func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
