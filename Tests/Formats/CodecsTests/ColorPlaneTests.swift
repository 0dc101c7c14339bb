import Bytes
import Codecs
import DepthMaps
import DepthTypes
import PhotoBuilders
import PhotoFormats
import PhotoWriting
import Scenes
import TestSupport
import Testing

@Suite("Planes in color")
struct ColorPlaneTests {
    /// A file whose photo and whose auxiliary image of a type are the first tile of `plain.heic`.
    private func photo(auxiliaryType: String) throws -> DepthPhoto {
        let bytes = try TestImages.bytes("plain.heic")
        let container = try parseContainer(MemorySource(bytes), limits: DecodingLimits())
        guard case .grid(let grid) = try container.codedImage(at: container.photo.location),
            let tile = grid.tiles.first,
            let mark = bytes.indices.first(where: {
                bytes[$0...].starts(with: "hvcC".utf8)
            })
        else { throw ContainerError(.arithmeticOverflow) }
        let size = bytes.bigEndian(at: mark - 4)
        let properties: [ItemProperty] = [
            .hevcConfiguration(Array(bytes[mark + 4..<mark - 4 + size])),
            .imageSpatialExtents(width: UInt32(tile.width), height: UInt32(tile.height)),
        ]
        let data = tile.extents.flatMap { bytes[$0] }
        let type = try ItemProperty.auxiliaryType(auxiliaryType)
        var file = HEIFFileBuilder()
        let primary = file.add(.hevcImage(nalUnits: data, properties: properties))
        let plane = file.add(
            .hevcImage(
                nalUnits: data, isHidden: true, properties: properties + [type]))
        file.addReference(.auxiliary, from: plane, to: [primary])
        file.primaryItem = primary
        return try DepthPhoto(MemorySource(try file.serialized()))
    }

    @Test(
        "Pictures among the auxiliary images are written in color",
        arguments: ["linearthumbnail", "styledeltamap"])
    func styles(name: String) throws {
        let photo = try photo(auxiliaryType: "tag:apple.com,2023:photo:aux:\(name)")
        let plane = try #require(photo.planes.first)
        #expect(plane.kind == .unknown)
        let exported = try DepthScene(photo).export(plane, as: PlaneExport(format: .png))
        guard case .color(.uint8(let pixels)) = exported.raster.samples,
            case .uint8(let expected) = try photo.image().pixels
        else {
            Issue.record("color is expected")
            return
        }
        #expect(pixels == expected)
    }

    @Test("A plane that has one value for each sample stays one, however it is coded")
    func alpha() throws {
        let photo = try photo(auxiliaryType: "urn:mpeg:hevc:2015:auxid:1")
        let plane = try #require(photo.planes.first)
        let exported = try DepthScene(photo).export(plane, as: PlaneExport(format: .png))
        guard case .gray8 = exported.raster.samples else {
            Issue.record("gray is expected")
            return
        }
    }
}
