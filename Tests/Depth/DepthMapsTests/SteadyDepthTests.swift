import DepthMaps
import DepthTypes
import Testing

@Suite("Depth that is steady over time")
struct SteadyDepthTests {
    private func map(_ meters: [Float]) -> DepthMap {
        DepthMap(width: meters.count, height: 1, meters: meters, scale: .absolute)
    }

    @Test("A small change is followed by 0.4 of the difference, and a jump at once")
    func smoothing() {
        var steady = SteadyDepth()
        #expect(steady.added(map([2, 2])).meters == [2, 2])
        // 1 % and 25 %.
        let second = steady.added(map([2.02, 2.5])).meters
        #expect(abs(second[0] - 2.008) < 1e-5 && second[1] == 2.5)
        let third = steady.added(map([2.02, 2.5])).meters
        #expect(abs(third[0] - 2.0128) < 1e-5 && third[1] == 2.5)
    }

    @Test("A sample that gets lost keeps its value while it was known in two of the last four frames")
    func lost() {
        var steady = SteadyDepth()
        #expect(steady.added(map([3])).meters == [3])
        // Known once.
        #expect(steady.added(map([.nan])).meters[0].isNaN)
        for _ in 0..<4 { _ = steady.added(map([3])) }
        #expect(steady.added(map([.nan])).meters == [3])
        #expect(steady.added(map([.nan])).meters == [3])
        // The last two that were known are three and four frames ago, and then gone.
        #expect(steady.added(map([.nan])).meters == [3])
        #expect(steady.added(map([.nan])).meters[0].isNaN)
    }

    @Test("A map of another size starts anew")
    func size() {
        var steady = SteadyDepth()
        _ = steady.added(map([1]))
        #expect(steady.added(map([1.01, 5])).meters == [1.01, 5])
    }
}
