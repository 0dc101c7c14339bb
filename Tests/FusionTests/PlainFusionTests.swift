import Testing

@testable import Fusion

/// Compares the kernel that assigns samples to voxels with a plain version that processes a sample at a time.
@Suite("A kernel of fusion and a plain version of it")
struct PlainFusionTests {
    /// Numbers from 0 to 1, the same in each run.
    private struct Numbers {
        private var state: UInt32 = 7

        mutating func next() -> Float {
            state = state &* 1_664_525 &+ 1_013_904_223
            return Float(state >> 8) / Float(1 << 24)
        }
    }

    @Test("Samples are placed in the nearest voxel and weighed", arguments: [1, 3, 4, 17, 64])
    func placing(width: Int) {
        var numbers = Numbers()
        let distances = (0..<width + 2).map { _ in 0.05 + 3 * numbers.next() }
        let rays = (0..<width).map { _ in numbers.next() - 0.5 }
        let shares = (0..<width).map { _ in numbers.next() }
        let selected = (0..<width).map { UInt8($0 % 5 == 2 ? 0 : 1) }
        let (right, start) = (SIMD3<Float>(40, 3, -7), SIMD3<Float>(2, 9, 45))
        let rest = SIMD3<Float>(0.25, -0.4, 0.1)
        var placed = PlacedRow()
        placed.place(
            distances, selected: selected, along: rays, shares: shares, right: right, start: start,
            rest: rest,
            base: VoxelKey(x: -300, y: 40, z: 7))
        #expect(placed.keys.count == width + 1 && placed.keys[width] == VoxelKey.none.packed)
        for column in 0..<width {
            let z = distances[column + 1]
            let weight = 1 / max(z * z, 0.01) * shares[column]
            let point = (right * rays[column] + start) * z + rest
            let whole = point.rounded(.toNearestOrEven)
            let key = VoxelKey(x: Int(whole.x) - 300, y: Int(whole.y) + 40, z: Int(whole.z) + 7)
            #expect(placed.keys[column] == (selected[column] == 1 ? key : VoxelKey.none).packed)
            let offset = (point - whole) * weight
            #expect(
                placed.values[4 * column..<4 * column + 4] == [offset.x, offset.y, offset.z, weight])
        }
    }
}
