/// One property of an XMP packet.
public struct XMPProperty: Hashable, Sendable {
    /// The forms that the properties of auxiliary images take.
    public enum Value: Hashable, Sendable {
        /// A simple value.
        case text(String)
        /// An ordered array (`rdf:Seq`).
        case sequence([String])
    }

    /// Where the name is defined.
    public var namespace: XMPNamespace
    /// The local name.
    public var name: String
    /// The value.
    public var value: Value

    /// A property.
    public init(_ namespace: XMPNamespace, _ name: String, _ value: Value) {
        self.namespace = namespace
        self.name = name
        self.value = value
    }

    func lines(indentation: String) throws(ContainerWritingError) -> [String] {
        let tag = "\(namespace.prefix):\(name)"
        switch value {
        case .text(let text):
            return ["\(indentation)<\(tag)>\(try escaped(text))</\(tag)>"]
        case .sequence(let texts):
            var lines = ["\(indentation)<\(tag)>", "\(indentation)   <rdf:Seq>"]
            for text in texts {
                lines.append("\(indentation)      <rdf:li>\(try escaped(text))</rdf:li>")
            }
            return lines + ["\(indentation)   </rdf:Seq>", "\(indentation)</\(tag)>"]
        }
    }

    /// XML 1.0 has no way at all to write most control characters (§2.2).
    private func escaped(_ text: String) throws(ContainerWritingError) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\t", "\n", "\r", "\u{20}"..."\u{FFFD}", "\u{10000}"...: output.unicodeScalars.append(scalar)
            default: throw .notRepresentable(field: "\(namespace.prefix):\(name)", value: "U+\(scalar.value)")
            }
        }
        return output
    }
}
