import Testing

@testable import StereoMatching

@Suite("Cleanup of disparities")
struct DisparityCleanupTests {
    /// 100 × 100 samples. The digits of the picture are disparities; all other samples have no disparity. Islands of
    /// fewer than three go.
    private func remaining(_ picture: [String]) -> [String] {
        var cleanup = DisparityCleanup()
        cleanup.takesMedian = false
        var disparity = [Float](repeating: .nan, count: 100 * 100)
        var confidence = [UInt8](repeating: 0, count: 100 * 100)
        for (row, line) in picture.enumerated() {
            for (column, digit) in line.enumerated() {
                guard let value = digit.wholeNumberValue else { continue }
                disparity[(10 + row) * 100 + 20 + column] = Float(value)
                confidence[(10 + row) * 100 + 20 + column] = 1
            }
        }
        cleanup.apply(to: &disparity, &confidence, width: 100, height: 100)
        #expect(zip(disparity, confidence).allSatisfy { $0.isNaN == ($1 == 0) })
        return picture.indices.map { row in
            String(
                (0..<picture[row].count).map { column in
                    let value = disparity[(10 + row) * 100 + 20 + column]
                    return value.isNaN ? "." : Character(String(Int(value)))
                })
        }
    }

    @Test("Islands are removed where they have fewer samples than the least, along rows and down columns")
    func islands() {
        // Arms that meet below, neighbors at a corner, a jump within a row, two that differ by one, a block, and two below each other.
        let picture = [
            "5.5..7....55999...12",
            "5.5...7.............",
            "555......22.....9...",
            ".........22.....8...",
        ]
        let expected = [
            "5.5.........999.....",
            "5.5.................",
            "555......22.........",
            ".........22.........",
        ]
        #expect(remaining(picture) == expected)
    }

    @Test("A run that touches several above, far apart, makes one island of them")
    func joined() {
        let picture = ["1.2.1...1", "111111111"]
        #expect(remaining(picture) == picture)
        let apart = ["1.3.1...1", "111111111"]
        #expect(remaining(apart) == ["1...1...1", "111111111"])
    }
}
