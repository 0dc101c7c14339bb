internal import Bytes
internal import Testing

@Suite("UnpackedBytes")
struct UnpackedBytesTests {
    private static let sizes: [(byteCount: Int, limit: Int)] = [
        (0, 1 << 30), (1 << 20, 1 << 30), (1 << 24, 1 << 30), (1 << 30, 1 << 36), (Int.max, Int.max),
    ]

    @Test("The default is 1 GiB, or 64 times the file's size if that is more", arguments: sizes)
    func usual(byteCount: Int, limit: Int) {
        #expect(UnpackedBytes(ofFile: byteCount, DecodingLimits()).remaining == limit)
    }

    @Test("A limit that was set does not depend on the file's size")
    func set() throws {
        var limits = DecodingLimits()
        limits[.unpackedBytes] = 100
        let unpacked = UnpackedBytes(ofFile: 1 << 30, limits)
        try unpacked.count(60, onceFrom: 7)
        try unpacked.count(60, onceFrom: 7)
        try unpacked.count(10, onceFrom: 7)
        #expect(unpacked.remaining == 40)
        try unpacked.count(40)
        let error = #expect(throws: ContainerError.self) { try unpacked.count(61, onceFrom: 7) }
        #expect(error?.reason == .limitExceeded(.unpackedBytes, limit: 100, requested: 101))
        #expect(throws: ContainerError.self) { try unpacked.count(.max) }
        #expect(throws: ContainerError.self) { try unpacked.count(.max) }
    }

    @Test("Names are limited by their sum")
    func names() throws {
        var limits = DecodingLimits()
        limits[.nameBytes] = 10
        var names = NameBytes(limits)
        try names.count("/depth")
        try names.count("äö")
        #expect(throws: ContainerError.self) { try names.count("a") }
    }
}
