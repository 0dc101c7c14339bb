package import DepthTypes

/// How a map becomes integer codes, linear in depth or disparity, as photos store depth.
package struct DepthCoding: Hashable, Sendable {
    /// The quantity that codes are linear in; `nil` keeps the quantity that the map is stored in.
    package var quantity: DepthQuantity?
    /// Bits of a code, 8 or 16. Codes that have 8 bits already are kept.
    package var bitDepth = 8
    /// Whether every code must be a positive, finite distance, as in Google's forms.
    package var needsDistances = false
    /// Whether a range without a unit is allowed, as in GDepth. All of it must be positive.
    package var holdsNoUnit = false
    /// Whether the format has 16-bit forms with unknown samples, as Apple's has. Maps with unknown samples use them.
    package var holdsUnknown = false
    /// The nearest distance in meters. Nearer samples of a map with a unit are clipped to it.
    package var near: Double?
    /// The farthest distance in meters, with the same effect at the far end.
    package var far: Double?
    /// The treatment of the map before it is coded.
    package var treatment = MapTreatment()

    /// The map as it is stored, in 8 bits.
    package init() {}
}

/// Why a readable map cannot be coded as requested.
package enum DepthCodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Samples are unknown, but the codes cannot represent unknown samples.
    case unknownSamples(Int)
    /// Samples are at infinity or behind the camera, but codes must be distances.
    case withoutDistance(Int)
    /// The map has no unit.
    case noUnit
    /// No sample has a value.
    case empty
    /// `near` and `far` are not two positive distances in order.
    case invalidRange

    /// What is wrong.
    package var description: String {
        switch self {
        case .unknownSamples(let count):
            "\(count) samples of the map are unknown, and the form has no code for that"
        case .withoutDistance(let count):
            "\(count) samples of the map are at infinity or have no positive distance, and the form has no code for that"
        case .noUnit: "the map has no unit, and the form needs one"
        case .empty: "no sample of the map has a value"
        case .invalidRange: "near and far must be positive distances, near before far"
        }
    }
}
