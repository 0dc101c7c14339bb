import Foundation
import Glibc
import TestSupport
import Testing

@testable import Bytes

@Suite("Writing to descriptors")
struct WritingTests {
    @Test("Bytes written to memory come back, wherever they were written")
    func memory() throws {
        let bytes = try bytesWritten { (descriptor) throws(WriteError) in
            try writeAll([UInt8](repeating: 1, count: 100_000), to: descriptor)
            lseek(descriptor, 99_998, SEEK_SET)
            try writeAll([UInt8](2...5), to: descriptor)
            lseek(descriptor, 100_004, SEEK_SET)
            try writeAll([UInt8(6)], to: descriptor)
        }
        #expect(bytes == [UInt8](repeating: 1, count: 99_998) + [2, 3, 4, 5, 0, 0, 6])
        #expect(try bytesWritten { _ in }.isEmpty)
        #expect(throws: WriteError.unsuitable("no")) {
            try bytesWritten { (_) throws(WriteError) in throw .unsuitable("no") }
        }
    }

    @Test("Numbers are written in the byte order of the machine, and parts of arrays alone")
    func numbers() throws {
        let words: [UInt16] = [0x0102, 0x0304, 0x0506]
        let bytes = try bytesWritten { (descriptor) throws(WriteError) in
            try writeAll(words[1...], to: descriptor)
        }
        // Linux runs Swift on little-endian machines only.
        #expect(bytes == [4, 3, 6, 5])
    }

    @Test("What the system refuses is an error with its number and message")
    func refused() throws {
        #expect(throws: WriteError.system(EBADF)) { try writeAll([UInt8(1)], to: -1) }
        let full = unsafe open("/dev/full", O_WRONLY)
        defer { close(full) }
        #expect(throws: WriteError.system(ENOSPC)) { try writeAll([UInt8(1)], to: full) }
        #expect(WriteError.system(ENOSPC).description == "cannot be written: No space left on device")
    }

    @Test("A pipe that takes a part at a time gets all")
    func pipe() throws {
        let pipe = Pipe()
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let reader = Thread { [handle = pipe.fileHandleForWriting] in
            try? writeAll(bytes, to: handle.fileDescriptor)
            try? handle.close()
        }
        reader.start()
        #expect(try pipe.fileHandleForReading.readToEnd().map(Array.init) == bytes)
    }
}
