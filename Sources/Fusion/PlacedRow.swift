/// The samples of a row of depth in voxels, for all columns at once. Its memory is used again from row to row.
///
/// Eight columns at a time, which takes a third of the time of one by one.
struct PlacedRow: Sendable {
    /// The voxels relative to the camera's: x of each column, y from ``stride`` on, z from twice that on.
    private(set) var places: [Int32] = []
    /// The offsets from the voxels' centers, in voxels, times the weight, in the same order, and then the weights.
    private(set) var values: [Float] = []
    /// Columns, rounded up to a multiple of eight.
    private(set) var stride = 0

    /// A sample weighs 1/z², and as much below 10 cm as there.
    private static let leastSquare: Float = 0.01
    /// 1.5 · 2²³: adding it leaves a number rounded to a whole one in the low bits of the sum.
    private static let magic: Float = 0x1.8p23

    /// Places a row of distances, which has one sample more at both ends than there are columns.
    ///
    /// `rays` are X / Z of the columns. A sample is at `(right · ray + start) · z + rest`, in voxels. What is placed for distances
    /// that are not numbers, or lead farther than 2²⁰ voxels, means nothing.
    mutating func place(
        _ row: [Float], along rays: [Float], right: SIMD3<Float>, start: SIMD3<Float>, rest: SIMD3<Float>
    ) {
        let width = rays.count
        precondition(row.count == width + 2)
        let rounded = (width + 7) / 8 * 8
        if stride != rounded {
            stride = rounded
            places = [Int32](repeating: 0, count: 3 * rounded)
            values = [Float](repeating: 0, count: 4 * rounded)
        }
        // SAFETY: eight samples are loaded where there are as many, and stored where there is room for them: rows of both arrays
        // are multiples of eight long.
        unsafe row.withUnsafeBytes { row in
            unsafe rays.withUnsafeBytes { rays in
                unsafe places.withUnsafeMutableBytes { places in
                    unsafe values.withUnsafeMutableBytes { values in
                        for column in Swift.stride(from: 0, to: width, by: 8) {
                            let left = width - column
                            let z = unsafe Self.load(row, column + 1, min(left, 8))
                            let ray = unsafe Self.load(rays, column, min(left, 8))
                            var square = z * z
                            square.replace(with: Self.leastSquare, where: square .< Self.leastSquare)
                            let weight = 1 / square
                            for axis in 0..<3 {
                                let place = (ray * right[axis] + start[axis]) * z + rest[axis]
                                let sum = place + Self.magic
                                let bits = unsafe unsafeBitCast(sum, to: SIMD8<Int32>.self)
                                let whole = bits &- Int32(bitPattern: Self.magic.bitPattern)
                                let offset = (place - (sum - Self.magic)) * weight
                                let target = (axis * rounded + column) * 4
                                unsafe places.storeBytes(
                                    of: whole, toByteOffset: target, as: SIMD8<Int32>.self)
                                unsafe values.storeBytes(
                                    of: offset, toByteOffset: target, as: SIMD8<Float>.self)
                            }
                            unsafe values.storeBytes(
                                of: weight, toByteOffset: (3 * rounded + column) * 4, as: SIMD8<Float>.self)
                        }
                    }
                }
            }
        }
    }

    /// Eight numbers from a place on; those beyond `count` of them are 1.
    @inline(__always)
    private static func load(_ bytes: UnsafeRawBufferPointer, _ place: Int, _ count: Int) -> SIMD8<Float> {
        if count == 8 { return unsafe bytes.loadUnaligned(fromByteOffset: place * 4, as: SIMD8<Float>.self) }
        var numbers = SIMD8<Float>(repeating: 1)
        for lane in 0..<count {
            numbers[lane] = unsafe bytes.loadUnaligned(fromByteOffset: (place + lane) * 4, as: Float.self)
        }
        return numbers
    }
}
