import ByteParsing
import Testing

@Suite("Two sources as one")
struct JoinedSourceTests {
    @Test("Every range of the joined bytes is that of both in order, and parts give the sources back")
    func ranges() throws {
        let bytes = (0..<20).map { UInt8($0) }
        let joined = try JoinedSource(MemorySource(Array(bytes[..<7])), MemorySource(Array(bytes[7...])))
        #expect(joined.byteCount == 20)
        for start in 0...20 {
            for end in start...20 { #expect(try joined.read(start..<end) == Array(bytes[start..<end])) }
        }
        #expect(throws: ContainerError.self) { try joined.read(19..<21) }
        let (first, second) = (SourcePart(0..<7, of: joined), SourcePart(7..<20, of: joined))
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
