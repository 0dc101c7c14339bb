import Bytes
import DepthTypes
import TestSupport
import Testing

@testable import PhotoFormats

@Suite("ExifInformation")
struct ExifInformationTests {
    private func exif(_ dump: String) throws -> ExifInformation {
        try ExifInformation(parsing: hex(dump), at: 30, in: StructurePath("Exif"), limits: DecodingLimits())
    }

    @Test(
        "Exif is read in either byte order",
        arguments: [
            // Make "Ab" (inline), orientation 6, Exif directory at 50 with 35 mm focal length 26
            """
            4d4d 002a 00000008 0003 010f 0002 00000003 41620000 0112 0003 00000001 00060000
            8769 0004 00000001 00000032 00000000 0001 a405 0003 00000001 001a0000 00000000
            """,
            """
            4949 2a00 08000000 0300 0f01 0200 03000000 41620000 1201 0300 01000000 06000000
            6987 0400 01000000 32000000 00000000 0100 05a4 0300 01000000 1a000000 00000000
            """,
        ])
    func orders(dump: String) throws {
        let found = try exif(dump)
        #expect(found.make == "Ab")
        #expect(found.model == nil)
        #expect(found.orientation == 6)
        #expect(found.focalLength35mm == 26)
    }

    @Test(
        "A time is one of the clock, in the order of ISO 8601",
        arguments: [
            ("2018:08:30 14:26:13", "2018-08-30T14:26:13"), ("0000:00:00 00:00:00", nil),
            ("    :  :     :  :  ", nil), ("2018-08-30 14:26:13", nil), ("2018:08:30 14:26", nil),
            ("2018:08:30 14:26:1<", nil), ("", nil),
        ])
    func time(text: String, expected: String?) { #expect(ExifInformation.time(text) == expected) }

    @Test(
        "The subject's area gives its middle, unless it is the photo's, and its distance is in meters",
        arguments: [
            // x, y in 4000 × 3000; distance as numerator and denominator
            ("03e8 05dc", "000000d2 00000064", SIMD2(0.25, 0.5), 2.1),
            ("07d0 05dc", "00000000 00000001", nil, nil), ("0fff 0001", "ffffffff 00000001", nil, nil),
        ])
    func subject(area: String, distance: String, point: SIMD2<Double>?, meters: Double?) throws {
        let found = try exif(
            """
            4d4d 002a 00000008 0001 8769 0004 00000001 0000001a 00000000
            0004 9206 0005 00000001 00000050 9214 0003 00000002 \(area)
            a002 0003 00000001 0fa00000 a003 0003 00000001 0bb80000 00000000 \(distance)
            """)
        #expect(found.subject.point == point)
        #expect(found.subject.distance == meters)
        #expect(found.subject.frame == PixelSize(width: 4000, height: 3000))
    }

    struct TurnedMark: Sendable {
        var area: SIMD2<Double>
        /// The size that Exif states.
        var frame: PixelSize
        var photo: PixelSize
        var points: [SIMD2<Double>]
    }

    private static let upright = PixelSize(width: 3024, height: 4032)
    private static let sensor = PixelSize(width: 4032, height: 3024)

    /// A point x, y of 4032 × 3024 stored samples is 3024 - y, x of 3024 × 4032 upright ones (Exif 2.32, 4.6.4, orientation 6).
    static let turnedMarks: [TurnedMark] = [
        TurnedMark(
            area: [1000, 800], frame: upright, photo: upright,
            points: [[1000 / 3024, 800 / 4032], [2224 / 3024, 1000 / 4032]]),
        // The photo has the rows 126 to 3906 of the upright frame.
        TurnedMark(
            area: [1000, 800], frame: sensor, photo: PixelSize(width: 2400, height: 3000),
            points: [[0.08003, 0.26455], [2224 / 3024, 874 / 3780]]),
        // Beyond the right border of the frame that Exif states.
        TurnedMark(
            area: [3600, 800], frame: upright, photo: upright, points: [[2224 / 3024, 3600 / 4032]]),
        // The middle of the sensor's picture means that the subject is unknown.
        TurnedMark(area: [2016, 1512], frame: upright, photo: upright, points: []),
    ]

    @Test(
        "In a photo that was turned upright, the subject may be in the frame before the turn",
        arguments: turnedMarks)
    func turnedSubject(mark: TurnedMark) {
        var subject = ExifSubject()
        subject.frame = mark.frame
        subject.point = mark.area / [Double(mark.frame.width), Double(mark.frame.height)]
        let found = subject.points(in: mark.photo, turnedBy: .up)
        #expect(found.count == mark.points.count)
        for (found, point) in zip(found, mark.points) {
            let error = found - point
            #expect(max(abs(error.x), abs(error.y)) < 1e-4, "\(found)")
        }
    }

    @Test(
        "Portraits whose background the camera blurred are known by CustomRendered",
        arguments: [
            // Apple's values: 2 HDR, 7 portrait with HDR, 8 portrait.
            ("0000", false), ("0001", false), ("0002", false), ("0007", true), ("0008", true),
        ])
    func customRendered(value: String, isBlurred: Bool) throws {
        let found = try exif(
            """
            4d4d 002a 00000008 0001 8769 0004 00000001 0000001a 00000000
            0001 a401 0003 00000001 \(value)0000 00000000
            """)
        #expect(found.subject.isBackgroundBlurred == isBlurred)
    }

    @Test("Text is read without NUL and trailing spaces")
    func text() throws {
        let found = try exif("4d4d 002a 00000008 0001 0110 0002 00000008 0000001a 00000000 50686f6e65202000")
        #expect(found.model == "Phone")
    }

    @Test(
        "Exif that is not TIFF, or that points outside the block, is an error",
        arguments: [
            ("", "truncated"), ("4d4d", "truncated"), ("4949 002a 08000000", "malformed"),
            ("5858 002a 00000008", "malformed"), ("4d4d 002a 000000ff", "truncated"),
            ("4d4d 002a 00000008 0001 010f 0002 00000009 000000ff", "truncated"),
            ("4d4d 002a 00000008 0002 0112 0003 00000001 00060000", "truncated"),
            ("4d4d 002a 00000008 ffff", "limit-exceeded"),
        ])
    func broken(dump: String, code: String) {
        let error = #expect(throws: ContainerError.self) { try exif(dump) }
        #expect(error?.code == code)
        #expect(error?.path.description == "Exif")
    }
}
