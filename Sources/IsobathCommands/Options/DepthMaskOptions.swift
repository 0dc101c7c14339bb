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
        if let focus { return .focus(focus) }
        if near?.isShare ?? far?.isShare ?? false { return .percent(near: near?.value, far: far?.value) }
        if near == nil, far == nil { return .automatic }
        return .meters(near: near?.value, far: far?.value, softness: softness)
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
        guard let near, let far else { return }
        guard near.isShare == far.isShare else {
            throw ValidationError("'--near' and '--far' must both be meters or both be shares.")
        }
        guard near.value < far.value else { throw ValidationError("'--near' must be less than '--far'.") }
    }
}

/// A bound of distance: meters, or the percentage of all samples that is nearer, such as `30%`.
struct DistanceBound: ExpressibleByArgument {
    let value: Float
    let isShare: Bool

    init?(argument: String) {
        isShare = argument.hasSuffix("%")
        guard let value = Float(decimal: isShare ? argument.dropLast() : argument[...]), value.isFinite,
            (0...(isShare ? 100 : .greatestFiniteMagnitude)).contains(value)
        else { return nil }
        self.value = value
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
