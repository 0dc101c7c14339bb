internal import XMLEvents

/// The value of an XMP property (ISO 16684-1 §6.3).
package indirect enum XMPValue: Sendable {
    /// A simple value.
    case text(String)
    /// The items of an `rdf:Seq`, `rdf:Bag` or `rdf:Alt`, in order.
    case array([XMPValue])
    /// Named fields.
    case structure(XMPProperties)

    /// The text of a simple value.
    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The fields of a structure.
    package var fields: XMPProperties? {
        if case .structure(let fields) = self { fields } else { nil }
    }

    /// The items of an array.
    package var items: [XMPValue]? {
        if case .array(let items) = self { items } else { nil }
    }
}

/// XMP properties in document order, found by namespace URI and name, never by prefix.
package struct XMPProperties: Sendable {
    private(set) var entries: [(name: XMLName, value: XMPValue)] = []

    /// No properties.
    package init() {}

    /// The value of a property, `nil` when absent.
    package subscript(namespace: String, name: String) -> XMPValue? {
        entries.first { $0.name.local == name && $0.name.namespace == namespace }?.value
    }

    /// Whether any property is in this namespace.
    package func contains(namespace: String) -> Bool {
        entries.contains { $0.name.namespace == namespace }
    }

    /// Adds a property at the end.
    mutating func append(_ name: XMLName, _ value: XMPValue) {
        entries.append((name, value))
    }

    /// Adds the properties of another packet; on a clash those here win, being found first.
    package mutating func merge(_ other: XMPProperties) {
        entries += other.entries
    }
}
