import CExifReading
import PhotoWriting
import Testing

/// A field of an Exif block, and the directory that it is in: the tag that points there, 0 for the first.
private struct Field: Hashable {
    var directory: Int
    var tag: Int
    var type: Int
    var bytes: [UInt8]

    init(_ field: exif_reading_field) {
        directory = unsafe Int(field.directory)
        tag = unsafe Int(field.tag)
        type = unsafe Int(field.type)
        bytes = unsafe [UInt8](UnsafeBufferPointer(start: field.bytes, count: field.size))
    }
}

@Suite("Made Exif, completed by libexif")
struct ExifSpecificationTests {
    private func fields(_ block: [UInt8], completed: Bool = false) -> Set<Field> {
        var reading =
            unsafe completed
            ? exif_reading_make_complete(block, block.count) : exif_reading_make(block, block.count)
        defer { unsafe exif_reading_release(&reading) }
        return unsafe Set(
            UnsafeBufferPointer(start: reading.fields, count: reading.field_count).map { unsafe Field($0) })
    }

    @Test("libexif finds nothing to add, to remove or to correct", arguments: 1...8 as ClosedRange<UInt16>)
    func complete(orientation: UInt16) throws {
        let block = try ExifBlock(
            orientation: orientation, picture: .init(width: 4032, height: 3024, isSRGB: orientation % 2 == 0)
        ).serialized()
        let made = fields(block)
        // Exif 2.32, tables 18 and 19, and the orientation.
        #expect(made.count == 11)
        #expect(fields(block, completed: true) == made)
    }

    @Test("Without a picture libexif adds what a JPEG needs")
    func incomplete() throws {
        let block = try ExifBlock(orientation: 6).serialized()
        let made = fields(block)
        let completed = fields(block, completed: true)
        #expect(made.count == 2 && completed.count == 11)
    }
}
