import Testing

@testable import ContainerWriting

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
        #expect(try block.serialized() == bytes(expected))
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
