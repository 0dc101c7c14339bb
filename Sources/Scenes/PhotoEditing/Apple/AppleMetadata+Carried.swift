internal import PhotoFormats
internal import PhotoWriting

/// Apple's properties whose text is kept when a plane is rewritten.
extension AppleMetadata {
    static let version = "DepthDataVersion"

    private static let namespaces = "http://ns.apple.com/"

    /// Properties that describe the samples and the camera. They are rewritten for the inserted plane.
    private static let described: Set = [
        "Quality", "Accuracy", "Filtered", "IntrinsicMatrix", "IntrinsicMatrixReferenceWidth",
        "IntrinsicMatrixReferenceHeight", "ExtrinsicMatrix", "LensDistortionCoefficients",
        "InverseLensDistortionCoefficients", "LensDistortionCenterOffsetX", "LensDistortionCenterOffsetY",
        "PixelSize",
    ]

    /// The portrait effect, its light, the score of the portrait, versions, and anything else that Apple adds.
    static func carried(from xmp: XMPProperties) -> [XMPProperty] {
        xmp.all.compactMap { property in
            guard property.namespace.hasPrefix(namespaces),
                property.namespace != XMPNamespace.pixelDataInfo.uri,
                property.namespace != XMPNamespace.depthData.uri || !described.contains(property.name)
            else { return nil }
            return XMPProperty(property.namespace, property.name, property.value)
        }
    }

    /// The same without the version of the data: only the properties that belong to the photo rather than the samples.
    static func portrait(from xmp: XMPProperties) -> [XMPProperty] {
        carried(from: xmp).filter { $0.name != version }
    }
}

extension XMPProperty {
    /// A property that was read; `nil` for arrays of arrays, which no camera writes. Alternatives and bags become sequences.
    fileprivate init?(_ namespace: String, _ name: String, _ value: XMPValue) {
        // Apple's usual prefixes are in the names of its namespaces: http://ns.apple.com/PREFIX/1.0/.
        let parts = namespace.split(separator: "/")
        let prefix = parts.dropFirst(2).first { $0.allSatisfy { $0.isASCII && $0.isLetter } }
        func fields(_ properties: XMPProperties) -> [XMPProperty]? {
            let fields = properties.all.compactMap { XMPProperty($0.namespace, $0.name, $0.value) }
            return fields.count == properties.all.count ? fields : nil
        }
        let copy: Value
        switch value {
        case .text(let text): copy = .text(text)
        case .structure(let properties):
            guard let fields = fields(properties) else { return nil }
            copy = .structure(fields)
        case .array(let items):
            let texts = items.compactMap(\.text)
            let structures = items.compactMap(\.fields).compactMap(fields)
            guard texts.count == items.count || structures.count == items.count else { return nil }
            copy = texts.count == items.count ? .sequence(texts) : .structures(structures)
        }
        self.init(XMPNamespace(prefix: String(prefix ?? "apple"), uri: namespace), name, copy)
    }
}
