import Bytes
import Testing

@testable import PhotoFormats

@Suite("XMP properties")
struct XMPPropertiesTests {
    private static let namespace = "http://ns.apple.com/depthData/1.0/"

    private func properties(_ description: String, offset: Int = 0) throws -> XMPProperties {
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            \(description)</r:RDF></x:xmpmeta>
            """
        return try XMPProperties(
            parsing: Array(packet.utf8), limits: DecodingLimits(), at: offset, in: StructurePath("XMP"))
    }

    /// One property and one array, in every form that RDF allows.
    @Test(
        "A property is the same as element, as attribute and in its own description",
        arguments: [
            #"<r:Description r:about="" xmlns:d="http://ns.apple.com/depthData/1.0/"><d:Quality>high</d:Quality></r:Description>"#,
            #"<r:Description r:about="" xmlns:d="http://ns.apple.com/depthData/1.0/" d:Quality="high"/>"#,
            #"<r:Description r:about=""/><r:Description xmlns:q="http://ns.apple.com/depthData/1.0/" q:Quality="high"/>"#,
        ])
    func forms(description: String) throws {
        let found = try properties(description)
        #expect(found[Self.namespace, "Quality"]?.text == "high")
        #expect(found.contains(namespace: Self.namespace))
        #expect(found["http://ns.apple.com/depthData/2.0/", "Quality"] == nil)
    }

    @Test("A property is found by its namespace, not by its prefix")
    func prefix() throws {
        let found = try properties(
            #"<r:Description xmlns:depthData="urn:other" depthData:Quality="high"/>"#)
        #expect(found[Self.namespace, "Quality"] == nil)
        #expect(found["urn:other", "Quality"]?.text == "high")
    }

    @Test("Arrays keep their order", arguments: ["Seq", "Bag", "Alt"])
    func arrays(kind: String) throws {
        let found = try properties(
            """
            <r:Description xmlns:d="urn:d"><d:M><r:\(kind)><r:li>1</r:li><r:li>0.0</r:li>
            <r:li/></r:\(kind)></d:M></r:Description>
            """)
        #expect(found["urn:d", "M"]?.items?.map(\.text) == ["1", "0.0", ""])
        #expect(found["urn:d", "M"]?.text == nil)
    }

    @Test(
        "A structure is the same as nested description, as parseType Resource and as attributes",
        arguments: [
            #"<d:S><r:Description><d:F>7</d:F></r:Description></d:S>"#,
            #"<d:S r:parseType="Resource"><d:F>7</d:F></d:S>"#, #"<d:S d:F="7"/>"#,
            #"<d:S><r:Description d:F="7"/></d:S>"#,
        ])
    func structures(property: String) throws {
        let found = try properties(#"<r:Description xmlns:d="urn:d">\#(property)</r:Description>"#)
        guard case .structure(let fields)? = found["urn:d", "S"] else {
            Issue.record("a structure is expected")
            return
        }
        #expect(fields["urn:d", "F"]?.text == "7")
        #expect(found["urn:d", "F"] == nil)
    }

    @Test("Arrays may contain structures")
    func structuresInArrays() throws {
        let found = try properties(
            """
            <r:Description xmlns:d="urn:d"><d:A><r:Seq><r:li r:parseType="Resource"><d:F>1</d:F></r:li>
            <r:li d:F="2"/></r:Seq></d:A></r:Description>
            """)
        let fields = (found["urn:d", "A"]?.items ?? []).map { item -> String? in
            if case .structure(let fields) = item { fields["urn:d", "F"]?.text } else { nil }
        }
        #expect(fields == ["1", "2"])
    }

    @Test("The first of two descriptions of a property wins")
    func twice() throws {
        let found = try properties(
            #"<r:Description xmlns:d="urn:d" d:A="1"/><r:Description xmlns:d="urn:d" d:A="2" d:B="3"/>"#)
        #expect(found["urn:d", "A"]?.text == "1")
        #expect(found["urn:d", "B"]?.text == "3")
    }

    @Test("Text outside RDF and NUL bytes after the packet are skipped")
    func outside() throws {
        let text = "<a><b xmlns='urn:d'>1</b></a>\0\0\0"
        let found = try XMPProperties(
            parsing: Array(text.utf8), limits: DecodingLimits(), at: 0, in: StructurePath())
        #expect(!found.contains(namespace: "urn:d"))
    }

    @Test("Malformed XMP is an error with its offset in the file")
    func garbage() {
        let error = #expect(throws: ContainerError.self) { try properties("<oops>", offset: 5000) }
        #expect(error?.code == "malformed")
        #expect((error?.offset ?? 0) > 5100)
    }
}
