import Bytes
import Embedded
import Testing

@testable import PhotoFormats

@Suite("Editing XMP by its bytes")
struct XMPDocumentTests {
    private let packet = """
        <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="uuid:1" xmlns:a="urn:a/" xmlns:b="urn:b/" a:One="1" b:Two='2'>
        <a:Three>3</a:Three><b:Four a:Five="5"><b:Six/></b:Four>
        </rdf:Description></rdf:RDF></x:xmpmeta>
                \u{20}
        <?xpacket end="w"?>
        """

    private func edited(_ change: (inout XMPDocument) throws -> Void) throws -> String {
        var document = try XMPDocument(Array(packet.utf8), limits: DecodingLimits(), at: 0)
        try change(&document)
        return String(decoding: document.serialized, as: UTF8.self)
    }

    @Test("Without changes all bytes stay")
    func unchanged() throws {
        #expect(try edited { _ in } == packet)
    }

    @Test("Elements, attributes and declarations of a namespace are cut, and nothing else")
    func removed() throws {
        let expected = packet.replacing(" xmlns:a=\"urn:a/\"", with: "")
            .replacing(" a:One=\"1\"", with: "").replacing("<a:Three>3</a:Three>", with: "")
            .replacing(" a:Five=\"5\"", with: "")
        #expect(try edited { $0.remove(namespace: "urn:a/") } == expected)
    }

    @Test("A prefix that only begins as a declaration does is one like others")
    func prefixed() throws {
        let packet = self.packet.replacing("a:One", with: "xmlnsq:Zero=\"0\" a:One")
            .replacing("xmlns:b", with: "xmlns:xmlnsq=\"urn:q/\" xmlns:b")
        var document = try XMPDocument(Array(packet.utf8), limits: DecodingLimits(), at: 0)
        document.remove(namespace: "urn:b/")
        let found = String(decoding: document.serialized, as: UTF8.self)
        #expect(found.contains("xmlnsq:Zero=\"0\" a:One=\"1\"") && !found.contains("b:Two"))
    }

    @Test("A description goes behind the last one")
    func added() throws {
        let new = "<rdf:Description/>"
        let expected = packet.replacing("</rdf:RDF>", with: new + "</rdf:RDF>")
        #expect(try edited { try $0.add(description: Array(new.utf8)) } == expected)
    }

    @Test("An RDF element of one tag is opened")
    func opened() throws {
        let packet = #"<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>"#
        var document = try XMPDocument(Array(packet.utf8), limits: DecodingLimits(), at: 0)
        try document.add(description: Array("<r:Description/>".utf8))
        #expect(
            String(decoding: document.serialized, as: UTF8.self)
                == "<r:RDF xmlns:r=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n<r:Description/></r:RDF>"
        )
    }

    @Test("What a packet describes is read from its first description")
    func resource() throws {
        let document = try XMPDocument(Array(packet.utf8), limits: DecodingLimits(), at: 0)
        #expect(document.resource == "uuid:1")
        let plain = try XMPDocument([], limits: DecodingLimits(), at: 0)
        #expect(plain.resource == "")
        var empty = plain
        #expect(throws: ContainerError.self) { try empty.add(description: []) }
    }
}
