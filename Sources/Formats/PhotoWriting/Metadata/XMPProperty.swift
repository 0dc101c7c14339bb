/// One property of an XMP packet.
package struct XMPProperty: Hashable, Sendable {
    /// The forms of the properties of auxiliary images.
    package enum Value: Hashable, Sendable {
        /// A simple value.
        case text(String)
        /// An ordered array (`rdf:Seq`).
        case sequence([String])
        /// Named fields.
        indirect case structure([XMPProperty])
        /// An ordered array of structures.
        indirect case structures([[XMPProperty]])
        /// Named simple values, written as attributes, which readers of Ultra HDR expect.
        indirect case attributes([XMPProperty])
    }

    /// Where the name is defined.
    package var namespace: XMPNamespace
    /// The local name.
    package var name: String
    package var value: Value

    package init(_ namespace: XMPNamespace, _ name: String, _ value: Value) {
        (self.namespace, self.name, self.value) = (namespace, name, value)
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
        case .structure(let fields):
            let start = ["\(indentation)<\(tag) \(Self.resource)>"]
            return try start + Self.lines(of: fields, indentation: indentation + "   ") + [
                "\(indentation)</\(tag)>"
            ]
        case .structures(let items):
            var lines = ["\(indentation)<\(tag)>", "\(indentation)   <rdf:Seq>"]
            for fields in items {
                lines.append("\(indentation)      <rdf:li \(Self.resource)>")
                lines += try Self.lines(of: fields, indentation: indentation + "         ")
                lines.append("\(indentation)      </rdf:li>")
            }
            return lines + ["\(indentation)   </rdf:Seq>", "\(indentation)</\(tag)>"]
        case .attributes(let fields):
            var line = "\(indentation)<\(tag)"
            for field in fields {
                let name = "\(field.namespace.prefix):\(field.name)"
                guard case .text(let text) = field.value else {
                    throw .notRepresentable(field: name, value: "a list or structure as an attribute")
                }
                line += " \(name)=\"\(try Self.attributeText(text, field: name))\""
            }
            return [line + "/>"]
        }
    }

    private static let resource = #"rdf:parseType="Resource""#

    private static func lines(
        of fields: [XMPProperty], indentation: String
    ) throws(ContainerWritingError) -> [String] {
        var lines: [String] = []
        for field in fields { lines += try field.lines(indentation: indentation) }
        return lines
    }

    /// This namespace and those of all fields.
    var namespaces: [XMPNamespace] {
        switch value {
        case .text, .sequence: [namespace]
        case .structure(let fields), .attributes(let fields): [namespace] + fields.flatMap(\.namespaces)
        case .structures(let items): [namespace] + items.flatMap { $0.flatMap(\.namespaces) }
        }
    }

    /// Text as the value of an attribute in double quotes.
    static func attributeText(_ text: String, field: String) throws(ContainerWritingError) -> String {
        // Base64 needs no escapes and can be megabytes long, so it skips the loop below.
        let isSpecial = text.utf8.contains {
            $0 < 0x20 || $0 > 0x7E || $0 == 0x22 || $0 == 0x26 || $0 == 0x3C || $0 == 0x3E
        }
        guard isSpecial else { return text }
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "\t", "\n", "\r": output += "&#\(scalar.value);"
            case "\u{20}"..."\u{FFFD}", "\u{10000}"...: output.unicodeScalars.append(scalar)
            default: throw .notRepresentable(field: field, value: "U+\(scalar.value)")
            }
        }
        return output
    }

    /// XML 1.0 cannot represent most control characters (§2.2).
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
