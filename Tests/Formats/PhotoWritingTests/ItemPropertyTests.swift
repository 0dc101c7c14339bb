import TestSupport
import Testing

@testable import PhotoWriting

@Suite("Item properties")
struct ItemPropertyTests {
    @Test("Item properties have the standard's layouts")
    func layouts() throws {
        let expected: [(ItemProperty, String, String, Bool)] = [
            (.imageSpatialExtents(width: 4032, height: 3024), "ispe", "00000000 00000fc0 00000bd0", false),
            (try .pixelInformation(bitsPerChannel: [8, 8, 8]), "pixi", "00000000 03 080808", false),
            (.hevcConfiguration([9]), "hvcC", "09", true),
            (try .auxiliaryType("a:b", subtype: [5]), "auxC", "00000000 613a6200 05", true),
        ]
        for (property, type, payload, isEssential) in expected {
            #expect(property.type.description == type)
            #expect(property.payload == hex(payload), "\(type)")
            #expect(property.isEssential == isEssential, "\(type)")
        }
    }

    @Test("Item properties refuse values that they cannot represent")
    func refusals() {
        #expect(
            throws: ContainerWritingError.notRepresentable(field: "auxC aux_type", value: "a text with a NUL")
        ) {
            try ItemProperty.auxiliaryType("a\0b")
        }
    }
}
