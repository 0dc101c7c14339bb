import Bytes
import DepthMaps
import DepthTypes
import HEVCEncoding
import PhotoBuilders
import PhotoFormats
import PhotoWriting
import Scenes
import TestSupport
import Testing

@testable import PhotoEditing

@Suite("Putting depth into HEIF photos")
struct HEIFEmbeddingTests {
    private static let photos = [
        "plain.heic", "portrait.heic", "portrait-rotated.heic", "absolute-depth.heic",
        "lossless-jpeg-depth.heic",
        "spatial.heic", "spatial-uuid.heic",
    ]

    private func map(_ width: Int, _ height: Int) -> DepthMap {
        let values = (0..<width * height).map { 1 + Float($0 % width) / 40 + Float($0 / width) / 90 }
        return DepthMap(
            width: width, height: height, meters: values, scale: .absolute,
            calibration: CameraCalibration(
                focalLengthX: 211.25, focalLengthY: 211.25, principalPointX: Double(width) / 2 - 3.25,
                principalPointY: Double(height) / 2 + 1.75, width: width, height: height, pixelSize: 0.0019))
    }

    @Test("Codes, range, camera and orientation come back as they were", arguments: photos, [8, 16])
    func roundTrip(name: String, bitDepth: Int) throws {
        let bytes = try TestImages.bytes(name)
        let before = try DepthPhoto(MemorySource(bytes))
        let size = before.description.orientation.size(
            width: before.description.width, height: before.description.height)
        let map = map(size.width / 8, size.height / 8)
        var coding = DepthCoding()
        coding.bitDepth = bitDepth
        var edit = PhotoEdit(form: .appleHEIC)
        edit.depth = try DecodedPlane(map).coded(coding)
        edit.replaces = true
        let result = try DepthPhoto(MemorySource(edit.apply(to: bytes).bytes))
        let plane = try result.describe().requirePlane(nil)
        #expect(plane.accuracy == .absolute)
        #expect(plane.codec == (bitDepth == 8 ? "hevc" : "jpeg"))
        let found = try DepthScene(result).depth()
        let range = (map.meters.max() ?? 0) - (map.meters.min() ?? 0)
        let half = range / Float(1 << bitDepth - 1) / 2
        #expect(zip(found.meters, map.meters).allSatisfy { abs($0 - $1) <= half * 1.001 + 1e-6 })
        let camera = try #require(plane.calibration?.oriented(by: plane.orientation))
        let wanted = try #require(map.calibration)
        #expect(abs(camera.principalPointX - wanted.principalPointX) < 1e-6)
        #expect(abs(camera.principalPointY - wanted.principalPointY) < 1e-6)
        #expect(camera.focalLengthX == wanted.focalLengthX)
        #expect(result.diagnostics.map(\.message) == before.diagnostics.map(\.message))
    }

    @Test("The data of all other items keeps its bytes", arguments: photos)
    func unchanged(name: String) throws {
        let bytes = try TestImages.bytes(name)
        let before = try DepthPhoto(MemorySource(bytes))
        let size = before.description.orientation.size(
            width: before.description.width, height: before.description.height)
        var edit = PhotoEdit(form: .appleHEIC)
        edit.depth = try DecodedPlane(map(size.width / 8, size.height / 8)).coded(DepthCoding())
        edit.replaces = true
        let edited = try edit.apply(to: bytes).bytes
        let (old, new) = (try items(of: bytes), try items(of: edited))
        let gone = Set(
            before.storedPlanes.filter { $0.kind.isDepth }.compactMap { plane -> Int? in
                if case .heifItem(let id) = plane.location { id } else { nil }
            })
        for (id, data) in old where new[id] != nil { #expect(new[id] == data, "item \(id)") }
        // A plane and its XMP are removed, and both are added again.
        #expect(Set(old.keys).subtracting(new.keys).count == gone.count * 2)
        #expect(new.count == old.count - gone.count * 2 + 2)
        #expect(
            try before.container.photoExif().bytes
                == DepthPhoto(MemorySource(edited)).container.photoExif().bytes)
    }

    /// The bytes of all items of a file.
    private func items(of bytes: [UInt8]) throws -> [Int: [UInt8]] {
        let file = try HEIFFile(MemorySource(bytes), start: bytes, limits: DecodingLimits())
        let data = file.metaBoxes.first { $0.type == "idat" }?.payload
        let graph = try HEIFFileEditor(bytes, limits: DecodingLimits()).graph
        var found: [Int: [UInt8]] = [:]
        for location in graph.locations {
            let base = location.construction == .itemData ? data?.lowerBound ?? 0 : 0
            found[location.item] = location.extents.flatMap {
                bytes[base + $0.offset..<base + $0.offset + $0.length]
            }
        }
        return found
    }

    @Test("The structure is that of ImageIO: hidden items, properties, references, the SEI message, XMP")
    func structure() throws {
        var edit = PhotoEdit(form: .appleHEIC)
        edit.depth = try DepthScene(storedIn: TestImages.path("portrait.jpg")).coded(DepthCoding())
        edit.replaces = true
        let bytes = try edit.apply(to: TestImages.bytes("portrait-rotated.heic")).bytes
        let graph = try HEIFFileEditor(bytes, limits: DecodingLimits()).graph
        let packet = try #require(graph.items.last)
        let plane = graph.items[graph.items.count - 2]
        // infe version 2, hidden; an HEVC image, and XMP.
        #expect(Array(plane.box[8..<12]) == [2, 0, 0, 1])
        #expect(Array(plane.box[16..<20]) == Array("hvc1".utf8))
        #expect(Array(packet.box[8..<12]) == [2, 0, 0, 1])
        #expect(packet.box.suffix(25) == Array("mime\0application/rdf+xml\0".utf8)[...])
        let types = graph.associations(of: plane.id).compactMap { graph.type(ofProperty: $0.number) }
        #expect(types == ["hvcC", "ispe", "irot", "pixi", "auxC"])
        #expect(graph.associations(of: packet.id).isEmpty)
        // Turned by the very property of the photo.
        let turns = graph.associations(of: graph.primaryItem).filter {
            graph.type(ofProperty: $0.number) == "irot"
        }
        #expect(graph.associations(of: plane.id).contains(turns[0]))
        #expect(
            graph.references.contains {
                $0.type == "auxl" && $0.from == plane.id && $0.to == [graph.primaryItem]
            })
        #expect(
            graph.references.contains { $0.type == "cdsc" && $0.from == packet.id && $0.to == [plane.id] })
        let auxC = graph.properties[graph.associations(of: plane.id)[4].number - 1].box
        #expect(auxC.count > 8 + 4 + 27 + 8)
        #expect(Array(auxC[12..<39]) == Array("urn:mpeg:hevc:2015:auxid:2\0".utf8))
        // A prefix SEI message, payload 177.
        #expect(Array(auxC[47..<50]) == [0x4E, 0x01, 177])
    }

    @Test("Mattes of all kinds come back as they were")
    func mattes() throws {
        let coverage = (0..<96 * 72).map { UInt8(($0 * 37) % 256) }
        var edit = PhotoEdit(form: .appleHEIC)
        for kind in [PlaneKind.matte, .skin, .hair, .teeth, .glasses, .sky] {
            edit.mattes.append(.init(kind: kind, matte: Matte(width: 96, height: 72, coverage: coverage)))
        }
        edit.removedKinds = [.gainMap]
        let plain = try TestImages.bytes("plain.heic")
        #expect(throws: (any Error).self) { try edit.apply(to: plain) }
        edit.removedKinds = []
        let result = try DepthPhoto(MemorySource(edit.apply(to: plain).bytes))
        for matte in edit.mattes {
            let plane = try #require(result.describe().storedPlane(matte.kind))
            #expect(try result.codes(of: plane).codes == .uint8(coverage))
        }
    }

    /// A photo of one item without a grid, whose data is the rest of the file: an extent of length 0 (ISO/IEC 14496-12 §8.11.3.3).
    private func openEndedPhoto(data: inout [UInt8]) throws -> [UInt8] {
        let picture = LosslessHEVCPicture(
            width: 96, height: 72, samples: (0..<96 * 72).map { UInt8($0 * 7 % 251) })
        data = picture.data
        var file = HEIFFileBuilder()
        file.primaryItem = file.add(
            .hevcImage(
                nalUnits: picture.data,
                properties: [
                    .hevcConfiguration(picture.configuration), .imageSpatialExtents(width: 96, height: 72),
                ]))
        var bytes = try file.serialized()
        // The only entry ends the box with the offset and the length, four bytes each.
        let iloc = try #require(bytes.firstRange(of: "iloc".utf8)).lowerBound - 4
        let end = iloc + bytes.bigEndian(at: iloc)
        #expect(Array(bytes[end - 4..<end]) == bigEndian(data.count, 4))
        bytes.replaceSubrange(end - 4..<end, with: [0, 0, 0, 0])
        return bytes
    }

    @Test(
        "An item that is the rest of the file keeps its bytes when others are added behind it",
        arguments: [0, 16])
    func openEndedItem(trailingBytes: Int) throws {
        var data: [UInt8] = []
        var bytes = try openEndedPhoto(data: &data)
        if trailingBytes > 0 {
            let trailer = box("free", .init(repeating: 7, count: trailingBytes - 8))
            bytes += trailer
            data += trailer
        }
        var edit = PhotoEdit(form: .appleHEIC)
        edit.depth = try DecodedPlane(map(48, 36)).coded(DepthCoding())
        let edited = try edit.apply(to: bytes)
        #expect(edited.diagnostics.isEmpty)
        let photo = try DepthPhoto(MemorySource(edited.bytes))
        guard case .heifItem(let item) = photo.description.location else {
            Issue.record("the photo is an item")
            return
        }
        #expect(try items(of: edited.bytes)[item] == data)
        #expect(try photo.codes(of: photo.describe().requirePlane(nil)).width == 48)
        // Removing the plane again restores the photo.
        var removal = PhotoEdit(form: .appleHEIC)
        removal.removedKinds = [.depth]
        #expect(try items(of: removal.apply(to: edited.bytes).bytes) == [item: data])
    }

    @Test("A photo whose data would swallow the list of items is refused")
    func itemOverMeta() throws {
        var data: [UInt8] = []
        let bytes = try openEndedPhoto(data: &data)
        let boxes = try HEIFFile(MemorySource(bytes), start: bytes, limits: DecodingLimits()).boxes
        let meta = try #require(boxes.first { $0.type == "meta" })
        let media = try #require(boxes.first { $0.type == "mdat" })
        // The data moves before the list, and the item begins there.
        var moved = Array(bytes[..<meta.range.lowerBound] + bytes[media.range] + bytes[meta.range])
        let iloc = try #require(moved.firstRange(of: "iloc".utf8)).upperBound
        let offset = try #require(moved[iloc...].firstRange(of: bigEndian(media.payload.lowerBound, 4)))
        moved.replaceSubrange(
            offset, with: bigEndian(media.payload.lowerBound - meta.range.count, 4))
        var edit = PhotoEdit(form: .appleHEIC)
        edit.depth = try DecodedPlane(map(48, 36)).coded(DepthCoding())
        #expect(throws: PhotoEditingError.overlapsItems(1)) { try edit.apply(to: moved) }
    }

    @Test("A file with tracks, whose samples would move, is refused")
    func tracks() throws {
        var edit = PhotoEdit(form: .appleHEIC)
        edit.depth = try DecodedPlane(map(96, 72)).coded(DepthCoding())
        let bytes = try TestImages.bytes("plain.heic") + [0, 0, 0, 8] + Array("moov".utf8)
        #expect(throws: PhotoEditingError.hasTracks) { try edit.apply(to: bytes) }
    }

    @Test("Depth of 16 bits comes with a warning: libheif 1.15 does not open a photo with it")
    func sixteenBits() throws {
        var coding = DepthCoding()
        for (bits, codes) in [(8, []), (16, ["unusual-coding"])] {
            coding.bitDepth = bits
            var edit = PhotoEdit(form: .appleHEIC)
            edit.depth = try DecodedPlane(map(96, 72)).coded(coding)
            let edited = try edit.apply(to: TestImages.bytes("plain.heic"))
            #expect(edited.diagnostics.map(\.code.rawValue) == codes)
        }
    }

    /// A group of the photo and two planes (ISO/IEC 14496-12 §8.18), and one of a plane alone.
    @Test("Groups lose items that are taken out, and go where none is left")
    func groups() throws {
        let bytes = try TestImages.bytes("portrait.heic")
        let photo = try DepthPhoto(MemorySource(bytes))
        let items = photo.storedPlanes.compactMap { plane -> (kind: PlaneKind, item: Int)? in
            guard case .heifItem(let item) = plane.location else { return nil }
            return (plane.kind, item)
        }
        let depth = try #require(items.first { $0.kind.isDepth }).item
        let matte = try #require(items.first { $0.kind == .matte }).item
        func group(_ number: UInt8, _ members: [Int]) -> [UInt8] {
            var payload: [UInt8] = [0, 0, 0, 0, 0, 0, 4, number, 0, 0, 0, UInt8(members.count)]
            for member in members { payload += [0, 0, UInt8(member >> 8), UInt8(member & 255)] }
            return box("altr", payload)
        }
        var graph = try graph(of: bytes, withGroups: group(1, [depth, matte]) + group(2, [depth]))
        #expect(try graph.serialized().firstRange(of: group(1, [depth, matte])) != nil)
        _ = graph.remove(depth)
        let written = try graph.serialized()
        #expect(written.firstRange(of: box("grpl", group(1, [matte]))) != nil)
    }

    /// The items of a file whose `meta` box gets these groups.
    private func graph(of bytes: [UInt8], withGroups groups: [UInt8]) throws -> ItemGraph {
        let file = try HEIFFile(MemorySource(bytes), start: bytes, limits: DecodingLimits())
        let meta = try #require(file.boxes.first { $0.type == "meta" })
        let changed =
            bytes[..<meta.range.lowerBound] + box("meta", bytes[meta.payload] + box("grpl", groups))
            + bytes[meta.range.upperBound...]
        return try HEIFFileEditor(Array(changed), limits: DecodingLimits()).graph
    }

    @Test("A group keeps its UUID, what follows its members, and a list of groups that is broken its bytes")
    func unusualGroups() throws {
        let bytes = try TestImages.bytes("portrait.heic")
        let uuid: [UInt8] = Array(1...16)
        let group = box("uuid", uuid + [0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 1, 0, 0, 0, 7] + [9, 9])
        #expect(
            try graph(of: bytes, withGroups: group).serialized().firstRange(of: box("grpl", group)) != nil)
        let broken = box("altr", [0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 9, 0, 0, 0, 7])
        #expect(
            try graph(of: bytes, withGroups: broken).serialized().firstRange(of: box("grpl", broken)) != nil)
    }

    @Test("A JPEG photo does not become HEIC, and a HEIC photo carries no Google depth")
    func refusals() throws {
        var edit = PhotoEdit(form: .appleHEIC)
        edit.mattes = [
            .init(kind: .matte, matte: Matte(width: 4, height: 3, coverage: .init(repeating: 1, count: 12)))
        ]
        #expect(throws: PhotoEditingError.notHEVC("jpeg")) {
            try edit.apply(to: TestImages.bytes("plain.jpg"))
        }
        edit.form = .gDepth
        edit.mattes = []
        edit.depth = try DecodedPlane(map(96, 72)).coded(DepthCoding())
        #expect(throws: PhotoEditingError.unsuitableFormat("heif", .gDepth)) {
            try edit.apply(to: TestImages.bytes("plain.heic"))
        }
    }
}
