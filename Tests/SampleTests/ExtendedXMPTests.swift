import Isobath
import PhotoFormats
import TestSupport
import Testing

@Suite("Extended XMP of real photos", .needsSamples)
struct ExtendedXMPTests {
    private let depthMap = "http://ns.google.com/photos/1.0/depthmap/"

    /// The depth images are PNG and JPEG streams in base64, so their text starts with the base64 of a signature.
    @Test(
        "Extended XMP is joined from its segments",
        arguments: [
            ("gdepth/lensblur-table.jpg", "iVBORw0KGgo"), ("gdepth/lensblur-ball.jpg", "iVBORw0KGgo"),
            ("gdepth/gdepth-exifr.jpg", "iVBORw0KGgo"),
        ])
    func joined(name: String, start: String) throws {
        let xmp = try DepthPhoto(contentsOf: SampleFolder.photos.path(name)).xmp()
        #expect(xmp[depthMap, "Format"]?.text == "RangeInverse")
        #expect(xmp[depthMap, "Data"]?.text?.hasPrefix(start) == true)
        #expect((xmp[depthMap, "Data"]?.text?.utf8.count ?? 0) > 50_000)
    }
}
