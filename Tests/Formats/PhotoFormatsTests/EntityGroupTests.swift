import Bytes
import TestSupport
import Testing

@testable import PhotoFormats

@Suite("Entity groups (grpl)")
struct EntityGroupTests {
    private func groups(_ boxes: [UInt8]...) throws -> [EntityGroup] {
        let payload = boxes.flatMap(\.self)
        var cursor = ByteCursor(payload.span, base: 0)
        return try EntityGroup.parse(&cursor, limits: DecodingLimits())
    }

    @Test("Entity groups keep their order, including uuid groups")
    func order() throws {
        let found = try groups(
            box("altr", hex("00000000 00000009 00000001 00000003")),
            box("uuid", hex("524a52f437b347d09637933d05ac9b68 00000000 0000000a 00000001 00000002")),
            box("ster", hex("00000000 0000000b 00000002 00000002 00000001")))
        #expect(found.map(\.type.description) == ["altr", "uuid", "ster"])
        #expect(found.map(\.entities) == [[3], [2], [2, 1]])
    }

    @Test("An entity group with more members than bytes is an error")
    func truncated() {
        let error = #expect(throws: ContainerError.self) {
            try groups(box("ster", hex("00000000 0000000b ffffffff 00000002")))
        }
        #expect(error?.code == "truncated")
    }
}
