/// A flat XMP packet in the form that Apple gives its auxiliary images: one description, properties as child
/// elements, no `<?xpacket?>` around it (ISO 16684-1 §7).
public struct XMPPacketBuilder: Hashable, Sendable {
    /// The properties, in the order in which they are written.
    public var properties: [XMPProperty]

    /// A packet with these properties.
    public init(_ properties: [XMPProperty]) {
        self.properties = properties
    }

    /// The packet in UTF-8.
    public func serialized() throws(ContainerWritingError) -> [UInt8] {
        var lines = [
            #"<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Isobath">"#,
            #"   <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#,
            #"      <rdf:Description rdf:about="""#,
        ]
        let declarations = namespaces.map { #"            xmlns:\#($0.prefix)="\#($0.uri)""# }
        lines += declarations
        lines[lines.count - 1] += ">"
        for property in properties {
            lines += try property.lines(indentation: "         ")
        }
        lines += ["      </rdf:Description>", "   </rdf:RDF>", "</x:xmpmeta>", ""]
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// Every namespace once, in order of first use.
    private var namespaces: [XMPNamespace] {
        properties.flatMap(\.namespaces).reduce(into: []) { known, namespace in
            if !known.contains(namespace) { known.append(namespace) }
        }
    }
}
