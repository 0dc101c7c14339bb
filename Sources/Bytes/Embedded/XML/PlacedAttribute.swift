/// An attribute of a tag, or the declaration of a namespace, and its range of bytes in the document.
package struct PlacedAttribute: Sendable {
    /// The name; `nil` for a declaration.
    package var name: XMLName?
    /// The value with its entities resolved; for a declaration, the URI as written in the document.
    package var text: String
    /// From the white space before the attribute to its closing quote.
    package var range: Range<Int>
    /// The bytes between the quotes.
    package var value: Range<Int>

    /// Walks a tag that ``parsePlacedXML(_:limits:at:in:handle:)`` has reported with these attributes, which are in document
    /// order.
    package static func all(
        _ attributes: [(name: XMLName, value: String)], in tag: Range<Int>, of document: [UInt8]
    ) -> [PlacedAttribute] {
        var walk = AttributeWalk(document: document, index: tag.lowerBound, end: tag.upperBound)
        walk.skip { !isSpace($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
        var rest = attributes[...]
        var placed: [PlacedAttribute] = []
        while let (name, range, value) = walk.next() {
            if declaresNamespace(document[name]) {
                let uri = String(decoding: document[value], as: UTF8.self)
                placed.append(PlacedAttribute(name: nil, text: uri, range: range, value: value))
            } else if let attribute = rest.popFirst() {
                placed.append(
                    PlacedAttribute(name: attribute.name, text: attribute.value, range: range, value: value))
            }
        }
        return placed
    }
}

/// Whether an attribute declares a namespace (Namespaces in XML 1.0 §3). `attribute` is its name as written in the document,
/// with the white space before the equals sign.
private func declaresNamespace(_ attribute: ArraySlice<UInt8>) -> Bool {
    let name = attribute.prefix { $0 > 0x20 }
    return name.elementsEqual("xmlns".utf8) || name.starts(with: "xmlns:".utf8)
}

/// The bytes of a well-formed tag, from one attribute to the next.
private struct AttributeWalk {
    let document: [UInt8]
    var index: Int
    let end: Int

    mutating func skip(while condition: (UInt8) -> Bool) {
        while index < end, condition(document[index]) { index += 1 }
    }

    /// The ranges of the next attribute: its name, all of it, and its value; `nil` after the last.
    mutating func next() -> (name: Range<Int>, range: Range<Int>, value: Range<Int>)? {
        let start = index
        skip(while: isSpace)
        let nameStart = index
        skip { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ">") }
        guard index < end, document[index] == UInt8(ascii: "=") else { return nil }
        let name = nameStart..<index
        index += 1
        skip(while: isSpace)
        guard index < end else { return nil }
        let quote = document[index]
        index += 1
        let valueStart = index
        skip { $0 != quote }
        let value = valueStart..<index
        index = min(index + 1, end)
        return (name, start..<index, value)
    }
}

extension [UInt8] {
    /// The bytes without zeros at the end. Some files pad packets with them; XML ends before them.
    package var withoutTrailingZeros: [UInt8] {
        last == 0 ? Array(prefix(through: lastIndex { $0 != 0 } ?? -1)) : self
    }
}
