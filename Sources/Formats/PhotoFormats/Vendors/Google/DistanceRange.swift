internal import Bytes
internal import DepthTypes

/// The mapping from samples of Google's depth maps to distances: `Format`, `Near`, `Far`, `Units` and `MeasureType` of
/// GDepth, Dynamic Depth and XDM.
///
/// With n the sample as 0…1, `RangeLinear` is `d = near + n · (far − near)`, and `RangeInverse` is `d = far · near / (far − n
/// · (far − near))`: linear in 1/d, from 1/near at sample 0 to 1/far.
struct DistanceRange {
    /// The unit of distances.
    enum Unit: Equatable {
        case meters
        case millimeters
        /// 1/meters.
        case diopters
        /// Unknown.
        case none

        /// The unit that a file names.
        init(_ name: String) {
            switch name.lowercased() {
            case "m", "meter", "meters": self = .meters
            case "mm", "millimeter", "millimeters": self = .millimeters
            case "diopter", "diopters": self = .diopters
            default: self = .none
            }
        }
    }

    var isInverse: Bool
    /// The distance of sample 0.
    var near: Double
    /// The distance of the largest sample.
    var far: Double
    var unit: Unit
    /// Whether distances are Euclidean, not along the optical axis.
    var isAlongRay: Bool

    /// Reads the properties that a namespace defines; `nil` without `Near` and `Far`. A missing unit is replaced by
    /// `defaultUnit`.
    init?(_ properties: XMPProperties, _ namespace: String, defaultUnit: Unit) {
        func text(_ name: String) -> String? { properties[namespace, name]?.text }
        guard let near = text("Near").flatMap(Double.init), let far = text("Far").flatMap(Double.init) else {
            return nil
        }
        self.near = near
        self.far = far
        isInverse = text("Format") != "RangeLinear"
        unit = text("Units").map(Unit.init) ?? defaultUnit
        isAlongRay = ["OpticalRay", "OpticRay"].contains(text("MeasureType"))
    }

    /// Whether near and far are positive, in order, and their reciprocals finite. A linear range without a unit is an
    /// arbitrary scale, which may have any sign: Pixel 6 writes -0.09 to 0.19.
    var isValid: Bool {
        if isAffine { return Float(near).isFinite && Float(far).isFinite && near <= far }
        let (first, last) = unit == .diopters ? (far, near) : (near, far)
        return first > 0 && last.isFinite && first <= last && Float(1 / first).isFinite && Float(1 / last) > 0
    }

    /// Whether factor and offset are unknown, so that values have neither a sign nor reciprocals.
    var isAffine: Bool { !isInverse && unit == .none }

    /// The linear function from samples to values. A quantity that is linear in 1/meters is disparity.
    ///
    /// Affine distances are read as disparities, as networks give them: how much nearer a sample is than the farthest.
    func mapping(bitDepth: Int) -> SampleMapping {
        let codes = 0...max(1, (1 << bitDepth) - 1)
        if isAffine {
            var mapping = SampleMapping(.disparity, codes: codes, low: Float(far - near), high: 0)
            mapping.hasUnit = false
            return mapping
        }
        let scale = unit == .millimeters ? 0.001 : 1
        let (low, high) = isInverse ? (1 / (near * scale), 1 / (far * scale)) : (near * scale, far * scale)
        // The reciprocal of diopters is meters: a quantity that is linear in one is not linear in the other.
        let isDisparity = isInverse != (unit == .diopters)
        var mapping = SampleMapping(
            isDisparity ? .disparity : .depth, codes: codes, low: Float(low), high: Float(high))
        mapping.hasUnit = unit != .none
        return mapping
    }
}

extension PlaneDescription {
    /// Sets mapping and kind from a range, and returns assumptions.
    ///
    /// The accuracy of a range in meters is `relative`, because its scale is not verified.
    mutating func take(_ range: DistanceRange?, at place: Int) -> Diagnostic? {
        let path = StructurePath("XMP")
        guard let range else {
            mapping = SampleMapping(undeclared: .depth, bitDepth: bitDepth ?? 8)
            return .note(
                .undeclaredRange, "the depth plane declares no Near and Far; codes are read as 0…1",
                at: place,
                in: path)
        }
        guard range.isValid else {
            mapping = SampleMapping(undeclared: .depth, bitDepth: bitDepth ?? 8)
            readError = ContainerError(
                .malformed(rule: "Near and Far are not a valid range: \(range.near) to \(range.far)"),
                at: place, in: path)
            return nil
        }
        let mapping = range.mapping(bitDepth: bitDepth ?? 8)
        self.mapping = mapping
        kind = mapping.quantity == .depth ? .depth : .disparity
        accuracy = range.isAffine ? .affine : mapping.hasUnit ? .relative : .unknown
        isAlongRay = range.isAlongRay && !range.isAffine
        guard isAlongRay, calibration == nil else { return nil }
        return .note(
            .distancesAlongRays,
            "distances are along rays and the camera is unknown; they are read as along the optical axis",
            at: place, in: path)
    }
}
