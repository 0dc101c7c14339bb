package import DepthModel

/// How a map becomes integer codes on a straight line, as photos store depth.
package struct DepthCoding: Hashable, Codable, Sendable {
    /// What is coded linearly; `nil` keeps the quantity that the map is stored in.
    package var quantity: DepthQuantity?
    /// Bits of a code, 8 or 16. Codes of 8 bits stay what they are.
    package var bitDepth = 8
    /// Whether every code must stand for a positive, finite distance, as in Google's forms.
    package var needsDistances = false
    /// Whether a range can stay without a unit, as in GDepth. All of it must be positive.
    package var holdsUnitless = false
    /// Whether there are forms of 16 bits in which samples may be unknown, as in Apple's. Maps with such samples take them.
    package var holdsUnknown = false
    /// The nearest distance in meters. Nearer samples of a map in meters are clipped to it; a map without a unit has it at its
    /// nearest value.
    package var near: Double?
    /// The farthest distance in meters, likewise.
    package var far: Double?
    /// What is done to the map first.
    package var treatment = MapTreatment()

    /// The map as it is stored, in 8 bits.
    package init() {}
}

/// Why a map cannot be coded as asked, although it can be read.
package enum DepthCodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Samples are unknown, and codes have no way to say so.
    case unknownSamples(Int)
    /// Samples are at infinity or behind the camera, and codes need distances.
    case withoutDistance(Int)
    /// The map has no unit, and no range was given.
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
