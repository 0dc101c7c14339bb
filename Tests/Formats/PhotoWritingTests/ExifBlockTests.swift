import TestSupport
import Testing

@testable import PhotoWriting

@Suite("Exif block")
struct ExifBlockTests {
    @Test("An Exif block is a big-endian TIFF stream with an Exif directory")
    func layout() throws {
        let block = ExifBlock(
            make: "Isobath", model: "abc", orientation: 6, focalLength: 5.7, focalLengthIn35mmFilm: 26)
        let expected = """
            4d4d 002a 00000008
            0004
            010f 0002 00000008 0000003e
            0110 0002 00000004 61626300
            0112 0003 00000001 0006 0000
            8769 0004 00000001 00000046
            00000000
            49736f6261746800
            0003
            9000 0007 00000004 30323332
            920a 0005 00000001 00000070
            a405 0003 00000001 001a 0000
            00000000
            00000039 0000000a
            """
        #expect(try block.serialized() == hex(expected))
    }

    @Test("An Exif block of a picture has all fields that the standard demands of a JPEG")
    func picture() throws {
        // Exif 2.32, tables 18 and 19: mandatory for compressed YCbCr, with their only or usual values.
        let block = ExifBlock(orientation: 8, picture: .init(width: 4032, height: 3024, isSRGB: false))
        let expected = """
            4d4d 002a 00000008
            0006
            0112 0003 00000001 0008 0000
            011a 0005 00000001 00000056
            011b 0005 00000001 0000005e
            0128 0003 00000001 0002 0000
            0213 0003 00000001 0001 0000
            8769 0004 00000001 00000066
            00000000
            00000048 00000001 00000048 00000001
            0006
            9000 0007 00000004 30323332
            9101 0007 00000004 01020300
            a000 0007 00000004 30313030
            a001 0003 00000001 ffff 0000
            a002 0004 00000001 00000fc0
            a003 0004 00000001 00000bd0
            00000000
            """
        #expect(try block.serialized() == hex(expected))
    }

    @Test("An Exif block refuses an invalid orientation", arguments: [0, 9] as [UInt16])
    func orientation(number: UInt16) {
        #expect(throws: ContainerWritingError.self) { try ExifBlock(orientation: number).serialized() }
    }

    @Test("An Exif block refuses an invalid focal length", arguments: [-1.0, .nan, .infinity, 1e9])
    func focalLength(millimeters: Double) {
        #expect(throws: ContainerWritingError.self) { try ExifBlock(focalLength: millimeters).serialized() }
    }
}
