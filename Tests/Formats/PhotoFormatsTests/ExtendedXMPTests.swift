import Bytes
import TestSupport
import Testing

@testable import PhotoFormats

@Suite("ExtendedXMP")
struct ExtendedXMPTests {
    private static let guid = "0123456789ABCDEF0123456789ABCDEF"
    private static let whole = Array("first second third".utf8)

    /// One portion as stored in a segment.
    private static func piece(
        _ range: Range<Int>, at place: Int? = nil, total: Int? = nil, guid: String = guid
    ) -> [UInt8] {
        Array(guid.utf8) + bigEndian(total ?? whole.count) + bigEndian(place ?? range.lowerBound)
            + whole[range]
    }

    private func assemble(_ data: [[UInt8]], named: String = guid) throws -> [UInt8]? {
        let packet =
            "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description "
            + "xmlns:n='http://ns.adobe.com/xmp/note/' n:HasExtendedXMP='\(named)'/></rdf:RDF>"
        let main = try XMPProperties(
            parsing: Array(packet.utf8), limits: DecodingLimits(), at: 0, in: StructurePath())
        let segments = data.map { 0..<$0.count }
        return try ExtendedXMP.assemble(segments, data, namedBy: main, limits: DecodingLimits())?.packet
    }

    private static let complete: [[[UInt8]]] = [
        [piece(0..<6), piece(6..<13), piece(13..<18)],  // in order
        [piece(13..<18), piece(0..<6), piece(6..<13)],  // out of order
        [piece(0..<6), piece(6..<13), piece(6..<13), piece(13..<18)],  // one twice
        [piece(0..<8), piece(6..<13), piece(10..<18)],  // overlapping
        [piece(0..<6, at: 0), piece(6..<13, at: 0), piece(13..<18, at: 0)],  // offsets never set
        [piece(0..<6), piece(6..<13, at: 9), piece(13..<18, at: 70)],  // wrong offsets
        [piece(0..<6, guid: guid.lowercased()), piece(6..<18, guid: guid.lowercased())],  // lower case
        [piece(0..<18), piece(0..<4, guid: String(guid.reversed()))],  // another packet's piece
        [piece(0..<18, at: 4_294_967_295), piece(0..<3)],  // a part twice
    ]

    @Test("Extended XMP is joined in every form that writers produce", arguments: complete)
    func joined(pieces: [[UInt8]]) throws {
        #expect(try assemble(pieces) == Self.whole)
        #expect(try assemble(pieces, named: Self.guid.lowercased()) == Self.whole)
    }

    private static let incomplete: [[[UInt8]]] = [
        [], [piece(0..<6), piece(13..<18)], [piece(0..<18, total: 19)], [piece(0..<18, total: 17)],
        [piece(0..<6), piece(6..<18, total: 60)],
        [Array("short".utf8)], [piece(0..<18, total: 4_294_967_295)],
    ]

    @Test("Incomplete extended XMP is an error", arguments: incomplete)
    func broken(pieces: [[UInt8]]) {
        #expect(throws: ContainerError.self) { try assemble(pieces) }
    }

    @Test("Extended XMP is read only if the main packet names it")
    func unnamed() throws {
        let found = try ExtendedXMP.assemble([], [], namedBy: XMPProperties(), limits: DecodingLimits())
        #expect(found == nil)
    }
}
