/// The voxels of a row of depth samples, for all columns at once. Its memory is reused from row to row.
struct PlacedRow: Sendable {
    /// The voxel of each column, ``VoxelKey/none`` for samples that are not selected, with one more after the last column.
    private(set) var keys: [UInt64] = []
    /// For each column four numbers: the offsets from the voxel's center, in voxels, times the weight, and the weight.
    private(set) var values: [Float] = []
    /// The number of columns.
    var width: Int { wholeX.count }
    /// Positions along each axis in whole voxels, plus the bits of ``magic``.
    private var wholeX: [UInt32] = []
    private var wholeY: [UInt32] = []
    private var wholeZ: [UInt32] = []

    /// A sample's weight is 1/z², constant below 10 cm.
    private static let leastSquare: Float = 0.01
    /// 1.5 · 2²³: adding it leaves the rounded integer in the low bits of the sum.
    private static let magic: Float = 0x1.8p23

    /// Assigns a row of distances to voxels; the row has one sample of padding at both ends.
    ///
    /// `rays` are X / Z of the columns. A sample is at `(right · ray + start) · z + rest`, in voxels from the voxel `base`.
    /// Selected samples (1, not 0) must be within 2²⁰ voxels of it. `shares` multiply the weights.
    mutating func place(
        _ row: [Float], selected: [UInt8], along rays: [Float], shares: [Float], right: SIMD3<Float>,
        start: SIMD3<Float>, rest: SIMD3<Float>, base: VoxelKey
    ) {
        let width = rays.count
        precondition(row.count == width + 2 && selected.count == width && shares.count == width)
        if wholeX.count != width {
            keys = [UInt64](repeating: VoxelKey.none.packed, count: width + 1)
            values = [Float](repeating: 0, count: 4 * width)
            wholeX = [UInt32](repeating: 0, count: width)
            wholeY = wholeX
            wholeZ = wholeX
        }
        // The bits of the magic number are still in the sums that keys are made from.
        let origin = base.packed &- VoxelKey.step &* UInt64(Self.magic.bitPattern)
        // SAFETY: all arrays have at least as many elements as columns, as checked and allocated above.
        unsafe Self.place(width, row, rays, shares, right, start, rest, &values, &wholeX, &wholeY, &wholeZ)
        unsafe Self.pack(width, wholeX, wholeY, wholeZ, origin, &keys)
        leaveOut(selected)
    }

    /// Finds the voxels of samples and their offsets.
    ///
    /// Compilers vectorize this loop better than `SIMD4`, unless the function is inlined.
    // SAFETY: the caller's arrays have an element for each column that is read or written: four values, and one more row
    // sample.
    @inline(never)
    private static func place(
        _ width: Int, _ row: UnsafePointer<Float>, _ rays: UnsafePointer<Float>,
        _ shares: UnsafePointer<Float>, _ right: SIMD3<Float>, _ start: SIMD3<Float>, _ rest: SIMD3<Float>,
        _ values: UnsafeMutablePointer<Float>, _ wholeX: UnsafeMutablePointer<UInt32>,
        _ wholeY: UnsafeMutablePointer<UInt32>, _ wholeZ: UnsafeMutablePointer<UInt32>
    ) {
        for column in 0..<width {
            let z = unsafe row[column &+ 1]
            let ray = unsafe rays[column]
            let square = z * z
            let weight = unsafe 1 / (square < leastSquare ? leastSquare : square) * shares[column]
            let place = (
                x: (ray * right.x + start.x) * z + rest.x, y: (ray * right.y + start.y) * z + rest.y,
                z: (ray * right.z + start.z) * z + rest.z
            )
            let sum = (x: place.x + magic, y: place.y + magic, z: place.z + magic)
            unsafe values[4 &* column] = (place.x - (sum.x - magic)) * weight
            unsafe values[4 &* column &+ 1] = (place.y - (sum.y - magic)) * weight
            unsafe values[4 &* column &+ 2] = (place.z - (sum.z - magic)) * weight
            unsafe values[4 &* column &+ 3] = weight
            unsafe wholeX[column] = sum.x.bitPattern
            unsafe wholeY[column] = sum.y.bitPattern
            unsafe wholeZ[column] = sum.z.bitPattern
        }
    }

    /// Makes keys from positions. A separate loop, because its numbers are twice as wide.
    // SAFETY: as above.
    private static func pack(
        _ width: Int, _ x: UnsafePointer<UInt32>, _ y: UnsafePointer<UInt32>, _ z: UnsafePointer<UInt32>,
        _ origin: UInt64, _ keys: UnsafeMutablePointer<UInt64>
    ) {
        for column in 0..<width {
            unsafe keys[column] =
                UInt64(x[column]) &+ UInt64(y[column]) &<< 21 &+ UInt64(z[column]) &<< 42 &+ origin
        }
    }

    /// Assigns samples that are not selected to no voxel.
    private mutating func leaveOut(_ selected: [UInt8]) {
        let all: UInt64 = 0x0101_0101_0101_0101
        // SAFETY: eight bytes are read only if eight remain.
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
