public import ArgumentParser
public import Isobath

/// Where a mask is cut from depth.
struct DepthMaskOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "With a depth mask: keep what is beyond this, in meters, or a share of the samples such as 30%.",
            valueName: "meters"))
    var near: DistanceBound?

    @Option(
        help: ArgumentHelp("With a depth mask: keep what is nearer than this.", valueName: "meters"))
    var far: DistanceBound?

    @Option(
        help: ArgumentHelp("The width of the ramp at either end of a depth mask.", valueName: "meters"),
        transform: decimal)
    var softness: Float?

    @Option(
        help: ArgumentHelp(
            "Cut the depth mask behind what is seen here; 0,0 is the top left corner, 1,1 the bottom right.",
            valueName: "x,y"))
    var focus: NormalizedPoint?

    /// The flags as a job takes them.
    var cut: DepthCut {
        DepthCut(near: near, far: far, softness: softness, focus: focus)
    }

    /// Whether any flag is given.
    var isGiven: Bool { near != nil || far != nil || softness != nil || focus != nil }

    func validate() throws {
        if let softness, !(softness >= 0 && softness.isFinite) {
            throw ValidationError("'--softness' must be a number of meters, 0 or more.")
        }
        if focus != nil, near != nil || far != nil {
            throw ValidationError("--focus finds the cut by itself; leave out --near and --far.")
        }
        if case .meters(let near)? = near, case .meters(let far)? = far, near >= far {
            throw ValidationError("'--near' must be less than '--far'.")
        }
        if case .percent(let near)? = near, case .percent(let far)? = far, near >= far {
            throw ValidationError("'--near' must be less than '--far'.")
        }
    }
}

extension DistanceBound: ExpressibleByArgument {
    /// Reads meters, or a percentage such as `30%`.
    public init?(argument: String) {
        if argument.hasSuffix("%") {
            guard let percent = Float(decimal: argument.dropLast()), (0...100).contains(percent) else {
                return nil
            }
            self = .percent(percent)
        } else {
            guard let meters = Float(decimal: argument), meters >= 0, meters.isFinite else { return nil }
            self = .meters(meters)
        }
    }
}

extension NormalizedPoint: ExpressibleByArgument {
    /// Reads `x,y`, both 0…1.
    public init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map {
            Double(decimal: $0)
        }
        guard parts.count == 2, let x = parts[0], let y = parts[1], (0...1).contains(x), (0...1).contains(y)
        else { return nil }
        self.init(x: x, y: y)
    }

    /// `x,y`.
    public var defaultValueDescription: String { "\(x),\(y)" }
}
