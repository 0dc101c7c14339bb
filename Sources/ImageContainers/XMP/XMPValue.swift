internal import XMLEvents

/// The value of an XMP property (ISO 16684-1 §6.3).
public indirect enum XMPValue: Sendable {
    /// A simple value.
    case text(String)
    /// The items of an `rdf:Seq`, `rdf:Bag` or `rdf:Alt`, in order.
    case array([XMPValue])
    /// Named fields.
    case structure(XMPProperties)

    /// The text of a simple value.
    public var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The fields of a structure.
    public var fields: XMPProperties? {
        if case .structure(let fields) = self { fields } else { nil }
    }

    /// The items of an array.
    public var items: [XMPValue]? {
        if case .array(let items) = self { items } else { nil }
    }
}

/// XMP properties in document order, found by namespace URI and name, never by prefix.
public struct XMPProperties: Sendable {
    private(set) var entries: [(name: XMLName, value: XMPValue)] = []

    /// No properties.
    public init() {}

    /// The value of a property, `nil` when absent.
    public subscript(namespace: String, name: String) -> XMPValue? {
        entries.first { $0.name.local == name && $0.name.namespace == namespace }?.value
    }

    /// Whether any property is in this namespace.
    public func contains(namespace: String) -> Bool {
        entries.contains { $0.name.namespace == namespace }
    }

    /// Adds a property at the end.
    mutating func append(_ name: XMLName, _ value: XMPValue) {
        entries.append((name, value))
    }

    /// Adds the properties of another packet; on a clash those here win, being found first.
    public mutating func merge(_ other: XMPProperties) {
        entries += other.entries
    }
}
