internal import ArgumentParser
internal import Isobath

/// The range of depth that a mask selects.
struct MaskOptions: FlagGroup {
    static let kinds: FlagKinds = ["softness": .all]

    @OptionGroup var range: DistanceOptions

    @Option(
        help: ArgumentHelp("The width of the ramp at both ends of a depth mask.", valueName: "meters"),
        transform: decimal)
    var softness: Float?

    @OptionGroup var position: FocusOptions

    var focus: PicturePosition? { position.focus }

    /// Whether any flag is given.
    var isGiven: Bool { range.near != nil || range.far != nil || softness != nil || focus != nil }

    func validate() throws {
        if let softness, !(softness >= 0 && softness.isFinite) {
            throw ValidationError("--softness is \(softness); it must be a number of meters, 0 or more")
        }
        if focus != nil, let bound = range.given {
            throw ValidationError("--\(bound) has no effect with --focus")
        }
        guard softness != nil else { return }
        if focus != nil { throw ValidationError("--softness has no effect with --focus") }
        guard range.given != nil else {
            throw ValidationError("--softness has no effect without --near or --far")
        }
        if range.isFraction {
            throw ValidationError("--softness has no effect with percentages, which have no meters")
        }
    }

    /// The range as a job takes it.
    var cut: DepthCut {
        if range.isFraction { return .percent(near: range.near?.value, far: range.far?.value) }
        if range.given == nil { return .automatic }
        return .meters(near: range.near?.value, far: range.far?.value, softness: softness)
    }
}

/// The position of the subject.
struct FocusOptions: FlagGroup {
    static let kinds: FlagKinds = ["focus": .all]

    @Option(
        help: ArgumentHelp(
            "The position of the subject: fractions, or pixels such as 1200px,900px. A lens focuses on it, and a depth mask is cut behind it.",
            valueName: "x,y"))
    var focus: PicturePosition?
}

/// A range of distances.
struct DistanceOptions: FlagGroup {
    static let kinds: FlagKinds = ["near": .all, "far": .all]

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The nearest distance that is used. Masks also take a percentage of the samples, such as 30%.",
            valueName: "meters"))
    var near: DistanceBound?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The farthest distance that is used.", valueName: "meters"))
    var far: DistanceBound?

    /// The name of a flag that is given; `nil` without one.
    var given: String? { near != nil ? "near" : far != nil ? "far" : nil }

    /// Whether the bounds are percentages.
    var isFraction: Bool { near?.isFraction ?? far?.isFraction ?? false }

    func validate() throws {
        guard let near, let far else { return }
        guard near.isFraction == far.isFraction else {
            throw ValidationError("--near and --far must both be meters or both be percentages")
        }
        guard near.value < far.value else {
            throw ValidationError(
                "--near is \(near.value.short) and --far is \(far.value.short); --near must be less")
        }
    }

    /// The range in meters. Throws for percentages.
    func meters() throws -> (near: Float?, far: Float?) {
        if let given, isFraction {
            throw ValidationError("--\(given) is a percentage; here it must be a number of meters")
        }
        if far?.value == 0 { throw ValidationError("--far is 0; it must be a positive number of meters") }
        return (near?.value, far?.value)
    }
}

/// A bound of distance: meters, or a percentile of all samples, such as `30%`, counted from the nearest.
struct DistanceBound: ExpressibleByArgument {
    let value: Float
    let isFraction: Bool

    init?(argument: String) {
        isFraction = argument.hasSuffix("%")
        guard let value = Float(decimal: isFraction ? argument.dropLast() : argument[...]), value.isFinite,
            (0...(isFraction ? 100 : .greatestFiniteMagnitude)).contains(value)
        else { return nil }
        self.value = value
    }
}
