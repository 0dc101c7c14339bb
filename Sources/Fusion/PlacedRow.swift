/// The samples of a row of depth in voxels, for all columns at once. Its memory is used again from row to row.
struct PlacedRow: Sendable {
    /// The voxel of each column, ``VoxelKey/none`` for samples that are not selected, and once more behind the last column.
    private(set) var keys: [UInt64] = []
    /// For each column the offsets from the voxel's center, in voxels, times the weight, and the weight.
    private(set) var values: [SIMD4<Float>] = []
    private var weights: [Float] = []

    /// A sample weighs 1/z², and as much below 10 cm as there.
    private static let leastSquare: Float = 0.01
    /// 1.5 · 2²³: adding it leaves a number rounded to a whole one in the low bits of the sum.
    private static let magic: Float = 0x1.8p23

    /// Four columns are placed at once.
    static let leastColumns = 4

    /// Places a row of distances, which has one sample more at both ends than there are columns: ``leastColumns`` or more.
    ///
    /// `rays` are X / Z of the columns. A sample is at `(right · ray + start) · z + rest`, in voxels from the voxel `base`. Samples
    /// that are selected, with 1 and not 0, must lie within 2²⁰ voxels of it. `shares` multiply the weights; there may be none.
    mutating func place(
        _ row: [Float], selected: [UInt8], along rays: [Float], shares: [Float], right: SIMD3<Float>,
        start: SIMD3<Float>, rest: SIMD3<Float>, base: VoxelKey
    ) {
        let width = rays.count
        precondition(width >= Self.leastColumns && row.count == width + 2 && selected.count == width)
        precondition(shares.isEmpty || shares.count == width)
        if weights.count != width {
            weights = [Float](repeating: 0, count: width)
            keys = [UInt64](repeating: VoxelKey.none.packed, count: width + 1)
            values = [SIMD4<Float>](repeating: .zero, count: width)
        }
        weigh(row, shares)
        // The bits of the magic number stay in the sums that places are taken from.
        let origin = base.packed &- VoxelKey.step &* UInt64(Self.magic.bitPattern)
        // SAFETY: four samples are loaded and stored where there are four columns, and all arrays have as many elements as columns, or
        // more, as was checked.
        unsafe row.withUnsafeBytes { row in
            unsafe rays.withUnsafeBytes { rays in
                unsafe weights.withUnsafeBytes { weights in
                    unsafe keys.withUnsafeMutableBytes { keys in
                        unsafe values.withUnsafeMutableBytes { values in
                            func place(_ column: Int) {
                                let z = unsafe row.loadUnaligned(
                                    fromByteOffset: column * 4 + 4, as: SIMD4<Float>.self)
                                let ray = unsafe rays.loadUnaligned(
                                    fromByteOffset: column * 4, as: SIMD4<Float>.self)
                                let weight = unsafe weights.loadUnaligned(
                                    fromByteOffset: column * 4, as: SIMD4<Float>.self)
                                let x = Placed((ray * right.x + start.x) * z + rest.x, weight)
                                let y = Placed((ray * right.y + start.y) * z + rest.y, weight)
                                let w = Placed((ray * right.z + start.z) * z + rest.z, weight)
                                for lane in 0..<4 {
                                    let value = SIMD4(
                                        x.offsets[lane], y.offsets[lane], w.offsets[lane], weight[lane])
                                    unsafe values.storeBytes(
                                        of: value, toByteOffset: (column + lane) * 16, as: SIMD4<Float>.self)
                                }
                                let low = x.low &+ y.low &<< 21 &+ w.low &<< 42 &+ origin
                                let high = x.high &+ y.high &<< 21 &+ w.high &<< 42 &+ origin
                                unsafe keys.storeBytes(
                                    of: low, toByteOffset: column * 8, as: SIMD2<UInt64>.self)
                                unsafe keys.storeBytes(
                                    of: high, toByteOffset: column * 8 + 16, as: SIMD2<UInt64>.self)
                            }
                            for column in stride(from: 0, to: width - 3, by: 4) { place(column) }
                            // The last ones once more where columns are no multiple of four.
                            if width % 4 > 0 { place(width - 4) }
                        }
                    }
                }
            }
        }
        leaveOut(selected)
    }

    /// Places of four samples along an axis.
    private struct Placed {
        /// The whole numbers nearest to the places of the first two, plus the bits of the magic number.
        let low: SIMD2<UInt64>
        /// Those of the other two.
        let high: SIMD2<UInt64>
        /// What is left of the places, times the weight.
        let offsets: SIMD4<Float>

        @inline(__always)
        init(_ place: SIMD4<Float>, _ weight: SIMD4<Float>) {
            let sum = place + PlacedRow.magic
            let bits = unsafe unsafeBitCast(sum, to: SIMD4<UInt32>.self)
            low = SIMD2(UInt64(bits.x), UInt64(bits.y))
            high = SIMD2(UInt64(bits.z), UInt64(bits.w))
            offsets = (place - (sum - PlacedRow.magic)) * weight
        }
    }

    /// The weights of a row's samples.
    private mutating func weigh(_ row: [Float], _ shares: [Float]) {
        let least = Self.leastSquare
        // SAFETY: the row has two samples more than there are weights, and there are as many shares, or none.
        unsafe row.withUnsafeBufferPointer { row in
            unsafe weights.withUnsafeMutableBufferPointer { weights in
                for column in 0..<weights.count {
                    let z = unsafe row[column + 1]
                    let square = z * z
                    unsafe weights[column] = 1 / (square < least ? least : square)
                }
            }
        }
        for column in shares.indices { weights[column] *= shares[column] }
    }

    /// Samples that are not selected are in no voxel.
    private mutating func leaveOut(_ selected: [UInt8]) {
        let all: UInt64 = 0x0101_0101_0101_0101
        // SAFETY: eight bytes are read where there are eight.
        unsafe selected.withUnsafeBytes { selected in
            for start in stride(from: 0, to: selected.count, by: 8) {
                if start + 8 <= selected.count,
                    unsafe selected.loadUnaligned(fromByteOffset: start, as: UInt64.self) == all
                {
                    continue
                }
                for column in start..<min(start + 8, selected.count) where unsafe selected[column] == 0 {
                    keys[column] = VoxelKey.none.packed
                }
            }
        }
    }
}
