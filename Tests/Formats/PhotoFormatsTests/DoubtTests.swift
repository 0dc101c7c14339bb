import Bytes
import DepthTypes
import Testing

@testable import PhotoFormats

/// The remarks of a container about its planes, after all of them are described.
@Suite("Doubtful planes")
struct DoubtTests {
    private struct Container: VendorDiscoveryTarget {
        var format = ContainerKind.heif
        var photo = PhotoDescription(
            width: 2316, height: 3088, codedWidth: 2316, codedHeight: 3088, location: .raster)
        var planes: [AuxiliaryPlane]
        var trailers: [FileTrailer] = []
        var diagnostics: [Diagnostic] = []
        var unreadablePlane: ContainerError?

        func codedImage(at location: ImageLocation) throws(ContainerError) -> CodedImage {
            throw ContainerError(.arithmeticOverflow)
        }
        func photoXMP() throws(ContainerError) -> XMPProperties { XMPProperties() }
        func photoExif() throws(ContainerError) -> MetadataBlock { MetadataBlock() }
        func photoXMPPacket() throws(ContainerError) -> MetadataBlock { MetadataBlock() }
    }

    private func container(fx: Double, fy: Double, millimeters: Int?) -> Container {
        var plane = AuxiliaryPlane(
            kind: .disparity, width: 480, height: 640, codedWidth: 480, codedHeight: 640, bitDepth: 8,
            codec: "hevc", carrier: .heifAuxiliary, type: "", location: .raster)
        plane.calibration = CameraCalibration(
            focalLengthX: fx, focalLengthY: fy, principalPointX: 1157.5, principalPointY: 1543.5, width: 2316,
            height: 3088)
        plane.accuracy = .absolute
        var container = Container(planes: [plane])
        container.photo.focalLength35mm = millimeters
        container.describeDoubts()
        return container
    }

    /// fx and fy of the file, millimeters in Exif, and the values that are used. A photo of 2316 × 3088 has a diagonal
    /// of 3860 pixels, so that a millimeter is 3860 / 43.267 = 89.21 pixels: 30 mm are 2676, which 2718.4 exceeds by
    /// 1.6 %; 60 mm are 5353.
    private static let cases: [(Double, Double, Int?, [Double], DepthAccuracy)] = [
        (2085.5, 2718.4, 30, [2718.4, 2718.4], .relative),
        (2718.4, 2085.5, 30, [2718.4, 2718.4], .relative),
        (2085.5, 2718.4, 60, [2085.5, 2718.4], .absolute),
        (2085.5, 2718.4, nil, [2085.5, 2718.4], .absolute),
        // Both agree with Exif.
        (2640, 2718.4, 30, [2640, 2718.4], .absolute),
    ]

    @Test("Focal lengths that differ are doubted, and Exif chooses between them", arguments: cases)
    func focalLengths(
        fx: Double, fy: Double, millimeters: Int?, used: [Double], accuracy: DepthAccuracy
    ) throws {
        let found = container(fx: fx, fy: fy, millimeters: millimeters)
        let camera = try #require(found.planes[0].calibration)
        #expect([camera.focalLengthX, camera.focalLengthY] == used)
        #expect(found.planes[0].accuracy == accuracy)
        #expect(found.diagnostics.map(\.code) == [.doubtfulCamera])
        #expect(
            found.diagnostics[0].message.hasSuffix(accuracy == .relative ? "used for both" : "both are kept"))
    }

    /// A Pixel 3 has 3194.8 and 3197.9.
    @Test("Focal lengths that differ by a thousandth are not")
    func nearlyEqual() {
        #expect(container(fx: 3194.8125, fy: 3197.943, millimeters: 27).diagnostics.isEmpty)
    }

    @Test("Disparity below 0 is infinitely far, which is said")
    func negative() {
        var found = container(fx: 100, fy: 100, millimeters: nil)
        found.planes[0].mapping = SampleMapping(.disparity, codes: 0...255, low: -0.6289, high: 1.571)
        found.describeDoubts()
        #expect(
            found.diagnostics.map(\.message) == [
                "the disparity plane declares values from -0.6289 1/m on; those below 0 are infinitely far"
            ])
    }
}
