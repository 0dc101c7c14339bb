package import Bytes
internal import DepthTypes
package import Embedded
internal import PhotoFormats

extension DepthScene {
    /// The scene and its planes in the schema `isobath.info/1`; `describing` formats the lines of `warnings`. Decodes
    /// nothing.
    package func record(
        path: String, describing: (Diagnostic) -> String = { $0.description }
    ) -> JSONValue {
        let size = description.file?.size ?? description.colorSize ?? description.depth?.size
        return .info(
            path: path, container: description.file?.format, width: size?.width ?? 0,
            height: size?.height ?? 0, orientation: description.file?.orientation ?? .up,
            camera: (description.cameraMake, description.cameraModel, description.recordedFocalLength),
            planes: description.storedPlanes.map { $0.record() }, stereo: description.stereo?.record ?? .null,
            lens: description.lens, trailers: description.file?.trailers.map(\.record) ?? [],
            warnings: recorded.map(describing))
    }

    /// Diagnostics on the file: which side of a photo's depth is near is assumed by the caller's reading.
    private var recorded: [Diagnostic] {
        guard description.file?.kind == .photo else { return diagnostics }
        return diagnostics.filter { $0.code != .assumedWhiteNear && $0.code != .assumedWhiteFar }
    }

    /// The scene and its planes as lines for a person, without diagnostics. Decodes nothing.
    package func summary(name: String) -> [String] {
        guard let file = description.file else {
            let lens = description.lens?.fNumber.map { "  lens    f/\($0.short)" }
            return [name + (description.depth.map { ": depth \($0.size)" } ?? "")]
                + [lens].compactMap(\.self)
        }
        let upright = file.orientation.size(width: file.size.width, height: file.size.height)
        var facts = ["\(file.format.uppercased()) \(upright.width) × \(upright.height)"]
        if file.kind != .pictures {
            if file.orientation != .up { facts.append("orientation \(file.orientation.rawValue)") }
            let camera = [description.cameraMake, description.cameraModel].compactMap(\.self)
                .joined(separator: " ")
            if !camera.isEmpty { facts.append(camera) }
        }
        if file.kind == .photo, let focalLength = description.recordedFocalLength {
            facts.append("\(focalLength) mm")
        }
        if let pair = description.stereo { facts.append(pair.summary) }
        let planes = description.storedPlanes
        if planes.isEmpty, file.kind != .raster { facts.append("no auxiliary planes") }
        var lines = ["\(name): \(facts.joined(separator: ", "))"]
        let kinds = planes.map { $0.index == 0 ? $0.kind.rawValue : "\($0.kind.rawValue)-\($0.index + 1)" }
        let width = kinds.map(\.count).max() ?? 0
        for (kind, plane) in zip(kinds, planes) {
            let summary = file.sampleType.map(plane.summary) ?? plane.summary
            lines.append("  " + kind.padded(to: width) + "  " + summary)
        }
        if !planes.contains(where: \.kind.isDepth), let line = description.stereo?.computableSummary {
            lines.append(file.kind == .photo ? "\(line): extract --depth-from stereo" : line)
        }
        if !file.trailers.isEmpty {
            lines.append("  also  " + file.trailers.map(\.summary).joined(separator: ", "))
        }
        return lines
    }
}

extension SceneDescription {
    /// The 35 mm equivalent focal length that the photo states; `nil` for rasters, which state it for the scene only.
    fileprivate var recordedFocalLength: Int? { file?.kind == .raster ? nil : focalLength35mm }
}

extension StereoPair {
    /// That disparity can be computed, and of which accuracy; `nil` if it cannot.
    var computableSummary: String? {
        guard isComputable else { return nil }
        let scale =
            switch computedScale {
            case .absolute: "in 1/m, absolute"
            case .affine: "no unit, affine"
            default: "in 1/m, relative"
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
    /// The only plane of a raster whose samples have this type.
    fileprivate func summary(sampleType: String) -> String {
        var facts = [
            "\(width) × \(height)".padded(to: 11), "\(sampleType) \(codec)",
            "\(unit ?? "no unit"), \(accuracy.rawValue)",
        ]
        if type != sampleType { facts.insert(type, at: 2) }
        if let calibration {
            facts.append("f \(Float(calibration.focalLengthX).short) px of \(calibration.width)")
        }
        return facts.joined(separator: "  ")
    }

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
