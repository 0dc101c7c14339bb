import PhotoBuilders
import TestSupport
import Testing

@Suite("Damaged metadata")
struct DamagedMetadataTests {
    private static let garbage: [(String, String)] = [
        ("not XML at all", "XML:"), ("<x:xmpmeta", "XML:"), ("<a><b></a>", "XML:"),
        ("\u{0}\u{1}\u{2}", "XML:"),
        ("<!DOCTYPE x [<!ENTITY a \"b\">]><x>&a;</x>", "document type declaration is not allowed"),
        (String(repeating: "<x>", count: 300), "65 nested XML elements exceed the limit of 64"),
    ]

    @Test("A HEIC plane with garbled XMP is still readable by its SEI message", arguments: garbage)
    func heic(packet: String, words: String) throws {
        var file = DepthFile()
        file.xmp = Array(packet.utf8)
        let damaged = DamagedPhoto(try file.heic())
        let record = try damaged.info()
        #expect(record.texts("warnings").contains { $0.contains(words) && $0.contains("XMP at byte") })
        #expect(record.objects("planes").map { $0.text("kind") } == ["disparity", "matte"])
        let plane = try damaged.plane("disparity")
        #expect([plane.number("minimum"), plane.number("maximum")] == [0.25, 1])
        #expect(try damaged.extract(nil).width == 192)
        #expect(try damaged.extract("matte").width == 480)
    }

    @Test(
        "A JPEG plane with garbled XMP is unreadable, and the others are not affected",
        arguments: garbage.prefix(5))
    func jpeg(packet: String, words: String) throws {
        var file = DepthFile()
        file.xmp = Array(packet.utf8)
        let damaged = DamagedPhoto(try file.jpeg(photo: try TestImages.bytes("plain.jpg")))
        let record = try damaged.info()
        #expect(record.texts("warnings").contains { $0.contains(words) })
        #expect(record.objects("planes").map { $0.text("kind") } == ["unknown", "matte"])
        // It may be the requested plane, so this is damage, not a missing plane.
        try damaged.expectFailure(of: nil, words)
        #expect(try damaged.extract("matte").width == 480)
        #expect(try damaged.extract("photo").width == 960)
    }

    @Test(
        "A damaged value gives a warning, and the rest of the packet is used",
        arguments: [
            (
                "<blur:RenderingParameters>***</blur:RenderingParameters>",
                "RenderingParameters are not base64"
            ),
            (
                "<depthData:PixelSize>wide</depthData:PixelSize>\(intrinsics("100"))",
                "PixelSize is not a number"
            ),
            (intrinsics("nan"), "IntrinsicMatrix is not a list of 9 numbers"),
            (intrinsics("-1"), "all must be positive"),
            (intrinsics("100").replacing("Reference", with: "Other"), ""),
        ])
    func values(properties: String, words: String) throws {
        var file = DepthFile()
        file.xmp = DepthFile.packet(low: "0.5", high: "2.0", more: properties)
        for bytes in [try file.heic(), try file.jpeg(photo: try TestImages.bytes("plain.jpg"))] {
            let damaged = DamagedPhoto(bytes)
            let record = try damaged.info()
            #expect(words.isEmpty == record.texts("warnings").isEmpty)
            #expect(record.texts("warnings").allSatisfy { $0.contains(words) })
            let plane = try damaged.plane("disparity")
            #expect([plane.number("minimum"), plane.number("maximum")] == [0.5, 2])
            #expect(try damaged.extract(nil).width == 192)
        }
    }

    /// A 3 × 3 matrix with this focal length.
    private static func intrinsics(_ focalLength: String) -> String {
        let numbers = [focalLength, "0", "0", "0", focalLength, "0", "50", "40", "1"].map {
            "<rdf:li>\($0)</rdf:li>"
        }
        return "<depthData:IntrinsicMatrix><rdf:Seq>\(numbers.joined())</rdf:Seq></depthData:IntrinsicMatrix>"
            + "<depthData:IntrinsicMatrixReferenceWidth>100</depthData:IntrinsicMatrixReferenceWidth>"
            + "<depthData:IntrinsicMatrixReferenceHeight>80</depthData:IntrinsicMatrixReferenceHeight>"
    }

    @Test("The size of rendering parameters ignores white space in their base64")
    func renderingParameters() throws {
        var file = DepthFile()
        let text = "<blur:RenderingParameters>UkVO\n  RAEA AAA=</blur:RenderingParameters>"
        file.xmp = DepthFile.packet(low: "0.5", high: "2.0", more: text)
        let plane = try DamagedPhoto(try file.heic()).plane("disparity")
        #expect(plane.object("blur").integer("renderingParametersBytes") == 8)
    }

    @Test("A broken Exif block loses only the camera's name")
    func exif() throws {
        var bytes = try TestImages.bytes("portrait.jpg")
        let start = try #require(bytes.firstRange(of: Array("Exif\0\0MM".utf8))?.lowerBound)
        bytes[start + 6] = 0x58
        let record = try DamagedPhoto(bytes).info()
        #expect(record.object("camera").isNull("make"))
        #expect(record.objects("planes").count == 2)
        #expect(record.texts("warnings").count == 1)
    }

    @Test(
        "An invalid orientation gives a warning, and the photo is read as upright",
        arguments: [9, 255])
    func orientation(value: UInt8) throws {
        var bytes = try TestImages.bytes("portrait-rotated.jpg")
        let entry = try #require(bytes.firstRange(of: [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6])?.upperBound)
        bytes[entry - 1] = value
        let record = try DamagedPhoto(bytes).info()
        #expect(record.integer("orientation") == 1)
        #expect(record.texts("warnings").contains { $0.contains("orientation \(value)") })
    }

    @Test("Planes are found after the photo even with a stale index")
    func staleIndex() throws {
        var bytes = try TestImages.bytes("portrait.jpg")
        let index = try #require(bytes.firstRange(of: Array("MPF\0MM".utf8))?.lowerBound)
        // Entries of 16 bytes; the offset of the second image is 8 bytes into its own.
        let list = index + 4 + 50
        let offset = try #require(
            bytes[list...].indices.first { place in
                place + 16 < list + 64 && bytes[place..<place + 4].elementsEqual([0, 0, 0, 0])
                    && place % 2 == (list % 2)
                    && bytes[place + 8] == 0 && bytes[place + 9] != 0
            })
        bytes[offset + 10] ^= 0x55
        let record = try DamagedPhoto(bytes).info()
        #expect(record.texts("warnings").contains { $0.contains("there is none") })
        #expect(record.objects("planes").map { $0.text("kind") } == ["disparity", "matte"])
        let whole = try DamagedPhoto(try TestImages.bytes("portrait.jpg")).extract(nil)
        #expect(try DamagedPhoto(bytes).extract(nil).samples == whole.samples)
    }
}
