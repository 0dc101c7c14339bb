package import ByteParsing
internal import XMLEvents

extension XMPProperties {
    /// Reads a serialized XMP packet (ISO 16684-1 §7, RDF/XML): properties as elements or as attributes, arrays,
    /// nested `rdf:Description` and `rdf:parseType="Resource"`.
    ///
    /// Throws when the packet is not well-formed XML, holds a document type, or passes a limit.
    package init(
        parsing packet: [UInt8], limits: DecodingLimits, at offset: Int, in path: StructurePath
    ) throws(ContainerError) {
        // Files pad packets with NUL bytes now and then; XML ends before them.
        var document = packet
        while let last = document.last, last == 0 { document.removeLast() }
        var reader = RDFReader()
        try parseXML(document, limits: limits, at: offset, in: path) { (event) throws(ContainerError) in
            reader.receive(event)
        }
        self = reader.properties
    }
}

/// Turns XML events into properties. What is not RDF is passed over.
private struct RDFReader {
    private enum Frame {
        case outside
        case structure(XMPProperties)
        case array([XMPValue])
        case property(XMLName, text: String, fields: XMPProperties, isResource: Bool, value: XMPValue?)
    }

    private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    private var frames: [Frame] = []
    private(set) var properties = XMPProperties()

    mutating func receive(_ event: XMLEvent) {
        switch event {
        case .start(let name, let attributes): frames.append(frame(for: name, attributes))
        case .text(let text): add(text)
        case .end: close()
        }
    }

    private func frame(for name: XMLName, _ attributes: [(name: XMLName, value: String)]) -> Frame {
        var fields = XMPProperties()
        var isResource = false
        for attribute in attributes {
            if attribute.name.namespace == Self.rdf {
                isResource =
                    isResource || attribute.name.local == "parseType" && attribute.value == "Resource"
            } else if !attribute.name.namespace.isEmpty, attribute.name.namespace != Self.xml {
                fields.append(attribute.name, .text(attribute.value))
            }
        }
        if name.namespace == Self.rdf {
            switch name.local {
            case "Description": return .structure(fields)
            case "Seq", "Bag", "Alt": return .array([])
            case "li", "value":
                return .property(name, text: "", fields: fields, isResource: isResource, value: nil)
            default: return .outside
            }
        }
        switch frames.last {
        case .structure, .property(_, _, _, true, _):
            return .property(name, text: "", fields: fields, isResource: isResource, value: nil)
        // A node with a type of its own (RDF/XML §2.13) is a description.
        case .property: return .structure(fields)
        default: return .outside
        }
    }

    private static let xml = "http://www.w3.org/XML/1998/namespace"

    private mutating func add(_ text: String) {
        // Taken out and put back, so that long text is appended to in place.
        switch frames.popLast() {
        case .property(let name, var before, let fields, let isResource, let value):
            before += text
            frames.append(.property(name, text: before, fields: fields, isResource: isResource, value: value))
        case .some(let other): frames.append(other)
        case nil: break
        }
    }

    private mutating func close() {
        switch frames.popLast() {
        case .structure(let fields):
            if case .property = frames.last { setValue(.structure(fields)) } else { properties.merge(fields) }
        case .array(let items): setValue(.array(items))
        case .property(let name, let text, let fields, let isResource, let value):
            let isStructure = isResource || fields.entries.isEmpty == false
            // Other fields beside `rdf:value` are qualifiers of that value (ISO 16684-1 §7.8).
            attach(
                name, value ?? fields[Self.rdf, "value"] ?? (isStructure ? .structure(fields) : .text(text)))
        case .outside, nil: break
        }
    }

    private mutating func setValue(_ value: XMPValue) {
        guard case .property(let name, let text, let fields, let isResource, _)? = frames.last else { return }
        frames[frames.count - 1] = .property(
            name, text: text, fields: fields, isResource: isResource, value: value)
    }

    private mutating func attach(_ name: XMLName, _ value: XMPValue) {
        switch frames.popLast() {
        case .structure(var fields):
            fields.append(name, value)
            frames.append(.structure(fields))
        case .array(var items):
            items.append(value)
            frames.append(.array(items))
        case .property(let outer, let text, var fields, let isResource, let outerValue):
            fields.append(name, value)
            frames.append(
                .property(outer, text: text, fields: fields, isResource: isResource, value: outerValue))
        case .outside: frames.append(.outside)
        case nil: break
        }
    }
}
