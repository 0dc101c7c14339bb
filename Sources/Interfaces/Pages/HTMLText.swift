internal import Bytes
internal import Embedded

extension String {
    /// The text escaped for an HTML document, in elements and in quoted attributes: nothing in it is markup, and marks that
    /// change the direction of writing are shown as `\u{202e}`.
    package var forPage: String {
        var text = ""
        for scalar in forTerminal.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The text, truncated to the length of a heading.
    var asHeading: String { shortened(to: 160) }

    /// The text, truncated to this many characters.
    func shortened(to limit: Int) -> String { count > limit ? prefix(limit - 1) + "…" : self }
}

extension JSONValue {
    /// The value for a `script` element, escaped so that nothing in it ends the element.
    package var forPage: [UInt8] {
        var json: [UInt8] = []
        append(to: &json)
        var safe: [UInt8] = []
        safe.reserveCapacity(json.count)
        for byte in json {
            switch byte {
            case UInt8(ascii: "<"): safe += Array("\\u003c".utf8)
            case UInt8(ascii: ">"): safe += Array("\\u003e".utf8)
            case UInt8(ascii: "&"): safe += Array("\\u0026".utf8)
            default: safe.append(byte)
            }
        }
        return safe
    }
}
