import DepthMaps
import DepthTypes
import Testing

@testable import Effects

@Suite("Back layers")
struct BackLayerTests {
    private static let size = 80
    private static let wall = RGB<UInt8>(red: 30, green: 60, blue: 180)

    /// The distance of a sample from the middle.
    private func distance(_ index: Int) -> Float {
        let offset = SIMD2(Float(index % Self.size), Float(index / Self.size)) - 40
        return (offset * offset).sum().squareRoot()
    }

    /// A red disc at 1 m before a blue wall that leans from 1.7 m to 2.5 m.
    private func layer(isFlat: Bool = false) throws -> (layer: BackLayer, wall: [Float]) {
        let indices = 0..<Self.size * Self.size
        let wall = indices.map { 0.6 - 0.0025 * Float($0 % Self.size) }
        let disparity = indices.map { isFlat || distance($0) > 15 ? wall[$0] : 1 }
        let colors = indices.map {
            isFlat || distance($0) > 15 ? Self.wall : RGB<UInt8>(red: 200, green: 40, blue: 30)
        }
        let map = DisparityMap(
            width: Self.size, height: Self.size, reciprocalMeters: disparity, scale: .absolute)
        return (BackLayer(behind: colors, map), wall)
    }

    @Test("The wall goes on behind a disc, in its color and its plane, and a few samples beside it")
    func disc() throws {
        let (layer, wall) = try layer()
        for index in wall.indices {
            if distance(index) <= 15 {
                #expect(abs(layer.disparity[index] - wall[index]) < 0.02)
                #expect(
                    abs(Int(layer.colors[index].red) - 30) <= 2
                        && abs(Int(layer.colors[index].blue) - 180) <= 2)
            } else if distance(index) > 21 {
                #expect(layer.disparity[index].isNaN)
            } else if !layer.disparity[index].isNaN {
                // Farther than the wall there, so that the wall is seen.
                #expect(layer.disparity[index] < wall[index] && layer.disparity[index] > wall[index] * 0.9)
            }
        }
        #expect(!layer.isEmpty)
    }

    // A wide box between two walls, at 0.6 on its left and 0.3 on its right: a membrane between them is linear.
    @Test("Behind a wide object, walls of two distances meet without a step")
    func meeting() {
        let (width, height) = (240, 160)
        let disparity = (0..<width * height).map { index -> Float in
            let column = index % width
            return column < 80 ? 0.6 : column < 160 ? 2 : 0.3
        }
        let layer = BackLayer(
            behind: [],
            DisparityMap(width: width, height: height, reciprocalMeters: disparity, scale: .absolute))
        let row = layer.disparity[80 * width..<81 * width].map(\.self)
        for column in 84..<156 {
            #expect(abs(row[column] - (0.6 - 0.3 * Float(column - 76) / 87)) < 0.03, "\(column)")
            #expect(abs(row[column] - row[column - 1]) < 0.012, "\(column)")
        }
    }

    @Test("Samples that the front omits are covered, just behind it")
    func omitted() {
        let map = DisparityMap(
            width: 40, height: 40, reciprocalMeters: [Float](repeating: 0.5, count: 1600), scale: .absolute)
        let layer = BackLayer(behind: [], map, omitted: (0..<1600).map { $0 == 20 * 40 + 20 })
        #expect(layer.disparity[20 * 40 + 20] < 0.5 && layer.disparity[20 * 40 + 20] > 0.49)
        #expect(!layer.disparity[20 * 40 + 22].isNaN && layer.disparity[0].isNaN)
    }

    @Test("A wall alone hides nothing")
    func flat() throws {
        #expect(try layer(isFlat: true).layer.isEmpty)
    }
}
