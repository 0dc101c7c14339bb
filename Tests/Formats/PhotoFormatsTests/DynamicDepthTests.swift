import Bytes
import DepthTypes
import TestSupport
import Testing

@testable import PhotoFormats

@Suite("Dynamic Depth")
struct DynamicDepthTests {
    private static let image = GooglePhoto.image()
    private static let length = "\(image.count)"
    /// A PNG signature and IHDR of 8 × 6, 16-bit gray.
    private static let png = hex(
        "89504E470D0A1A0A 0000000D 49484452 00000008 00000006 10 00 000000 12345678")

    private static func directory(_ semantics: String..., padding: String = "0") -> String {
        GooglePhoto.directory(semantics.map { ($0, length, padding) })
    }

    @Test("Items are found at the end of the file, or after the photo when more was appended")
    func places() throws {
        let two = Self.directory("Depth", "Confidence", padding: "3")
        let padded = Self.image + [0, 0, 0]
        for (before, after) in [(0, 0), (0, 40), (7, 0), (7, 40)] {
            var photo = GooglePhoto(properties: two + GooglePhoto.camera())
            photo.trailer = [UInt8](repeating: 7, count: before) + padded + padded
            photo.trailer += [UInt8](repeating: 9, count: after)
            let container = try photo.parsed()
            #expect(container.planes.map(\.kind) == [.disparity, .confidence], "\(before) \(after)")
            let start = photo.bytesOfFile.count - photo.trailer.count + before
            #expect(container.planes.first?.location == .jpegStream(start..<start + Self.image.count))
            #expect(container.photo.location == .jpegStream(0..<start))
            #expect(container.diagnostics == [])
            #expect(container.planes.first?.mapping?.value(ofCode: 0) == 1)
            #expect(container.planes.first?.mapping?.value(ofCode: 255) == 0.25)
        }
    }

    @Test("The size of a 16-bit PNG plane comes from its own header")
    func deep() throws {
        let directory = GooglePhoto.directory([("Depth", "\(Self.png.count)", "0")])
        let photo = GooglePhoto(properties: directory + GooglePhoto.camera(), trailer: Self.png)
        let plane = try #require(try photo.parsed().planes.first)
        #expect([plane.width, plane.height, plane.bitDepth] == [8, 6, 16])
        #expect(plane.codec == "png")
        #expect(plane.mapping?.highCode == 65535)
    }

    @Test("Cameras are counted against the image limit")
    func cameras() throws {
        let photo = GooglePhoto(properties: GooglePhoto.camera())
        var limits = DecodingLimits()
        limits[.images] = 0
        let container = try parseContainer(MemorySource(photo.bytesOfFile), limits: limits)
        #expect(container.unreadablePlane?.reason == .limitExceeded(.images, limit: 0, requested: 1))
    }

    @Test("A stripped trailer is reported as an unreadable plane")
    func stripped() throws {
        let photo = GooglePhoto(properties: Self.directory("Depth", "Confidence") + GooglePhoto.camera())
        let container = try photo.parsed()
        #expect(container.planes.isEmpty)
        #expect(container.diagnostics.count == 1)
        #expect(container.unreadablePlane?.message.contains("Depth, Confidence") == true)
        #expect(container.unreadablePlane?.message.contains("stripped") == true)
    }

    @Test("A stripped gain map is reported, but not as unreadable depth")
    func strippedGainMap() throws {
        let container = try GooglePhoto(properties: Self.directory("GainMap")).parsed()
        #expect(container.diagnostics.count == 1)
        #expect(container.unreadablePlane == nil)
    }

    @Test("A truncated file keeps its complete planes")
    func cut() throws {
        var photo = GooglePhoto(properties: Self.directory("Depth", "Confidence") + GooglePhoto.camera())
        photo.trailer = Self.image + Self.image.dropLast(4)
        let container = try photo.parsed()
        #expect(container.planes.map(\.kind) == [.disparity])
        #expect(container.unreadablePlane?.message.contains("Confidence") == true)
    }

    @Test(
        "Impossible item lengths are errors and do not hide the photo",
        arguments: ["-5", "many", "9223372036854775807", "99999999999999999999", "0", "1", "123456789"])
    func lengths(length: String) throws {
        let directory = GooglePhoto.directory([("Depth", length, "8"), ("Confidence", "30", "8")])
        var photo = GooglePhoto(properties: directory + GooglePhoto.camera())
        photo.trailer = Self.image
        let container = try photo.parsed()
        #expect(container.planes.allSatisfy { !$0.kind.isDepth } || length == "1")
        #expect(container.unreadablePlane != nil)
        #expect(container.photo.width == 16)
    }

    @Test("A segmentation is not depth, and unknown planes keep their type")
    func segmentation() throws {
        let semantic = "<DepthMap:ItemSemantic>Segmentation</DepthMap:ItemSemantic>"
        var photo = GooglePhoto(properties: Self.directory("Depth", "Thermal") + GooglePhoto.camera(semantic))
        photo.trailer = Self.image + Self.image
        let planes = try photo.parsed().planes
        #expect(planes.map(\.kind) == [.unknown, .unknown])
        #expect(planes.map(\.type) == ["Segmentation", "Thermal"])
    }

    @Test("A gain map is never read as depth, alone or beside depth")
    func gainMap() throws {
        var photo = GooglePhoto(properties: Self.directory("GainMap"), trailer: Self.image)
        #expect(try photo.parsed().planes.map(\.kind) == [.gainMap])
        #expect(try photo.parsed().planes.map(\.source) == ["google-container"])
        photo.properties = Self.directory("GainMap", "Depth")
        photo.trailer += Self.image
        #expect(try photo.parsed().planes.map(\.kind) == [.gainMap, .depth])
    }

    /// 1/4 … 1/1: Float32 1, 1.6 (n = ½) and 4, each with a blur of 0, little-endian.
    private static let table = "AACAPwAAAADNzMw/AAAAAAAAgEAAAAAA"

    @Test(
        "Diopters that increase with distance are read as meters",
        arguments: [
            (table, "the focal table runs"), ("AAAA", "Near < Far only makes sense"), ("?", "Near < Far"),
        ])
    func diopters(table: String, words: String) throws {
        let fields =
            "<DepthMap:Units>Diopters</DepthMap:Units><DepthMap:FocalTable>\(table)</DepthMap:FocalTable>"
        let photo = GooglePhoto(
            properties: Self.directory("Depth") + GooglePhoto.camera(fields), trailer: Self.image)
        let container = try photo.parsed()
        #expect(container.diagnostics.map(\.message).filter { $0.contains(words) }.count == 1)
        let mapping = try #require(container.planes.first?.mapping)
        #expect(mapping.unit == "1/m")
        #expect([mapping.low, mapping.high] == [1, 0.25])
    }

    private static func model(_ numbers: [Double]) -> String {
        zip(
            [
                "FocalLengthX", "FocalLengthY", "ImageWidth", "ImageHeight", "PrincipalPointX",
                "PrincipalPointY",
            ], numbers
        )
        .map { "<ImagingModel:\($0)>\($1)</ImagingModel:\($0)>" }.joined()
    }

    /// Numbers of a model for a plane of 8 × 6; fx, fy, cx, cy (pixel centers at integers), width and height
    /// of the calibration; the number of warnings.
    private static let models: [([Double], [Double], Int)] = [
        // In pixels of a larger frame of the same shape, which is kept.
        ([800, 801, 800, 600, 410, 290], [800, 801, 409.5, 289.5, 800, 600], 0),
        // As fractions of the frame; without a principal point the middle is used.
        ([1, 1.25, 800, 600], [800, 750, 399.5, 299.5, 800, 600], 1),
        // A 4 : 3 plane shows the middle 900 columns of a 16 : 9 frame.
        ([900, 900, 1200, 675, 610, 340], [900, 900, 459.5, 339.5, 900, 675], 0),
        // Far off center.
        ([800, 800, 800, 600, 410, 100], [800, 800, 399.5, 299.5, 800, 600], 1),
        // Off center by 18 %, as in photos of a Pixel 4a 5G.
        ([800, 800, 800, 600, 544, 290], [800, 800, 543.5, 289.5, 800, 600], 1),
        // In portrait, turned clockwise: (x, y) → (799 − y, x).
        ([600, 601, 600, 800, 310, 390], [601, 600, 409.5, 309.5, 800, 600], 1),
    ]

    @Test("An imaging model becomes a calibration of the plane", arguments: models)
    func imagingModel(numbers: [Double], expected: [Double], remarks: Int) throws {
        let photo = GooglePhoto(
            properties: Self.directory("Depth") + GooglePhoto.camera(model: Self.model(numbers)),
            trailer: Self.image)
        let container = try photo.parsed()
        let found = try #require(container.planes.first?.calibration)
        let values = [
            found.focalLengthX, found.focalLengthY, found.principalPointX, found.principalPointY,
            Double(found.width), Double(found.height),
        ]
        #expect(values == expected)
        #expect(container.diagnostics.count == remarks)
    }

    /// The frame and principal point of photos of 16:9, and the row or column that is used: the first two are real photos of a Pixel 4a 5G.
    ///
    /// (4032 · 3/4 − 2268) / 2 = 378. 1.5 % off center is a lens, 12 % of a frame that is not 4:3 cannot be explained.
    private static let crops: [([Double], [Double])] = [
        ([4032, 2268, 1992.042114, 687.9104], [1992.042114, 1065.9104]),
        ([4032, 2268, 1985.785767, 730.113037], [1985.785767, 1108.113037]),
        ([4032, 2268, 2016, 1580], [2016, 1202]),
        ([4032, 2268, 2016, 1100], [2016, 1100]),
        ([4032, 2268, 2016, 870], [2016, 870]),
        ([4032, 2268, 2440, 1134], [2440, 1134]),
        ([4032, 3024, 2016, 1150], [2016, 1150]),
    ]

    @Test("The principal point of a 16:9 photo is moved by the margin of its 4:3 frame", arguments: crops)
    func crop(frame: [Double], point: [Double]) throws {
        let isWide = frame[1] == 2268
        let image = GooglePhoto.image(width: isWide ? 16 : 8, height: isWide ? 9 : 6)
        let photo = GooglePhoto(
            properties: GooglePhoto.directory([("Depth", "\(image.count)", "0")])
                + GooglePhoto.camera(model: Self.model([3238, 3238] + frame)), trailer: image)
        let container = try photo.parsed()
        let found = try #require(container.planes.first?.calibration)
        #expect(abs(found.principalPointX + 0.5 - point[0]) < 1e-6)
        #expect(abs(found.principalPointY + 0.5 - point[1]) < 1e-6)
        let isMoved = frame[3] != point[1]
        #expect(container.diagnostics.contains { $0.message.contains("4:3 frame") } == isMoved)
    }

    private static let impossible: [[Double]] = [
        [0, 0, 800, 600], [80, 80, 800, 600], [9e9, 9e9, 800, 600],
    ]

    @Test("An invalid camera is ignored with a warning", arguments: impossible)
    func noCamera(numbers: [Double]) throws {
        let photo = GooglePhoto(
            properties: Self.directory("Depth") + GooglePhoto.camera(model: Self.model(numbers)),
            trailer: Self.image)
        #expect(try photo.parsed().planes.first?.calibration == nil)
        #expect(try photo.parsed().diagnostics.count == 1)
    }
}
