/// A flat XMP packet in the form of Apple's auxiliary images: one description, properties as child elements, no `<?xpacket?>`
/// around it (ISO 16684-1 §7).
package struct XMPPacketBuilder: Hashable, Sendable {
    /// The properties, in the order of writing.
    package var properties: [XMPProperty]

    /// A packet with these properties.
    package init(_ properties: [XMPProperty]) {
        self.properties = properties
    }

    /// Whether simple values are written as attributes, as Google's cameras do, and not as child elements.
    package var usesAttributes = false

    /// The packet in UTF-8.
    package func serialized() throws(ContainerWritingError) -> [UInt8] {
        var lines = [
            #"<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Isobath">"#,
            #"   <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#,
        ]
        lines += try descriptionLines(of: "")
        lines += ["   </rdf:RDF>", "</x:xmpmeta>", ""]
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// The description alone, to be inserted into a packet whose `rdf:about` names the same resource. Every line ends in a
    /// line feed.
    package func description(of resource: String) throws(ContainerWritingError) -> [UInt8] {
        Array(try descriptionLines(of: resource).map { $0 + "\n" }.joined().utf8)
    }

    private func descriptionLines(of resource: String) throws(ContainerWritingError) -> [String] {
        let about = try XMPProperty.attributeText(resource, field: "rdf:about")
        var lines = ["      <rdf:Description rdf:about=\"\(about)\""]
        lines += namespaces.map { "            xmlns:\($0.prefix)=\"\($0.uri)\"" }
        var elements: [String] = []
        for property in properties {
            if usesAttributes, case .text(let text) = property.value {
                let name = "\(property.namespace.prefix):\(property.name)"
                lines.append("         \(name)=\"\(try XMPProperty.attributeText(text, field: name))\"")
            } else {
                elements += try property.lines(indentation: "         ")
            }
        }
        guard !elements.isEmpty else {
            lines[lines.count - 1] += "/>"
            return lines
        }
        lines[lines.count - 1] += ">"
        return lines + elements + ["      </rdf:Description>"]
    }

    /// Every namespace, once, in order of first use.
    private var namespaces: [XMPNamespace] {
        properties.flatMap(\.namespaces).reduce(into: []) { known, namespace in
            if !known.contains(namespace) { known.append(namespace) }
        }
    }
}
