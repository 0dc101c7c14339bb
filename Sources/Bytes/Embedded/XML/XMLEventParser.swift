package import Bytes
internal import CEXPAT

/// A name in a namespace. XML and RDF compare names by URI, never by prefix.
package struct XMLName: Hashable, Sendable {
    /// The namespace URI, empty if missing.
    package var namespace: String
    /// The name without its prefix.
    package var local: String

    /// Joins a namespace URI and a local name.
    package init(_ namespace: String, _ local: String) {
        self.namespace = namespace
        self.local = local
    }
}

/// The contents of an XML document, in document order.
package enum XMLEvent: Sendable {
    /// An element begins. Attributes are in document order, without namespace declarations.
    case start(XMLName, attributes: [(name: XMLName, value: String)])
    /// Text inside an element, entities resolved, in one piece between two tags. Text that consists of white space is omitted
    /// if the element also holds other elements.
    case text(String)
    /// The most recent open element ends.
    case end
}

/// Reads a complete XML document with expat, and passes its events to `handle`.
///
/// A document type declaration is refused, so only XML's five predefined entities exist. Depth, number of nodes and
/// bytes are limited. `offset` and `path` are the location of the document in its file.
///
/// Throws ``ContainerError`` if the document is not well-formed or exceeds a limit, and passes on errors of `handle`.
package func parseXML(
    _ document: [UInt8], limits: DecodingLimits, at offset: Int, in path: StructurePath,
    handle: (XMLEvent) throws(ContainerError) -> Void
) throws(ContainerError) {
    try parsePlacedXML(document, limits: limits, at: offset, in: path) {
        (event, _) throws(ContainerError) in
        try handle(event)
    }
}

/// Does the same as ``parseXML(_:limits:at:in:handle:)``, and reports the range of bytes of each tag. If an element is a
/// single tag, the range of its end is empty and follows the tag. The offset of text is not reported.
package func parsePlacedXML(
    _ document: [UInt8], limits: DecodingLimits, at offset: Int, in path: StructurePath,
    handle: (_ event: XMLEvent, _ tag: Range<Int>) throws(ContainerError) -> Void
) throws(ContainerError) {
    try limits.check(.xmpBytes, document.count, at: offset, in: path)
    try checkExpansion(of: document.span, limits: limits, at: offset, in: path)
    guard let parser = unsafe IdleParsers.take() else {
        throw ContainerError(.unreadable(detail: "no memory for the XML parser"), at: offset, in: path)
    }
    defer { unsafe IdleParsers.giveBack(parser, documentSize: document.count) }

    try withoutActuallyEscaping(handle) { (escaping) throws(ContainerError) in
        var sink = unsafe EventSink(parser: parser, limits: limits, handle: escaping)
        // SAFETY: the callbacks run only inside `XML_Parse`, while nothing else uses the sink.
        let status = unsafe withUnsafeMutablePointer(to: &sink) { sink in
            unsafe XML_SetUserData(parser, sink)
            unsafe XML_SetElementHandler(parser, startElement, endElement)
            unsafe XML_SetCharacterDataHandler(parser, characterData)
            unsafe XML_SetStartDoctypeDeclHandler(parser, startDoctype)
            return unsafe document.withUnsafeBytes { bytes in
                unsafe XML_Parse(
                    parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                    Int32(clamping: bytes.count), 1)
            }
        }
        let place = offset + max(0, Int(unsafe isobath_expat_event_offset(parser)))
        if var failure = sink.failure {
            failure.offset = place
            failure.path = path
            throw failure
        }
        guard status == XML_STATUS_OK else {
            let message = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map { unsafe String(cString: $0) }
            throw ContainerError(
                .malformed(rule: "XML: \(message ?? "not well-formed")"), at: place, in: path)
        }
    }
}

/// Separates namespace URI and name in expat's names; no URI contains it.
let separator: CChar = 0x0A

/// The state that the C callbacks reach through their user pointer.
@safe
private struct EventSink {
    private let parser: XML_Parser
    private let limits: DecodingLimits
    private let handle: (XMLEvent, Range<Int>) throws(ContainerError) -> Void
    private var depth = 0
    private var nodes = 0
    private var text: [UInt8] = []
    /// Whether only text has followed the start of an element.
    private var isLeaf = false
    private var names = NameTable()
    private(set) var failure: ContainerError?

    init(
        parser: XML_Parser, limits: DecodingLimits,
        handle: @escaping (XMLEvent, Range<Int>) throws(ContainerError) -> Void
    ) {
        unsafe self.parser = unsafe parser
        self.limits = limits
        self.handle = handle
    }

    mutating func stop(_ error: ContainerError) {
        guard failure == nil else { return }
        failure = error
        _ = unsafe XML_StopParser(parser, 0)
    }

    /// The name that expat joined.
    mutating func name(_ joined: UnsafePointer<CChar>) -> XMLName { unsafe names.name(joined) }

    mutating func start(_ name: XMLName, _ attributes: [(name: XMLName, value: String)]) {
        guard failure == nil else { return }
        do throws(ContainerError) {
            try flushText(isAll: false)
            isLeaf = true
            depth += 1
            nodes += 1 + attributes.count
            try limits.check(.xmlDepth, depth)
            try limits.check(.xmlNodes, nodes)
            try handle(.start(name, attributes: attributes), tag)
        } catch {
            stop(error)
        }
    }

    mutating func end() {
        guard failure == nil else { return }
        do throws(ContainerError) {
            try flushText(isAll: isLeaf)
            isLeaf = false
            depth -= 1
            try handle(.end, tag)
        } catch {
            stop(error)
        }
    }

    /// The bytes of the current tag.
    private var tag: Range<Int> {
        let start = max(0, Int(unsafe isobath_expat_event_offset(parser)))
        return start..<start + max(0, Int(unsafe isobath_expat_event_size(parser)))
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        unsafe text.append(contentsOf: bytes)
    }

    /// Reports the text so far. `isAll` means that the element contains nothing else.
    private mutating func flushText(isAll: Bool) throws(ContainerError) {
        guard !text.isEmpty else { return }
        if isAll || !text.allSatisfy(isSpace) {
            try handle(.text(String(decoding: text, as: UTF8.self)), 0..<0)
        }
        text.removeAll(keepingCapacity: true)
    }
}

private func sink(_ user: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<EventSink>? {
    unsafe user?.assumingMemoryBound(to: EventSink.self)
}

private func startElement(
    _ user: UnsafeMutableRawPointer?, _ element: UnsafePointer<CChar>?,
    _ pairs: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) {
    guard let sink = unsafe sink(user), let element = unsafe element else { return }
    var attributes: [(name: XMLName, value: String)] = []
    if var next = unsafe pairs {
        while let key = unsafe next.pointee, let value = unsafe next.advanced(by: 1).pointee {
            attributes.append((unsafe sink.pointee.name(key), unsafe String(cString: value)))
            unsafe next += 2
        }
    }
    unsafe sink.pointee.start(sink.pointee.name(element), attributes)
}

private func endElement(_ user: UnsafeMutableRawPointer?, _: UnsafePointer<CChar>?) {
    unsafe sink(user)?.pointee.end()
}

private func characterData(_ user: UnsafeMutableRawPointer?, _ text: UnsafePointer<CChar>?, _ count: Int32) {
    unsafe sink(user)?.pointee.append(UnsafeRawBufferPointer(start: text, count: Int(count)))
}

private func startDoctype(
    _ user: UnsafeMutableRawPointer?, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?,
    _: UnsafePointer<CChar>?, _: Int32
) {
    let reason = ContainerError.Reason.malformed(rule: "XML: a document type declaration is not allowed here")
    unsafe sink(user)?.pointee.stop(ContainerError(reason))
}
