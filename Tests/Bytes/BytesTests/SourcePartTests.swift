import Bytes
import Testing

@Suite("A part of a source")
struct SourcePartTests {
    @Test("A part has the bytes of its range, and nothing beyond")
    func ranges() throws {
        let bytes = (0..<20).map { UInt8($0) }
        let source = MemorySource(bytes)
        let (first, second) = (SourcePart(0..<7, of: source), SourcePart(7..<20, of: source))
        #expect(try first.read(0..<7) == Array(bytes[..<7]) && second.read(0..<13) == Array(bytes[7...]))
        #expect(throws: ContainerError.self) { try first.read(0..<8) }
    }

    @Test("A part of a far source is fetched where it is")
    func far() throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let source = CachingSource(byteCount: bytes.count) { (ranges) throws(ContainerError) in
            ranges.map { Array(bytes[$0]) }
        }
        let part = SourcePart(100_000..<200_000, of: source)
        part.prefetch([10..<20, 99_000..<100_000])
        #expect(try part.read(99_990..<100_000) == Array(bytes[199_990..<200_000]))
    }
}
