import Compositing
import Testing

@Suite("A normalized point")
struct NormalizedPointTests {
    @Test("keeps its place")
    func place() {
        #expect(NormalizedPoint(x: 0.25, y: 1) == NormalizedPoint(x: 0.25, y: 1))
    }
}
