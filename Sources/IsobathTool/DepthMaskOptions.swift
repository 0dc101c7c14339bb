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
        help: ArgumentHelp("The width of the ramp at either end of a depth mask.", valueName: "meters"))
    var softness: Float?

    @Option(
        help: ArgumentHelp(
            "Cut the depth mask behind what is seen here; 0,0 is the top left corner, 1,1 the bottom right.",
            valueName: "x,y"))
    var focus: NormalizedPoint?

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

extension DepthMaskOptions {
    /// What the flags select in a map, and how the cut was found where they do not name it.
    ///
    /// Without near, far and focus, the first face that the photo's metadata tells of is the focus.
    func selection(for photo: DepthInput, _ map: DisparityMap) throws -> (DepthSelection, words: String?) {
        if let focus { return (.focus(focus), "behind the focus") }
        let softness = softness ?? Self.usualSoftness
        switch (near, far) {
        case (nil, nil):
            if let face = photo.faces.first { return (.focus(face), "behind the face") }
            return (.bestSplit, "where the depth splits best")
        case (.percent?, .meters?), (.meters?, .percent?):
            throw MaskError("--near and --far must both be meters or both be shares")
        case (.percent, _), (_, .percent):
            return (.shares(near: near?.share, far: far?.share, softness: 0.02), nil)
        default:
            guard photo.depthHasUnit else {
                throw MaskError("its depth has no unit, so meters say nothing; use shares such as --near 30%")
            }
            return (.meters(near: near?.meters, far: far?.meters, softness: softness), nil)
        }
    }

    /// The width of ramps in meters, unless another is given.
    private static let usualSoftness: Float = 0.05
}

/// Why a depth mask cannot be cut as asked.
struct MaskError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A bound of distance: meters, or the part of all samples that is nearer.
enum DistanceBound: ExpressibleByArgument, Equatable {
    case meters(Float)
    case percent(Float)

    init?(argument: String) {
        if argument.hasSuffix("%") {
            guard let percent = Float(argument.dropLast()), (0...100).contains(percent) else { return nil }
            self = .percent(percent)
        } else {
            guard let meters = Float(argument), meters >= 0, meters.isFinite else { return nil }
            self = .meters(meters)
        }
    }

    var meters: Float? { if case .meters(let meters) = self { meters } else { nil } }

    var share: Double? { if case .percent(let percent) = self { Double(percent) / 100 } else { nil } }
}

extension NormalizedPoint: ExpressibleByArgument {
    /// Reads `x,y`, both 0…1.
    public init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard parts.count == 2, let x = parts[0], let y = parts[1], (0...1).contains(x), (0...1).contains(y)
        else { return nil }
        self.init(x: x, y: y)
    }

    /// `x,y`.
    public var defaultValueDescription: String { "\(x),\(y)" }
}
