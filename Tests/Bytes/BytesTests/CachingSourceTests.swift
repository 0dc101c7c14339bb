import Bytes
import Synchronization
import TestSupport
import Testing

@Suite("Bytes that are far away")
struct CachingSourceTests {
    /// A remote file that records the fetched ranges.
    private final class Far: Sendable {
        let bytes: [UInt8]
        private let noted = Mutex<[[Range<Int>]]>([])

        var fetches: [[Range<Int>]] { noted.withLock(\.self) }

        init(count: Int) {
            var random = SplitMix(seed: 1)
            bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        }

        func source(limits: DecodingLimits = DecodingLimits()) -> CachingSource {
            CachingSource(byteCount: bytes.count, limits: limits) { [self] (ranges) throws(ContainerError) in
                noted.withLock { $0.append(ranges) }
                return ranges.map { Array(bytes[$0]) }
            }
        }
    }

    @Test("Reads at random give the bytes of the file, and fetch few of them twice")
    func random() throws {
        let far = Far(count: 400_000)
        let source = far.source()
        var random = SplitMix(seed: 2)
        for turn in 0..<300 {
            let start = Int.random(in: 0...far.bytes.count, using: &random)
            let end = min(far.bytes.count, start + Int.random(in: 0...30_000, using: &random))
            if turn % 7 == 0 {
                source.prefetch(
                    [start..<end, 0..<min(1000, end), -5..<far.bytes.count + 5].dropLast(turn % 3))
            }
            #expect(try source.read(start..<end) == Array(far.bytes[start..<end]))
        }
        let fetched = far.fetches.joined().reduce(0) { $0 + $1.count }
        #expect(fetched < far.bytes.count * 3 / 2)
    }

    @Test("A small read fetches a block, neighbors are fetched as one, and distant ranges in one fetch")
    func blocks() throws {
        let far = Far(count: 1_000_000)
        let source = far.source()
        _ = try source.read(500_000..<500_003)
        _ = try source.read(500_100..<516_384)
        source.prefetch([0..<10, 60_000..<60_010, 200_000..<200_010])
        _ = try source.read(30_000..<30_001)
        _ = try source.read(200_000..<200_010)
        // By hand: 16 KiB from 500,000; a gap of 59,990 bytes is fetched, one of 139,990 is not.
        #expect(
            far.fetches == [[500_000..<516_384], [0..<60_010, 200_000..<200_010]])
    }

    @Test("Reads that follow each other fetch more and more at once")
    func following() throws {
        let far = Far(count: 3_000_000)
        let source = far.source()
        for start in stride(from: 0, to: 2_900_000, by: 10_000) {
            _ = try source.read(start..<start + 10_000)
        }
        #expect(far.fetches.count <= 9)
    }

    @Test("Too few bytes are an error, after which nothing is fetched any more")
    func short() throws {
        let count = Mutex(0)
        let source = CachingSource(byteCount: 100_000) { ranges in
            count.withLock { $0 += 1 }
            return ranges.map { [UInt8](repeating: 0, count: $0.count - 1) }
        }
        for _ in 0..<3 { #expect(throws: ContainerError.self) { try source.read(0..<10) } }
        let fetches = count.withLock(\.self)
        #expect(fetches == 1)
        #expect(source.failure?.code == "unreadable")
        #expect(throws: ContainerError.self) { try source.read(90_000..<100_001) }
    }

    @Test("The limit of input bytes applies to what is fetched, and a hint beyond it is ignored")
    func limit() throws {
        var limits = DecodingLimits()
        limits[.inputBytes] = 50_000
        let far = Far(count: 1_000_000)
        let source = far.source(limits: limits)
        source.prefetch([0..<1_000_000])
        #expect(far.fetches.isEmpty)
        _ = try source.read(0..<40_000)
        let error = #expect(throws: ContainerError.self) { try source.read(100_000..<120_000) }
        #expect(error?.code == "limit-exceeded")
    }
}
