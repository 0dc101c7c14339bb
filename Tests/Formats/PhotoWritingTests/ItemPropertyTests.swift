import Testing

@testable import PhotoBuilders
@testable import PhotoWriting

@Suite("Item properties")
struct ItemPropertyTests {
    @Test("Item properties have the standard's layouts")
    func layouts() throws {
        let points = CodingIndependentCodePoints(primaries: 12, transfer: 13, matrix: 6, isFullRange: true)
        let aperture = try ItemProperty.cleanAperture(
            width: .init(489), height: .init(490), horizontalOffset: .init(-1, over: 2),
            verticalOffset: .init(0))
        let expected: [(ItemProperty, String, String, Bool)] = [
            (.imageSpatialExtents(width: 4032, height: 3024), "ispe", "00000000 00000fc0 00000bd0", false),
            (try .pixelInformation(bitsPerChannel: [8, 8, 8]), "pixi", "00000000 03 080808", false),
            (.colorInformation(iccProfile: [1, 2]), "colr", "70726f66 0102", false),
            (.colorInformation(points), "colr", "6e636c78 000c 000d 0006 80", false),
            (.hevcConfiguration([9]), "hvcC", "09", true),
            (try .auxiliaryType("a:b", subtype: [5]), "auxC", "00000000 613a6200 05", true),
            (try .rotation(counterclockwiseQuarterTurns: 3), "irot", "03", true),
            (.mirror(.topBottom), "imir", "00", true),
            (.mirror(.leftRight), "imir", "01", true),
            (
                aperture, "clap",
                "000001e9 00000001 000001ea 00000001 ffffffff 00000002 00000000 00000001", true
            ),
        ]
        for (property, type, payload, isEssential) in expected {
            #expect(property.type.description == type)
            #expect(property.payload == bytes(payload), "\(type)")
            #expect(property.isEssential == isEssential, "\(type)")
        }
    }

    @Test("Item properties refuse values that they cannot represent")
    func refusals() {
        #expect(throws: ContainerWritingError.tooLarge(field: "irot angle", limit: 3, actual: 4)) {
            try ItemProperty.rotation(counterclockwiseQuarterTurns: 4)
        }
        #expect(
            throws: ContainerWritingError.notRepresentable(field: "auxC aux_type", value: "a text with a NUL")
        ) {
            try ItemProperty.auxiliaryType("a\0b")
        }
        #expect(throws: ContainerWritingError.notRepresentable(field: "clap", value: "1/0")) {
            try ItemProperty.cleanAperture(
                width: .init(1, over: 0), height: .init(1), horizontalOffset: .init(0),
                verticalOffset: .init(0))
        }
    }

    /// The first grid is an iPhone 13 Pro's.
    @Test(
        "Grids are written with 16-bit or 32-bit sizes",
        arguments: [
            (ImageGrid(rows: 6, columns: 8, width: 4032, height: 3024), "00 00 05 07 0fc0 0bd0"),
            (ImageGrid(rows: 256, columns: 1, width: 65536, height: 9), "00 01 ff 00 00010000 00000009"),
        ])
    func grids(grid: ImageGrid, expected: String) throws {
        #expect(try grid.serialized() == bytes(expected))
    }

    @Test("A grid without tiles or with too many is refused", arguments: [0, 257])
    func gridRefusals(rows: Int) {
        let grid = ImageGrid(rows: rows, columns: 1, width: 1, height: 1)
        #expect(throws: ContainerWritingError.self) { try grid.serialized() }
    }

    @Test("An Exif item starts with the TIFF header's offset")
    func exif() {
        let item = HEIFItem.exif(tiff: [0x4D, 0x4D])
        #expect(item.payload == .mediaData(bytes("00000006 457869660000 4d4d")))
    }
}
