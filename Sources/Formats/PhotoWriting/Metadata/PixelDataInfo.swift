/// The sample format of an Apple auxiliary image (namespace `pixeldatainfo/1.0`).
///
/// A stored value s means `FloatMin + (s − IntMin) × (FloatMax − FloatMin) / (IntMax − IntMin)`, in the unit of the native
/// format.
package struct PixelDataInfo: Hashable, Sendable {
    /// `AuxiliaryImageType`: `disparity`, `depth` or an auxiliary type URN.
    package var auxiliaryImageType: String?
    /// `AuxiliaryImageSubType`: `portraiteffectsmatte` on a portrait matte, whose type is `depth`.
    package var auxiliaryImageSubType: String?
    /// `NativeFormat`: the pixel format before storage, e.g. `hdis` for 16-bit disparity in 1/m.
    package var nativeFormat: FourCC
    /// `StoredFormat`: the pixel format in the file, e.g. `L008`.
    package var storedFormat: FourCC
    /// `IntMinValue` and `IntMaxValue`.
    package var codeRange: ClosedRange<Int>?
    /// `FloatMinValue` and `FloatMaxValue`: with six decimals if the native format is half, whose values these determine;
    /// otherwise with as many as the number has.
    package var valueRange: ClosedRange<Double>?

    /// A description, by default of 8-bit samples.
    package init(
        auxiliaryImageType: String? = nil, auxiliaryImageSubType: String? = nil,
        nativeFormat: FourCC,
        storedFormat: FourCC = "L008", codeRange: ClosedRange<Int>? = nil,
        valueRange: ClosedRange<Double>? = nil
    ) {
        (self.auxiliaryImageType, self.auxiliaryImageSubType) = (auxiliaryImageType, auxiliaryImageSubType)
        (self.nativeFormat, self.storedFormat) = (nativeFormat, storedFormat)
        (self.codeRange, self.valueRange) = (codeRange, valueRange)
    }

    /// The properties for an ``XMPPacketBuilder``.
    package func properties() throws(ContainerWritingError) -> [XMPProperty] {
        var texts: [(name: String, text: String)] = []
        if let auxiliaryImageType { texts.append(("AuxiliaryImageType", auxiliaryImageType)) }
        if let auxiliaryImageSubType { texts.append(("AuxiliaryImageSubType", auxiliaryImageSubType)) }
        // Pixel formats are written as decimal numbers.
        texts.append(("NativeFormat", "\(nativeFormat.rawValue)"))
        texts.append(("StoredFormat", "\(storedFormat.rawValue)"))
        if let codeRange {
            texts.append(("IntMinValue", "\(codeRange.lowerBound)"))
            texts.append(("IntMaxValue", "\(codeRange.upperBound)"))
        }
        if let valueRange {
            texts.append(("FloatMinValue", try text(valueRange.lowerBound, field: "apdi:FloatMinValue")))
            texts.append(("FloatMaxValue", try text(valueRange.upperBound, field: "apdi:FloatMaxValue")))
        }
        return texts.map { XMPProperty(.pixelDataInfo, $0.name, .text($0.text)) }
    }

    private func text(_ value: Double, field: String) throws(ContainerWritingError) -> String {
        let isFloat = nativeFormat == "fdis" || nativeFormat == "fdep"
        return try isFloat
            ? DecimalText.shortest(value, field: field) : DecimalText.sixDecimals(value, field: field)
    }
}
