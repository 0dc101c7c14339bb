internal import Bytes
internal import DepthTypes

/// The depth representation information SEI message (ITU-T H.265 §G.14.2.3, payload type 177), which HEIF stores in the
/// subtype bytes of `auxC`.
struct DepthRepresentation: Hashable {
    /// 0 uniform 1/Z, 1 uniform disparity, 2 uniform Z, 3 non-uniform disparity.
    var type: Int
    var zNear: Double?
    var zFar: Double?
    /// The smallest disparity.
    var dMin: Double?
    /// The largest disparity.
    var dMax: Double?

    /// The quantity that samples are linear in; `nil` for a non-uniform or unknown type.
    var quantity: DepthQuantity? {
        switch type {
        case 0, 1: .disparity
        case 2: .depth
        default: nil
        }
    }

    /// The values of the lowest and highest sample, if given.
    var range: (low: Double, high: Double)? {
        switch type {
        case 2:
            // Samples increase from the nearest to the farthest plane.
            if let zNear, let zFar { (zNear, zFar) } else if let dMin, let dMax { (dMin, dMax) } else { nil }
        case 0:
            if let zNear, let zFar, zNear > 0, zFar > 0 {
                (1 / zFar, 1 / zNear)
            } else if let dMin, let dMax {
                (dMin, dMax)
            } else {
                nil
            }
        case 1: if let dMin, let dMax { (dMin, dMax) } else { nil }
        default: nil
        }
    }

    /// Reads the subtype bytes of an `auxC` property: a length, then SEI NAL units, each preceded by its length
    /// (ISO/IEC 23008-12 §B.2.3.3). `nil` if they contain no depth representation.
    static func find(inSubtype box: inout ByteCursor) throws(ContainerError) -> DepthRepresentation? {
        guard box.remaining > 8 else { return nil }
        var units = try box.child(byteCount: try box.readUInt32())
        while units.remaining >= 4 {
            let length = try units.readUInt32()
            let start = units.offset
            let unit = try units.readBytes(length)
            guard unit.count > 4, unit[0] >> 1 & 63 == 39 else { continue }
            var bits = BitCursor(removingEmulationPreventionFrom: unit, base: start, path: units.path)
            try bits.skip(16)
            while bits.remaining >= 24 {
                let (type, size) = (try readExtended(&bits), try readExtended(&bits))
                if type == 177 { return try DepthRepresentation(parsing: &bits) }
                try bits.skip(8 * size)
            }
        }
        return nil
    }

    /// A payload type or size: bytes of 255 add up (H.265 §7.3.5).
    private static func readExtended(_ bits: inout BitCursor) throws(ContainerError) -> Int {
        var value = 0
        while true {
            let byte = try bits.read(8)
            value += byte
            if byte < 255 { return value }
        }
    }

    private init(parsing bits: inout BitCursor) throws(ContainerError) {
        let flags = (try bits.readFlag(), try bits.readFlag(), try bits.readFlag(), try bits.readFlag())
        type = try bits.readUnsignedGolomb()
        if flags.2 || flags.3 { _ = try bits.readUnsignedGolomb() }  // disparity_ref_view_id
        zNear = flags.0 ? try Self.element(&bits) : nil
        zFar = flags.1 ? try Self.element(&bits) : nil
        dMin = flags.2 ? try Self.element(&bits) : nil
        dMax = flags.3 ? try Self.element(&bits) : nil
    }

    /// A number as sign, exponent and mantissa of a given length (H.265 §G.14.2.3, depth_rep_info_element); `nil` if it is
    /// unspecified.
    private static func element(_ bits: inout BitCursor) throws(ContainerError) -> Double? {
        let sign: Double = try bits.readFlag() ? -1 : 1
        let exponent = try bits.read(7)
        let length = try bits.read(5) + 1
        let mantissa = Double(try bits.read(length))
        switch exponent {
        case 127: return nil
        case 0: return sign * mantissa * Double(sign: .plus, exponent: -(30 + length), significand: 1)
        default:
            let fraction = mantissa * Double(sign: .plus, exponent: -length, significand: 1)
            return sign * (1 + fraction) * Double(sign: .plus, exponent: exponent - 31, significand: 1)
        }
    }
}
