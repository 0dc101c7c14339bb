import Bytes
import Embedded
import Testing

@Suite("XML events")
struct XMLEventParserTests {
    /// The events of a document, one string each.
    private func events(_ text: String, limits: DecodingLimits = DecodingLimits()) throws -> [String] {
        var lines: [String] = []
        try parseXML(Array(text.utf8), limits: limits, at: 1000, in: StructurePath("XMP")) { event in
            switch event {
            case .start(let name, let attributes):
                let pairs = attributes.map { " {\($0.name.namespace)}\($0.name.local)=\($0.value)" }
                lines.append("<{\(name.namespace)}\(name.local)\(pairs.joined())>")
            case .text(let text): lines.append(text)
            case .end: lines.append("</>")
            }
        }
        return lines
    }

    @Test("Events come in document order, with names by namespace instead of prefix")
    func order() throws {
        let found = try events(#"<a:x xmlns:a="urn:1" a:k="v" n="w"><b:y xmlns:b="urn:1">t</b:y><z/></a:x>"#)
        #expect(found == ["<{urn:1}x {urn:1}k=v {}n=w>", "<{urn:1}y>", "t", "</>", "<{}z>", "</>", "</>"])
    }

    @Test("Text comes in one piece with predefined entities and characters resolved")
    func text() throws {
        #expect(
            try events("<x>1 &lt; 2 &amp;&#32;&#x33;<![CDATA[<>]]></x>") == ["<{}x>", "1 < 2 & 3<>", "</>"])
    }

    @Test("Attributes are found with their bytes, whatever white space, quotes and values they have")
    func placedAttributes() throws {
        let document = Array("<a:b  xmlns:a = 'urn:a' a:c=\"1&gt;>2\"\n d='/'/>\0\0".utf8)
            .withoutTrailingZeros
        var found: [PlacedAttribute] = []
        try parsePlacedXML(document, limits: DecodingLimits(), at: 0, in: StructurePath()) { event, tag in
            guard case .start(_, let attributes) = event else { return }
            found = PlacedAttribute.all(attributes, in: tag, of: document)
        }
        func text(_ range: Range<Int>) -> String { String(decoding: document[range], as: UTF8.self) }
        #expect(found.map(\.name) == [nil, XMLName("urn:a", "c"), XMLName("", "d")])
        #expect(found.map(\.text) == ["urn:a", "1>>2", "/"])
        #expect(found.map { text($0.range) } == ["  xmlns:a = 'urn:a'", " a:c=\"1&gt;>2\"", "\n d='/'"])
        #expect(found.map { text($0.value) } == ["urn:a", "1&gt;>2", "/"])
    }

    @Test("White space beside elements is left out, and kept where it is all that an element holds")
    func whiteSpace() throws {
        let found = try events("<x> \n<y> </y>\t<z/> a <z/>\n</x>")
        #expect(found == ["<{}x>", "<{}y>", " ", "</>", "<{}z>", "</>", " a ", "<{}z>", "</>", "</>"])
    }

    /// Parsers are reused, so declarations and unfinished elements of one document must not affect the next.
    @Test("A document depends on no other that was read before")
    func independence() throws {
        for _ in 0..<40 {
            #expect(throws: ContainerError.self) { try events("<!DOCTYPE x><x/>") }
            #expect(throws: ContainerError.self) { try events(#"<a:x xmlns:a="urn:1"><a:y>text"#) }
            #expect(try events(#"<a:x xmlns:a="urn:2"/>"#) == ["<{urn:2}x>", "</>"])
            let error = #expect(throws: ContainerError.self) { try events("<x>\n<a:y/></x>") }
            #expect(error?.message == "XML: unbound prefix")
            #expect(error?.offset == 1004)
        }
    }

    @Test(
        "A document type declaration is refused, and with it every entity",
        arguments: [
            #"<!DOCTYPE x><x/>"#, #"<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>"#,
            #"<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>"#,
        ])
    func documentType(text: String) {
        let error = #expect(throws: ContainerError.self) { try events(text) }
        #expect(error?.message == "XML: a document type declaration is not allowed here")
        #expect(error?.path == StructurePath("XMP"))
    }

    @Test(
        "Nested elements are counted against the limit",
        arguments: [(64, true), (65, false), (100_000, false)])
    func depth(count: Int, isAllowed: Bool) {
        let text = String(repeating: "<x>", count: count) + String(repeating: "</x>", count: count)
        let error = Result { try events(text) }.failure
        #expect((error == nil) == isAllowed)
        let reason = ContainerError.Reason.limitExceeded(.xmlDepth, limit: 64, requested: 65)
        #expect(isAllowed || error?.reason == reason)
    }

    @Test(
        "A namespace longer than 512 bytes is refused", arguments: [512, 513])
    func longNamespaces(count: Int) {
        let uri = String(repeating: "u", count: count)
        for text in ["<x xmlns:a='\(uri)'/>", "<x xmlns = \n\"\(uri)\"/>", "<x b='1' xmlns:a=\"\(uri)\"/>"] {
            let error = Result { try events(text) }.failure
            #expect((error == nil) == (count == 512))
            #expect(
                error?.message ?? ""
                    == (count == 512 ? "" : "XML: the URI of a namespace is longer than 512 bytes"))
        }
        #expect(throws: Never.self) { try events("<x a='\(uri)' xm='\(uri)'>xmlns=\(uri)</x>") }
    }

    @Test("Attributes are counted before any is read")
    func manyAttributes() {
        var limits = DecodingLimits()
        limits[.xmlNodes] = 10
        let attributes = (0..<12).map { " a\($0)='1'" }.joined()
        let error = Result { try events("<x\(attributes)/>", limits: limits) }.failure
        #expect(error?.reason == .limitExceeded(.xmlNodes, limit: 10, requested: 11))
    }

    @Test("Elements and attributes are counted together")
    func nodes() {
        var limits = DecodingLimits()
        limits[.xmlNodes] = 4
        #expect(throws: Never.self) { try events(#"<x a="1"><y/><z/></x>"#, limits: limits) }
        let error = #expect(throws: ContainerError.self) {
            try events(#"<x a="1"><y/><z b="2"/></x>"#, limits: limits)
        }
        #expect(error?.reason == .limitExceeded(.xmlNodes, limit: 4, requested: 5))
    }

    @Test("Bytes are counted before anything is read")
    func bytes() {
        var limits = DecodingLimits()
        limits[.xmpBytes] = 3
        let error = #expect(throws: ContainerError.self) { try events("<x/>", limits: limits) }
        #expect(error?.reason == .limitExceeded(.xmpBytes, limit: 3, requested: 4))
    }

    @Test(
        "Malformed XML is an error with its byte offset in the file",
        arguments: [("<x></y>", 1005), ("<x>&nope;</x>", 1003), ("no xml", 1000), ("<x>", 1003), ("", 1000)])
    func malformed(text: String, offset: Int) {
        let error = #expect(throws: ContainerError.self) { try events(text) }
        #expect(error?.code == "malformed")
        #expect(error?.offset == offset)
    }

    @Test("Bytes that are not UTF-8 are an error")
    func encoding() {
        let document = Array("<x>".utf8) + [0xFF, 0xC0] + Array("</x>".utf8)
        #expect(throws: ContainerError.self) {
            try parseXML(document, limits: DecodingLimits(), at: 0, in: StructurePath()) { _ in }
        }
    }

    @Test("An error thrown by the reader stops the parser and is rethrown")
    func reader() {
        var count = 0
        let error = #expect(throws: ContainerError.self) {
            try parseXML(Array("<x><y/><z/></x>".utf8), limits: DecodingLimits(), at: 0, in: StructurePath())
            {
                (_) throws(ContainerError) in
                count += 1
                if count == 2 { throw ContainerError(.arithmeticOverflow, at: 0) }
            }
        }
        #expect(error?.reason == .arithmeticOverflow)
        #expect(count == 2)
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () throws -> Success) {
        do { self = .success(try body()) } catch { self = .failure(error) }
    }

    fileprivate var failure: ContainerError? {
        if case .failure(let error) = self { error as? ContainerError } else { nil }
    }
}
