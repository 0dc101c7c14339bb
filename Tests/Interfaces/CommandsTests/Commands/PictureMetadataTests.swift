import Foundation
import Isobath
import TestSupport
import Testing

@Suite("Results keep the picture's Exif, XMP, regions and color profile")
struct PictureMetadataTests {
    /// A big-endian Exif block: Make, XResolution and Software; ExposureTime 1/60, a maker note and FocalLengthIn35mmFilm
    /// 28 in the Exif directory, with an interoperability directory; GPSLatitudeRef and GPSLatitude.
    private static let exif: [UInt8] = {
        func directory(at start: Int, _ fields: [(tag: Int, type: Int, count: Int, value: [UInt8])])
            -> [UInt8]
        {
            var (entries, values) = (bigEndian(fields.count, 2), [UInt8]())
            for field in fields {
                entries += bigEndian(field.tag, 2) + bigEndian(field.type, 2) + bigEndian(field.count)
                if field.value.count > 4 {
                    entries += bigEndian(start + 6 + 12 * fields.count + values.count)
                    values += field.value
                } else {
                    entries += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
                }
            }
            return entries + bigEndian(0) + values
        }
        let main = directory(
            at: 8,
            [
                (0x010F, 2, 6, Array("Makin\0".utf8)), (0x0112, 3, 1, [0, 6]),
                (0x011A, 5, 1, bigEndian(300) + bigEndian(1)), (0x011B, 5, 1, bigEndian(300) + bigEndian(1)),
                (0x0128, 3, 1, [0, 2]), (0x0131, 2, 5, Array("17.1\0".utf8)), (0x8769, 4, 1, bigEndian(200)),
                (0x8825, 4, 1, bigEndian(400)),
            ])
        let details = directory(
            at: 200,
            [
                (0x829A, 5, 1, bigEndian(1) + bigEndian(60)), (0x927C, 7, 7, Array("note 12".utf8)),
                (0xA005, 4, 1, bigEndian(350)), (0xA405, 3, 1, [0, 28]),
            ])
        let interoperability = directory(at: 350, [(0x0001, 2, 4, Array("R98\0".utf8))])
        let position = directory(
            at: 400,
            [
                (0x0001, 2, 2, Array("N\0".utf8)),
                (0x0002, 5, 3, [48, 1, 8, 1, 3000, 100].flatMap { bigEndian($0) }),
            ])
        var block = Array("MM".utf8) + [0, 42, 0, 0, 0, 8] + main
        for (start, directory) in [(200, details), (350, interoperability), (400, position)] {
            block += [UInt8](repeating: 0, count: start - block.count) + directory
        }
        return block
    }()

    private static let packet = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"
          xmlns:mwg="http://www.metadataworkinggroup.com/schemas/regions/" xmlns:area="http://ns.adobe.com/xmp/sType/Area#">
        <mwg:Regions rdf:parseType="Resource"><mwg:RegionList><rdf:Bag><rdf:li><rdf:Description mwg:Type="Face">
        <mwg:Area area:x="0.25" area:y="0.5" area:w="0.1" area:h="0.1" area:unit="normalized"/></rdf:Description></rdf:li>
        </rdf:Bag></mwg:RegionList></mwg:Regions></rdf:Description></rdf:RDF></x:xmpmeta>
        """

    /// `plain.jpg` with its metadata replaced by this: 960 × 720, in Display P3.
    private func photo() throws -> [UInt8] {
        func segment(_ identifier: String, _ payload: [UInt8]) -> [UInt8] {
            [0xFF, 0xE1] + bigEndian(2 + identifier.utf8.count + payload.count, 2) + identifier.utf8 + payload
        }
        let plain = try TestImages.bytes("plain.jpg")
        // JFIF up to byte 20, then the Exif segment of 146 bytes.
        var exif = Self.exif
        exif[31] = 1  // upright
        return plain[..<20] + segment("Exif\0\0", exif)
            + segment("http://ns.adobe.com/xap/1.0/\0", Array(Self.packet.utf8)) + plain[166...]
    }

    /// A folder with the photo, a raster of its depth, and a gray image of its depth.
    private func folder() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        try folder.write(try photo(), to: "photo.jpg")
        let depth = (0..<48 * 36).map { $0 % 48 < 24 ? UInt8(50) : 200 }
        try folder.write(Array("P5 48 36 255\n".utf8) + depth, to: "depth.pgm")
        try folder.run("extract depth.pgm --scale 50 --values preview -o photo_depth.png")
        return folder
    }

    /// Inputs that take metadata from `photo.jpg`: a raster with `--color`, and a raster beside the photo.
    private static let sources = [["depth.pgm", "--scale", "50", "--color", "photo.jpg"], ["photo.jpg"]]

    private func expectMetadata(of file: RasterFile, _ comment: String) {
        #expect(String(decoding: file.xmp, as: UTF8.self).contains("xmp:Rating=\"4\""), "\(comment)")
        #expect(file.profileSize > 0, "\(comment)")
    }

    @Test(
        "Results of rasters with --color and of photos beside depth images keep the photo's metadata",
        arguments: sources)
    func kept(source: [String]) throws {
        let folder = try folder()
        let wanted = try DepthPhoto(contentsOf: folder.file("photo.jpg")).metadata().blocks
        #expect(wanted.exif.count == Self.exif.count)
        for command in [
            ["composite", "--background", "white", "--matte", "depth"], ["blur"],
        ] {
            for name in ["o.jpg", "o.png", "o.tiff"] {
                let run = try folder.run("\(command) \(source) --force -o \(name)")
                let comment = "\(command[0]) \(name): \(run.messages)"
                let file = try RasterFile(folder.file(name))
                expectMetadata(of: file, comment)
                if name == "o.tiff" {
                    #expect(file.make == "Makin", "\(comment)")
                    #expect(abs(file.exposureTime - 1.0 / 60) < 1e-8, "\(comment)")
                    #expect(!run.messages.contains("Exif"), "\(comment)")
                } else {
                    #expect(file.exif == wanted.exif, "\(comment)")
                }
            }
        }
    }

    @Test("The focus is on the face that the picture's camera marked", arguments: sources)
    func face(source: [String]) throws {
        let folder = try folder()
        try folder.run("blur -o o.png \(source)", says: "focus on the face")
    }

    /// Reads TIFF 6.0 without any code of Isobath: "II", 42, the first directory, entries of 12 bytes.
    private func value(_ path: [Int], in file: [UInt8]) -> (type: Int, count: Int, bytes: [UInt8])? {
        var directory = file.littleEndian(at: 4)
        for (depth, tag) in path.enumerated() {
            let entries = (0..<file.littleEndian(at: directory, 2)).map { directory + 2 + 12 * $0 }
            guard let entry = entries.first(where: { file.littleEndian(at: $0, 2) == tag }) else {
                return nil
            }
            let (type, count) = (file.littleEndian(at: entry + 2, 2), file.littleEndian(at: entry + 4))
            guard depth == path.count - 1 else {
                directory = file.littleEndian(at: entry + 8)
                continue
            }
            let size = count * ([3: 2, 4: 4, 5: 8, 13: 4][type] ?? 1)
            let place = size > 4 ? file.littleEndian(at: entry + 8) : entry + 8
            return (type, count, Array(file[place..<place + size]))
        }
        return nil
    }

    @Test(
        "A TIFF file keeps every value of the Exif, GPS and interoperability directories, and maker notes unchanged"
    )
    func tiff() throws {
        let folder = try folder()
        try folder.run("composite --background white -o o.tiff photo.jpg")
        let file = try folder.bytes(of: "o.tiff")
        #expect(file.starts(with: [0x49, 0x49, 42, 0]))
        func little(_ numbers: Int...) -> [UInt8] { numbers.flatMap { littleEndian($0) } }
        #expect(value([0x010F], in: file)?.bytes == Array("Makin\0".utf8))
        #expect(value([0x0131], in: file)?.bytes == Array("17.1\0".utf8))
        #expect(value([0x0112], in: file)?.bytes == [1, 0])
        #expect(value([0x011A], in: file)?.bytes == little(300, 1))
        #expect(value([0x8769, 0x829A], in: file)?.bytes == little(1, 60))
        #expect(value([0x8769, 0x927C], in: file)?.bytes == Array("note 12".utf8))
        #expect(value([0x8769, 0xA405], in: file)?.bytes == [28, 0])
        #expect(value([0x8769, 0xA005, 0x0001], in: file)?.bytes == Array("R98\0".utf8))
        #expect(value([0x8825, 0x0001], in: file)?.bytes == Array("N\0".utf8))
        #expect(value([0x8825, 0x0002], in: file)?.bytes == little(48, 1, 8, 1, 3000, 100))
    }

    @Test("Results of a DNG keep its fields as an Exif block", arguments: ["o.jpg", "o.png", "o.tiff"])
    func dng(name: String) throws {
        let folder = TemporaryFolder()
        try folder.run("composite {depth.dng} --background white -o \(name)")
        let file = try RasterFile(folder.file(name))
        if name == "o.tiff" {
            #expect(file.make == "Isobath")
            #expect(value([0x8769, 0xA405], in: try folder.bytes(of: name))?.bytes == [43, 0])
        } else {
            let camera = try #require(try folder.run("info --json \(name)").objects().first)
                .object("camera")
            // `info` lists no camera of a PNG.
            if name == "o.jpg" { #expect(camera.text("model") == "Analytic Scene") }
            #expect(!file.exif.isEmpty)
        }
    }

    // A frame of 16:9, whose middle of 4:3 is the photo: 0.25 is at (0.25 - 0.5) · 4/3 + 0.5 = 1/6.
    @Test("Marks in the frame that a photo was cut from are moved into the photo")
    func cutFrame() throws {
        let frame =
            "<mwg:AppliedToDimensions dim:w=\"1600\" dim:h=\"900\" dim:unit=\"pixel\"/><mwg:RegionList>"
        let packet = Self.packet.replacingOccurrences(of: "<mwg:RegionList>", with: frame)
            .replacingOccurrences(
                of: "xmlns:area=",
                with: "xmlns:dim=\"http://ns.adobe.com/xap/1.0/sType/Dimensions#\" xmlns:area=")
        let bytes = try TestImages.bytes("depth.jxl") + box("xml ", Array(packet.utf8))
        let photo = try DepthPhoto(MemorySource(bytes))
        let region = try #require(photo.regions().first)
        #expect(abs(region.x - 1.0 / 6) < 1e-9 && abs(region.y - 0.5) < 1e-9)
        #expect(abs(region.width - 0.1 * 4 / 3) < 1e-9 && abs(region.height - 0.1) < 1e-9)
        // In a much wider frame, it was cut off.
        let wide = packet.replacingOccurrences(of: "\"1600\"", with: "\"4000\"")
        let other = try DepthPhoto(
            MemorySource(TestImages.bytes("depth.jxl") + box("xml ", Array(wide.utf8))))
        #expect(other.regions().isEmpty)
    }

    @Test("Results of a JPEG XL file keep the Exif and XMP of its boxes")
    func jpegXL() throws {
        var exif = Self.exif
        exif[31] = 1
        let whole = try TestImages.bytes("depth.jxl")
        let bytes =
            whole + box("Exif", [0, 0, 0, 0] + exif) + box("xml ", Array(Self.packet.utf8))
        let photo = try DepthPhoto(MemorySource(bytes))
        let (blocks, diagnostics) = photo.metadata()
        #expect(diagnostics == [])
        #expect(blocks.exif == exif)
        #expect(String(decoding: blocks.xmp, as: UTF8.self).contains("xmp:Rating=\"4\""))
        #expect(photo.regions().count == 1)
        let squeezed = try DepthPhoto(MemorySource(whole + box("brob", Array("Exif".utf8) + [1, 2, 3])))
        #expect(squeezed.metadata().diagnostics.map(\.code) == ["unsupported"])
    }
}
