import Bytes
import DepthTypes
import Testing

@testable import PhotoFormats

@Suite("GDepth")
struct GDepthTests {
    private static let range = "<GDepth:Near>1</GDepth:Near><GDepth:Far>4</GDepth:Far>"
    /// `GooglePhoto.image()` through the command base64.
    private static let image = "/9j/wAALCAAGAAgBAREA/9oACAEBAAA/ABI0/wBW/9k="

    private static func data(_ base64: String) -> String { "<GDepth:Data>\(base64)</GDepth:Data>" }

    @Test("Depth in the photo's own XMP is described by its first bytes")
    func plane() throws {
        let container = try GooglePhoto(properties: Self.range + Self.data(Self.image)).parsed()
        let plane = try #require(container.planes.first)
        #expect([plane.width, plane.height] == [8, 6])
        #expect(plane.kind == .disparity)
        #expect(plane.source == "google-gdepth")
        #expect(plane.accuracy == .relative)
        guard case .jpeg(.decoded(let bytes)) = try container.codedImage(at: plane.location) else {
            Issue.record("a JPEG stream is expected")
            return
        }
        #expect(bytes == GooglePhoto.image())
    }

    @Test("Base64 may contain white space and lack padding", arguments: ["\n", "\r\n  ", "\t"])
    func lenient(space: String) throws {
        let text = Self.image.dropLast().map { "\($0)" }.joined(separator: space)
        let container = try GooglePhoto(properties: Self.range + Self.data(text)).parsed()
        guard
            case .jpeg(.decoded(let bytes)) = try container.codedImage(
                at: try #require(container.planes.first?.location))
        else {
            Issue.record("a JPEG stream is expected")
            return
        }
        #expect(bytes == GooglePhoto.image())
    }

    @Test(
        "Data that is not an image is reported as an unreadable plane",
        arguments: ["", "****", "AAAA", "/9j/", "iVBORw0KGgo", "iVBORw0KGgoAAAANSUhEUg"])
    func garbage(base64: String) throws {
        let container = try GooglePhoto(properties: Self.range + Self.data(base64)).parsed()
        #expect(container.planes.isEmpty)
        #expect(container.unreadablePlane != nil)
        #expect(container.diagnostics.count == 1)
    }

    @Test("Base64 that is damaged later on fails when it is decoded")
    func lateGarbage() throws {
        let base64 = String(Self.image.dropLast()) + String(repeating: "A", count: 2000) + "!"
        let container = try GooglePhoto(properties: Self.range + Self.data(base64)).parsed()
        let location = try #require(container.planes.first?.location)
        #expect(throws: ContainerError.self) { try container.codedImage(at: location) }
    }

    @Test("Base64 beyond the limit of coded bytes is not decoded")
    func limit() throws {
        var limits = DecodingLimits()
        limits[.codedBytes] = 20
        let container = try GooglePhoto(properties: Self.range + Self.data(Self.image)).parsed(limits)
        let error = #expect(throws: ContainerError.self) {
            try container.codedImage(at: try #require(container.planes.first?.location))
        }
        #expect(error?.code == "limit-exceeded")
    }

    @Test("A missing range leaves raw samples, and an impossible one makes the plane unreadable")
    func badRange() throws {
        let bare = try GooglePhoto(properties: Self.data(Self.image)).parsed()
        #expect(bare.planes.first?.mapping?.isDeclared == false)
        #expect(bare.diagnostics.count == 1)
        let far = Self.range.replacing(">4<", with: ">0<")
        #expect(
            try GooglePhoto(properties: far + Self.data(Self.image)).parsed().planes.first?.readError != nil)
    }

    @Test("Distances along rays without a camera give a warning")
    func ray() throws {
        let ray = Self.range + "<GDepth:MeasureType>OpticalRay</GDepth:MeasureType>" + Self.data(Self.image)
        let container = try GooglePhoto(properties: ray).parsed()
        #expect(container.planes.first?.isAlongRay == true)
        #expect(container.diagnostics.count == 1)
    }

    @Test("A broken trailer does not hide depth in XMP, nor broken XMP the trailer's depth")
    func both() throws {
        let directory = GooglePhoto.directory([("Depth", "99", "0")])
        let container = try GooglePhoto(properties: directory + Self.range + Self.data(Self.image)).parsed()
        #expect(container.planes.map(\.source) == ["google-gdepth"])
        #expect(container.diagnostics.count == 1)
        var photo = GooglePhoto(properties: Self.range + Self.data("!!!!"))
        photo.properties += GooglePhoto.directory([("Depth", "\(GooglePhoto.image().count)", "0")])
        photo.trailer = GooglePhoto.image()
        #expect(try photo.parsed().planes.map(\.source) == ["google-dynamic-depth"])
    }

    @Test("A photo in GImage without depth is not an original")
    func cardboard() throws {
        let photo = GooglePhoto(properties: "<GImage:Data>\(Self.image)</GImage:Data>")
        #expect(try photo.parsed().planes.isEmpty)
    }
}
