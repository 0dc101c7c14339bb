package import Bytes
internal import Embedded

extension XMPProperties {
    /// Reads a serialized XMP packet (ISO 16684-1 §7, RDF/XML): properties as elements or as attributes, arrays, nested
    /// `rdf:Description` and `rdf:parseType="Resource"`.
    ///
    /// Throws if the packet is not well-formed XML, has a document type, or exceeds a limit.
    package init(
        parsing packet: [UInt8], limits: DecodingLimits, at offset: Int, in path: StructurePath
    ) throws(ContainerError) {
        var reader = RDFReader()
        try parseXML(packet.withoutTrailingZeros, limits: limits, at: offset, in: path) {
            (event) throws(ContainerError) in
            reader.receive(event)
        }
        self = reader.properties
    }
}

/// Turns XML events into properties. Skips everything that is not RDF.
private struct RDFReader {
    /// An element that has not ended.
    private struct Frame {
        enum Kind {
            case outside
            case structure
            case array
            case property
        }

        var kind: Kind
        /// Used by a property.
        var name = XMLName("", "")
        var text = ""
        var isResource = false
        var value: XMPValue?
        /// Used by a structure or a property.
        var fields = XMPProperties()
        /// Used by an array.
        var items: [XMPValue] = []

        /// The value of a property that has ended.
        var propertyValue: XMPValue {
            // Other fields than `rdf:value` are qualifiers of that value (ISO 16684-1 §7.8).
            if let value = value ?? fields[RDFReader.rdf, "value"] { return value }
            return isResource || !fields.isEmpty ? .structure(fields) : .text(text)
        }
    }

    private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    private static let xml = "http://www.w3.org/XML/1998/namespace"
    private var frames: [Frame] = []
    private(set) var properties = XMPProperties()

    init() { frames.reserveCapacity(8) }

    mutating func receive(_ event: XMLEvent) {
        switch event {
        case .start(let name, let attributes): frames.append(frame(for: name, attributes))
        case .text(let text): add(text)
        case .end: close()
        }
    }

    private func frame(for name: XMLName, _ attributes: [(name: XMLName, value: String)]) -> Frame {
        var frame = Frame(kind: .outside)
        for attribute in attributes {
            if attribute.name.namespace == Self.rdf {
                frame.isResource =
                    frame.isResource || attribute.name.local == "parseType" && attribute.value == "Resource"
            } else if !attribute.name.namespace.isEmpty, attribute.name.namespace != Self.xml {
                frame.fields.append(attribute.name, .text(attribute.value))
            }
        }
        frame.name = name
        if name.namespace == Self.rdf {
            frame.kind =
                switch name.local {
                case "Description": .structure
                case "Seq", "Bag", "Alt": .array
                case "li", "value": .property
                default: .outside
                }
        } else if let outer = frames.indices.last {
            frame.kind =
                switch frames[outer].kind {
                case .structure: .property
                // A typed node (RDF/XML §2.13) is a description.
                case .property: frames[outer].isResource ? .property : .structure
                case .array, .outside: .outside
                }
        }
        return frame
    }

    private mutating func add(_ text: String) {
        guard let last = frames.indices.last, frames[last].kind == .property else { return }
        frames[last].text += text
    }

    private mutating func close() {
        guard let frame = frames.popLast() else { return }
        let outer = frames.indices.last
        switch frame.kind {
        case .structure:
            if let outer, frames[outer].kind == .property {
                frames[outer].value = .structure(frame.fields)
            } else {
                properties.merge(frame.fields)
            }
        case .array:
            if let outer, frames[outer].kind == .property { frames[outer].value = .array(frame.items) }
        case .property:
            guard let outer else { return }
            switch frames[outer].kind {
            case .structure, .property: frames[outer].fields.append(frame.name, frame.propertyValue)
            case .array: frames[outer].items.append(frame.propertyValue)
            case .outside: break
            }
        case .outside: break
        }
    }
}
