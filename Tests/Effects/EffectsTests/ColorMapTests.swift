internal import DepthMaps
internal import Effects
internal import Testing

/// Expected: `numpy.rint(matplotlib.colormaps[name](numpy.arange(256))[:, :3] * 255)`, matplotlib 3.11.2.
@Suite("ColorMap")
struct ColorMapTests {
    struct Expected: Sendable {
        var map: ColorMap
        /// Entries 0, 1, 64, 127, 128, 200 and 255.
        var entries: [[UInt8]]
        /// The sums of all reds, greens and blues.
        var sums: [Int]
    }

    static let expected = [
        Expected(
            map: .turbo,
            entries: [
                [48, 18, 59], [50, 21, 67], [40, 188, 235], [161, 253, 61], [164, 252, 60], [244, 102, 23],
                [122, 4, 3],
            ], sums: [35759, 38112, 26240]),
        Expected(
            map: .viridis,
            entries: [
                [68, 1, 84], [68, 2, 86], [59, 82, 139], [33, 144, 141], [33, 145, 140], [112, 207, 87],
                [253, 231, 37],
            ], sums: [21356, 35125, 28105]),
        Expected(
            map: .magma,
            entries: [
                [0, 0, 4], [1, 0, 5], [81, 18, 124], [181, 54, 122], [183, 55, 121], [253, 152, 105],
                [252, 253, 191],
            ], sums: [41031, 21146, 27942]),
        Expected(
            map: .inferno,
            entries: [
                [0, 0, 4], [1, 0, 5], [87, 16, 110], [186, 54, 85], [188, 55, 84], [251, 157, 7],
                [252, 255, 164],
            ], sums: [41293, 21570, 18007]),
        Expected(
            map: .gray,
            entries: [0, 1, 64, 127, 128, 200, 255].map { [$0, $0, $0] }, sums: [32640, 32640, 32640]),
    ]

    @Test("Color tables equal matplotlib's", arguments: expected)
    func tables(expected: Expected) {
        let colors = expected.map.colors
        #expect(colors.count == 256)
        let entries = [0, 1, 64, 127, 128, 200, 255].map { index in
            [colors[index].red, colors[index].green, colors[index].blue]
        }
        #expect(entries == expected.entries)
        let sums = [
            colors.reduce(0) { $0 + Int($1.red) }, colors.reduce(0) { $0 + Int($1.green) },
            colors.reduce(0) { $0 + Int($1.blue) },
        ]
        #expect(sums == expected.sums)
    }

    // matplotlib computes int(x * 256), and 1 becomes 255.
    @Test("Fractions map to their colors, and unknown samples to the given color")
    func coloring() {
        let map = NormalizedMap(width: 5, height: 1, shares: [0, 0.25, 0.5, 1, .nan])
        let unknown = RGB<UInt8>(red: 1, green: 2, blue: 3)
        let image = map.colored(by: .gray, unknown: unknown)
        guard case .uint8(let pixels) = image.pixels else {
            Issue.record("colors have 8 bits")
            return
        }
        #expect(pixels.map(\.red) == [0, 64, 128, 255, 1])
        #expect(pixels[4] == unknown)
    }
}
