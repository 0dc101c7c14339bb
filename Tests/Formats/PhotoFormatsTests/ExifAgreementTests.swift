import Bytes
import CExifReading
import DepthTypes
import Foundation
import PhotoFormats
import TestSupport
import Testing

/// A field of an Exif block, and the directory that it is in: the tag that points there, 0 for the first.
private struct ExifField: Hashable {
    var directory: Int
    var tag: Int
    var type: Int
    var count: Int
    var bytes: [UInt8]
}

@Suite("Comparison with libexif")
struct ExifAgreementTests {
    /// The fields that libexif reads from a block.
    private func libexifFields(_ block: [UInt8]) -> [ExifField] {
        var reading = unsafe exif_reading_make(block, block.count)
        defer { unsafe exif_reading_release(&reading) }
        return unsafe UnsafeBufferPointer(start: reading.fields, count: reading.field_count).map { field in
            unsafe ExifField(
                directory: Int(field.directory), tag: Int(field.tag), type: Int(field.type),
                count: field.count,
                bytes: [UInt8](UnsafeBufferPointer(start: field.bytes, count: field.size)))
        }
    }

    /// The fields of a tree, including the directories in it.
    private func fields(_ tree: ExifTree, in directory: Int = 0) -> [ExifField] {
        tree.fields.map {
            ExifField(directory: directory, tag: $0.tag, type: $0.type, count: $0.count, bytes: $0.bytes)
        } + tree.children.flatMap { fields($1, in: $0) }
    }

    /// Compares every field of a photo's block, and returns how many there were.
    private func compare(_ path: String) throws -> Int {
        guard let container = try? parseContainer(FileSource(path: path), limits: DecodingLimits()),
            let block = try? container.photoExif().bytes, !block.isEmpty,
            let tree = try? ExifTree(block, limits: DecodingLimits())
        else { return 0 }
        let ours = fields(tree)
        let theirs = libexifFields(block)
        for field in ours {
            // libexif skips fields without values and reads only 64 KiB.
            if field.count == 0 || block.count > 65_534 && !theirs.contains(field) { continue }
            let other = theirs.first { $0.directory == field.directory && $0.tag == field.tag }
            #expect(other == field, "\(path): field \(String(field.tag, radix: 16)) of \(field.directory)")
        }
        func text(_ tag: Int) -> String? {
            theirs.first { $0.directory == 0 && $0.tag == tag }.map { field in
                var text = String(decoding: field.bytes.prefix { $0 != 0 }, as: UTF8.self)
                while text.last == " " { text.removeLast() }
                return text
            }
        }
        func number(_ directory: Int, _ tag: Int) -> Int? {
            theirs.first { $0.directory == directory && $0.tag == tag && $0.type == 3 }.map { field in
                ExifTree.byteOrder(of: block) == .bigEndian
                    ? Int(field.bytes[0]) << 8 | Int(field.bytes[1])
                    : Int(field.bytes[1]) << 8 | Int(field.bytes[0])
            }
        }
        #expect(container.photo.make == text(0x010F), "\(path)")
        #expect(container.photo.model == text(0x0110), "\(path)")
        let focalLength = number(ExifTree.exif, 0xA405)
        #expect(container.photo.focalLength35mm == (focalLength == 0 ? nil : focalLength), "\(path)")
        return ours.count
    }

    @Test("Exif of every test image is read as libexif reads it")
    func testImages() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: TestImages.path(""))
        let count = try names.sorted().reduce(0) { try $0 + compare(TestImages.path($1)) }
        #expect(count > 100)
    }

    @Test(
        "Exif of every sample is read as libexif reads it",
        .needsSamples)
    func samples() throws {
        let count = try SampleFolder.allPhotos.reduce(0) { try $0 + compare(SampleFolder.photos.path($1)) }
        #expect(count > 1000)
    }
}
