/// Filters the depth of each frame, in order, before it is shown or written.
package protocol DepthFilter: AnyObject {
    /// Modifies the depth of a frame. A filter may remember former frames.
    func apply(to frame: inout SequenceFrame)
}

/// A filter by its name and settings, as in `temporal:alpha=0.4:persistence=3`: the post-processing of RealSense cameras.
///
/// | name | settings | what it does |
/// |---|---|---|
/// | `decimation` | `magnitude` 2…8 (2) | one sample for a square of them: the median up to 3, else the mean |
/// | `disparity` | | the filters after it work on disparity, up to `depth` or `holes` |
/// | `spatial` | `alpha` 0.25…1 (0.5), `delta` 1…50 (20), `iterations` 1…5 (2) | smooths along rows and columns, up to edges |
/// | `temporal` | `alpha` 0…1 (0.4), `delta` 1…100 (20), `persistence` 0…8 (3) | smooths over time, and keeps samples that get lost |
/// | `holes` | `mode` 0…2 (1) | fills unknown samples from the left, with the farthest around, or the nearest |
/// | `confidence` | `least` 1…2 (1) | makes samples of lower confidence unknown |
///
/// `delta` is in millimeters, or after `disparity` in 1/32 of a pixel of disparity.
package struct FilterSetting: Codable, Hashable, Sendable {
    package enum Name: String, CaseIterable, Codable, Sendable {
        case decimation, disparity, depth, spatial, temporal, holes, confidence
    }

    package var name: Name
    /// The settings that were given.
    package var values: [String: Double] = [:]

    /// The valid ranges and defaults of settings.
    private static func ranges(of name: Name) -> [String: (ClosedRange<Double>, Double)] {
        switch name {
        case .decimation: ["magnitude": (2...8, 2)]
        case .spatial: ["alpha": (0.25...1, 0.5), "delta": (1...50, 20), "iterations": (1...5, 2)]
        case .temporal: ["alpha": (0...1, 0.4), "delta": (1...100, 20), "persistence": (0...8, 3)]
        case .holes: ["mode": (0...2, 1)]
        case .confidence: ["least": (1...2, 1)]
        case .disparity, .depth: [:]
        }
    }

    /// Parses a name and settings; `nil` if there is no such filter or setting, or a value is out of range.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let first = parts.first, let name = Name(rawValue: String(first)) else { return nil }
        self.name = name
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", omittingEmptySubsequences: false)
            guard pair.count == 2, let value = Double(String(pair[1])),
                let range = Self.ranges(of: name)[String(pair[0])], range.0.contains(value)
            else { return nil }
            values[String(pair[0])] = value
        }
    }

    private func value(_ key: String) -> Double { values[key] ?? Self.ranges(of: name)[key]?.1 ?? 0 }

    /// The filters of a list.
    package static func filters(_ settings: [FilterSetting]) -> [any DepthFilter] {
        var filters: [any DepthFilter] = []
        var isDisparity = false
        func setDisparity(_ wanted: Bool) {
            if wanted != isDisparity { filters.append(DisparityTransform(toDisparity: wanted)) }
            isDisparity = wanted
        }
        for setting in settings {
            // Millimeters, or steps of disparity.
            let delta = Float(setting.value("delta")) * (isDisparity ? 1 : 0.001)
            switch setting.name {
            case .decimation:
                filters.append(DecimationFilter(magnitude: Int(setting.value("magnitude"))))
            case .disparity: setDisparity(true)
            case .depth: setDisparity(false)
            case .spatial:
                filters.append(
                    SpatialFilter(
                        alpha: Float(setting.value("alpha")), delta: delta,
                        iterations: Int(setting.value("iterations"))))
            case .temporal:
                filters.append(
                    TemporalFilter(
                        alpha: Float(setting.value("alpha")), delta: delta,
                        persistence: Int(setting.value("persistence"))))
            case .holes:
                setDisparity(false)
                filters.append(HoleFillingFilter(mode: Int(setting.value("mode"))))
            case .confidence: filters.append(ConfidenceFilter(least: UInt8(setting.value("least"))))
            }
        }
        setDisparity(false)
        return filters
    }
}

/// Applies filters, then a view.
package final class FilteredView: FrameView {
    private let filters: [any DepthFilter]
    private let view: any FrameView

    package init(_ filters: [any DepthFilter], _ view: any FrameView) {
        (self.filters, self.view) = (filters, view)
    }

    package var parts: FrameParts {
        view.parts.contains(.depth) ? view.parts.union(.confidence) : view.parts
    }

    package func render(_ frame: inout SequenceFrame, into output: inout RenderedFrame) throws {
        if !frame.depth.isEmpty { for filter in filters { filter.apply(to: &frame) } }
        try view.render(&frame, into: &output)
    }
}
