internal import Bytes

/// Refuses a document whose names would need more memory than the document. expat writes the namespace URI in front of
/// every name, and keeps all names of a tag at once, so each use of a long URI needs memory for the complete URI.
///
/// It looks only at the text around each `=`, so it can mistake other text for an attribute. Real metadata does not have
/// enough such text to be refused.
func checkExpansion(
    of document: Span<UInt8>, limits: DecodingLimits, at offset: Int, in path: StructurePath
) throws(ContainerError) {
    var attributes = 0
    var next = 0
    while let place = document.firstIndex(of: UInt8(ascii: "="), from: next) {
        next = place + 1
        var start = next
        while start < document.count, isSpace(document[start]) { start += 1 }
        guard start < document.count, isQuote(document[start]) else { continue }
        attributes += 1
        try limits.check(.xmlNodes, attributes, at: offset + place, in: path)
        guard declaresNamespace(document, before: place) else { continue }
        var end = start + 1
        while end < document.count, end - start <= longestURI + 1, document[end] != document[start] {
            end += 1
        }
        guard end - start <= longestURI + 1 else {
            throw ContainerError(
                .malformed(rule: "XML: the URI of a namespace is longer than \(longestURI) bytes"),
                at: offset + place, in: path)
        }
    }
}

/// Namespace URIs of cameras and editors have about fifty bytes.
private let longestURI = 512

/// Whether the name that ends before `end` is `xmlns` or `xmlns:…`.
private func declaresNamespace(_ document: Span<UInt8>, before end: Int) -> Bool {
    var last = end
    while last > 0, isSpace(document[last - 1]) { last -= 1 }
    var first = last
    while first > 0, !endsName(document[first - 1]) { first -= 1 }
    guard last - first >= 5 else { return false }
    for (index, letter) in "xmlns".utf8.enumerated() where document[first + index] != letter { return false }
    return true
}

/// Whether a byte cannot be part of a name. Base64 has many such bytes, so megabytes of it need not be searched backward.
private func endsName(_ byte: UInt8) -> Bool {
    isSpace(byte) || isQuote(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
        || byte == UInt8(ascii: "=")
}

func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

private func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }
