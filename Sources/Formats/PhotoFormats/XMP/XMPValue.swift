internal import Embedded

/// The value of an XMP property (ISO 16684-1 §6.3).
package enum XMPValue: Sendable {
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
    // Names are stored separately, so that a search reads only names.
    private var names: [XMLName] = []
    private var values: [XMPValue] = []

    /// No properties.
    package init() {}

    /// Whether there are no properties.
    var isEmpty: Bool { names.isEmpty }

    /// The value of a property; `nil` if missing.
    package subscript(namespace: String, name: String) -> XMPValue? {
        for index in names.indices where names[index].local == name && names[index].namespace == namespace {
            return values[index]
        }
        return nil
    }

    /// Whether any property is in this namespace.
    package func contains(namespace: String) -> Bool {
        names.contains { $0.namespace == namespace }
    }

    /// All properties, in document order.
    package var all: [(namespace: String, name: String, value: XMPValue)] {
        zip(names, values).map { ($0.namespace, $0.local, $1) }
    }

    /// Adds a property at the end.
    mutating func append(_ name: XMLName, _ value: XMPValue) {
        if names.isEmpty {
            names.reserveCapacity(8)
            values.reserveCapacity(8)
        }
        names.append(name)
        values.append(value)
    }

    /// Adds the properties of another packet. If both have a property, this packet's value takes precedence, because it
    /// is found first.
    package mutating func merge(_ other: XMPProperties) {
        names += other.names
        values += other.values
    }
}
