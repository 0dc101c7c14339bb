/// The meaning of the samples of an HEVC depth plane: the depth representation information SEI message (ITU-T H.265
/// Annex G, payload type 177), as the `aux_subtype` of an `auxC` property carries it.
package struct DepthRepresentationEncoder: Hashable, Sendable {
    /// `depth_representation_type`: the quantity that is linear in the stored samples.
    package enum Quantity: Hashable, Sendable {
        /// 0: reciprocal distance, between `zNear` and `zFar`.
        case reciprocalDistance
        /// 1: disparity, between `dMin` and `dMax`; Apple's disparity planes.
        case disparity
        /// 2: distance, between `zNear` and `zFar`.
        case distance
        /// 3: disparity through a piecewise linear model with these values (1…2³²).
        case modeledDisparity(model: [UInt32])
    }

    /// The quantity that is quantized uniformly.
    package var quantity: Quantity
    /// Nearest distance.
    package var zNear: Double?
    /// Farthest distance.
    package var zFar: Double?
    /// Smallest disparity; in Apple's files 1/m, equal to `FloatMinValue` of the XMP.
    package var dMin: Double?
    /// Largest disparity; in Apple's files 1/m, equal to `FloatMaxValue` of the XMP.
    package var dMax: Double?
    /// The view that disparities refer to; written only beside `dMin` or `dMax`.
    package var disparityReferenceViewID: UInt32

    /// A representation with the given numbers, except numbers that are `nil`.
    package init(
        _ quantity: Quantity, zNear: Double? = nil, zFar: Double? = nil, dMin: Double? = nil,
        dMax: Double? = nil, disparityReferenceViewID: UInt32 = 0
    ) {
        (self.quantity, self.zNear, self.zFar) = (quantity, zNear, zFar)
        (self.dMin, self.dMax, self.disparityReferenceViewID) = (dMin, dMax, disparityReferenceViewID)
    }

    /// The bytes for `aux_subtype`: a length, then NAL units, each after its own length; here one prefix SEI.
    package func auxiliarySubtype() throws(ContainerWritingError) -> [UInt8] {
        let unit = try nalUnit()
        var writer = ByteWriter()
        writer.append(try narrow(unit.count + 4, to: UInt32.self, field: "auxC SEI length"))
        writer.append(UInt32(unit.count))
        writer.append(unit)
        return writer.bytes
    }

    /// A prefix SEI NAL unit (type 39, temporal id 0). Like Apple's, it ends with the payload, without trailing bits.
    func nalUnit() throws(ContainerWritingError) -> [UInt8] {
        let payload = try payload()
        var message: [UInt8] = [177]
        message += [UInt8](repeating: 0xFF, count: payload.count / 255)
        message.append(UInt8(payload.count % 255))
        return [0x4E, 0x01] + preventingEmulation(message + payload)
    }

    private func payload() throws(ContainerWritingError) -> [UInt8] {
        var writer = BitWriter()
        for value in [zNear, zFar, dMin, dMax] {
            writer.append(value != nil)
        }
        writer.appendExponentialGolomb(typeNumber)
        if dMin != nil || dMax != nil {
            writer.appendExponentialGolomb(disparityReferenceViewID)
        }
        for value in [zNear, zFar, dMin, dMax] {
            if let value { try writer.appendDepthElement(value) }
        }
        if case .modeledDisparity(let model) = quantity {
            try appendModel(model, to: &writer)
        }
        // sei_payload() ends with a one and zeros up to the next byte, unless it is byte-aligned.
        if !writer.isByteAligned { writer.append(true) }
        while !writer.isByteAligned { writer.append(false) }
        return writer.bytes
    }

    private var typeNumber: UInt32 {
        switch quantity {
        case .reciprocalDistance: 0
        case .disparity: 1
        case .distance: 2
        case .modeledDisparity: 3
        }
    }

    private func appendModel(_ model: [UInt32], to writer: inout BitWriter) throws(ContainerWritingError) {
        guard !model.isEmpty, model.count <= 63 else {
            throw .tooLarge(
                field: "depth_nonlinear_representation_num_minus1 + 1", limit: 63, actual: model.count)
        }
        writer.appendExponentialGolomb(UInt32(model.count - 1))
        model.forEach { writer.appendExponentialGolomb($0) }
    }
}

/// Prevents start codes inside a NAL unit: after two zero bytes, a byte up to 3 is preceded by a 3, and the unit does not end
/// in a zero (ITU-T H.265 §7.4.2.1).
func preventingEmulation(_ payload: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var zeros = 0
    for byte in payload {
        if zeros >= 2 && byte <= 3 {
            output.append(3)
            zeros = 0
        }
        output.append(byte)
        zeros = byte == 0 ? zeros + 1 : 0
    }
    if zeros > 0 { output.append(3) }
    return output
}
