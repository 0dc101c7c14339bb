/// Updates the voxels of a block from the surfels of a frame, in loops over all 64. Its memory is reused from block to block.
struct BlockScratch: Sendable {
    /// The position of each voxel relative to the block's first one, in the camera's axes, in meters.
    private var offsetsX: [Float]
    private var offsetsY: [Float]
    private var offsetsZ: [Float]
    /// The index of each voxel's surfel, and the position in it, −½…½.
    private var places: [Int32]
    private var alongColumn: [Float]
    private var alongRow: [Float]
    /// The distance of each voxel along the axis, in meters.
    private var axial: [Float]
    /// 1/z of the surface where the voxel is seen, and the bits of ``SurfelWeight``.
    private var inverses: [Float]
    private var bits: [UInt32]
    /// The fraction of this frame in the means of each voxel: 0 for voxels that are not near the surface.
    private var fractions: [Float]
    /// Whether each of these takes the color of its surfel.
    private var isColored: [Float]

    private static let size = VoxelShard.blockSize
    /// Nearer voxels are not updated, in meters.
    private static let nearest: Float = 0.05
    /// Colors are those of voxels within this distance of the surface, in voxels: farther ones are not next to it.
    private static let colorBand: Float = 1.75

    init(_ frame: FusionFrame) {
        let size = frame.voxelSize
        func offsets(_ x: Float, _ y: Float, _ z: Float) -> [Float] {
            (0..<Self.size).map { index in
                (Float(index & 3) * x + Float(index >> 2 & 3) * y + Float(index >> 4) * z) * size
            }
        }
        let pose = frame.pose
        offsetsX = offsets(pose.right.x, pose.right.y, pose.right.z)
        offsetsY = offsets(pose.down.x, pose.down.y, pose.down.z)
        offsetsZ = offsets(pose.forward.x, pose.forward.y, pose.forward.z)
        let zeros = [Float](repeating: 0, count: Self.size)
        places = [Int32](repeating: 0, count: Self.size)
        (alongColumn, alongRow, axial, inverses, fractions, isColored) = (
            zeros, zeros, zeros, zeros, zeros, zeros
        )
        bits = [UInt32](repeating: 0, count: Self.size)
    }

    /// Whether the camera may see a block that none of its rays near the surface go through: the block is inside of the view and
    /// not behind the surface at its center.
    func sees(_ key: VoxelKey, _ frame: FusionFrame) -> Bool {
        let half = Self.size - 1
        let start = frame.pose.camera(key)
        let center = SIMD3(offsetsX[half], offsetsY[half], offsetsZ[half]) * 0.5 + start
        guard center.z > Self.nearest else { return false }
        let surfels = frame.surfels
        let column = center.x / center.z * surfels.focal.x + surfels.center.x
        let row = center.y / center.z * surfels.focal.y + surfels.center.y
        guard column > -0.5, row > -0.5, column < Float(surfels.width) - 0.5,
            row < Float(surfels.height) - 0.5
        else { return false }
        let inverse = surfels.planes[(Int(row + 1.5)) * surfels.pitch + Int(column + 1.5)].x
        return inverse > 0 && center.z * inverse < 1
    }

    /// Finds the surfel of each voxel. Returns `false` if all are behind the camera.
    mutating func project(_ key: VoxelKey, _ frame: FusionFrame) -> Bool {
        let start = frame.pose.camera(key)
        guard max(start.z, start.z + offsetsZ[Self.size - 1]) > -8 * frame.voxelSize else { return false }
        let surfels = frame.surfels
        // SAFETY: each array has 64 elements, and every place is inside the grid with its border.
        unsafe Self.project(
            offsetsX, offsetsY, offsetsZ, start, surfels.focal, surfels.center,
            last: SIMD2(Float(surfels.width), Float(surfels.height)), pitch: Int32(surfels.pitch), &places,
            &alongColumn, &alongRow, &axial)
        unsafe surfels.planes.withUnsafeBufferPointer { planes in
            unsafe Self.look(
                up: places, in: planes.baseAddress.unsafelyUnwrapped, alongColumn, alongRow, &inverses, &bits)
        }
        return true
    }

    // SAFETY: the planes have an element at each place, and all other pointers have 64.
    @inline(never)
    private static func look(
        up places: UnsafePointer<Int32>, in planes: UnsafePointer<SIMD4<Float>>,
        _ alongColumn: UnsafePointer<Float>, _ alongRow: UnsafePointer<Float>,
        _ inverses: UnsafeMutablePointer<Float>, _ bits: UnsafeMutablePointer<UInt32>
    ) {
        for index in 0..<size {
            let plane = unsafe planes[Int(places[index])]
            unsafe inverses[index] = plane.x + plane.y * alongColumn[index] + plane.z * alongRow[index]
            unsafe bits[index] = plane.w.bitPattern
        }
    }

    // SAFETY: all pointers have 64 elements.
    @inline(never)
    private static func project(
        _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ z: UnsafePointer<Float>,
        _ start: SIMD3<Float>,
        _ focal: SIMD2<Float>, _ center: SIMD2<Float>, last: SIMD2<Float>, pitch: Int32,
        _ places: UnsafeMutablePointer<Int32>, _ alongColumn: UnsafeMutablePointer<Float>,
        _ alongRow: UnsafeMutablePointer<Float>, _ axial: UnsafeMutablePointer<Float>
    ) {
        // 1.5 · 2²³: adding it leaves the rounded integer in the low bits of the sum.
        let magic: Float = 0x1.8p23
        let low = Int32(bitPattern: magic.bitPattern)
        for index in 0..<size {
            let depth = unsafe z[index] + start.z
            unsafe axial[index] = depth
            let inverse = 1 / max(depth, nearest)
            // Voxels outside of the picture, or too near, are at its border, where nothing is known.
            let seenX = unsafe depth > nearest ? (x[index] + start.x) * inverse * focal.x + center.x : -1
            let seenY = unsafe (y[index] + start.y) * inverse * focal.y + center.y
            // In this order, a place that is not a number is at the border, too.
            let column = min(last.x, max(-1, seenX))
            let row = min(last.y, max(-1, seenY))
            let wholeColumn = column + magic
            let wholeRow = row + magic
            unsafe alongColumn[index] = column - (wholeColumn - magic)
            unsafe alongRow[index] = row - (wholeRow - magic)
            let columnIndex = Int32(bitPattern: wholeColumn.bitPattern) &- low
            let rowIndex = Int32(bitPattern: wholeRow.bitPattern) &- low
            unsafe places[index] = (rowIndex &+ 1) &* pitch &+ columnIndex &+ 1
        }
    }

    /// Adds the distances of the projected voxels from the surface to their means.
    ///
    /// Voxels more than the band behind the surface are hidden. Those more than the band in front of it are free: they change
    /// only if a surface was seen near them, with `freeWeight` times the weight.
    ///
    /// - Returns: how many voxels were behind a surface until this frame saw through them.
    mutating func measure(
        _ frame: FusionFrame, freeWeight: Float, _ distances: inout [Int16], _ weights: inout [UInt16],
        at start: Int
    ) -> Int {
        precondition(start >= 0 && start + Self.size <= min(distances.count, weights.count))
        return unsafe distances.withUnsafeMutableBufferPointer { distances in
            unsafe weights.withUnsafeMutableBufferPointer { weights in
                // SAFETY: all have 64 elements, as checked above.
                unsafe Self.measure(
                    inverses, bits, axial, noise: 3 * frame.surfels.noise, least: frame.leastBand,
                    most: frame.mostBand, unit: VoxelShard.unit * frame.voxelSize,
                    colorBand: Self.colorBand * frame.voxelSize, freeWeight: freeWeight,
                    distances.baseAddress.unsafelyUnwrapped + start,
                    weights.baseAddress.unsafelyUnwrapped + start, &fractions,
                    &isColored)
            }
        }
    }

    // SAFETY: all pointers have 64 elements.
    @inline(never)
    private static func measure(
        _ inverses: UnsafePointer<Float>, _ bits: UnsafePointer<UInt32>, _ axial: UnsafePointer<Float>,
        noise: Float, least: Float, most: Float, unit: Float, colorBand: Float, freeWeight: Float,
        _ distances: UnsafeMutablePointer<Int16>, _ weights: UnsafeMutablePointer<UInt16>,
        _ fractions: UnsafeMutablePointer<Float>, _ isColored: UnsafeMutablePointer<Float>
    ) -> Int {
        let magic: Float = 0x1.8p23
        let inverseUnit = 1 / unit
        var freed: Int32 = 0
        for index in 0..<size {
            let (inverse, depth) = unsafe (inverses[index], axial[index])
            let packed = unsafe bits[index]
            let distance = (1 / inverse - depth) * SurfelWeight.factor(packed)
            let band = max(least, min(noise * depth * depth, most))
            let isNear = distance < band
            let sum = unsafe Float(bitPattern: UInt32(weights[index]) &<< 16)
            let former = unsafe Float(distances[index])
            let isUpdated = (inverse > 0) && (distance >= -band) && (isNear || (sum > 0))
            let own = SurfelWeight.weight(packed) * (isNear ? 1 : freeWeight)
            let weight = isUpdated ? own : 0
            let total = sum + weight
            let fraction = total > 0 ? weight / total : 0
            let limited = min(distance, band) * inverseUnit
            let mean = isUpdated ? former + (limited - former) * fraction : former
            unsafe distances[index] = Int16(truncatingIfNeeded: Int32(bitPattern: (mean + magic).bitPattern))
            unsafe weights[index] = UInt16(truncatingIfNeeded: (total.bitPattern &+ 0x8000) &>> 16)
            unsafe fractions[index] = isNear ? fraction : 0
            unsafe isColored[index] = abs(distance) < colorBand ? 1 : 0
            freed &+= (former < 0) && (mean >= 0) && !isNear ? 1 : 0
        }
        return Int(freed)
    }

    /// Counts the frame for the voxels near the surface, and adds its colors to the means of those next to it.
    func mixColors(_ frame: FusionFrame, _ colors: inout [SIMD4<UInt16>], at start: Int) {
        precondition(start >= 0 && start + Self.size <= colors.count)
        let picture = frame.surfels.colors
        // SAFETY: 64 colors follow the start, as checked above, and the picture has a color at each place.
        unsafe colors.withUnsafeMutableBufferPointer { colors in
            unsafe picture.withUnsafeBufferPointer { picture in
                unsafe Self.mix(
                    fractions, isColored, places, picture.isEmpty ? nil : picture.baseAddress,
                    colors.baseAddress.unsafelyUnwrapped + start)
            }
        }
    }

    // SAFETY: the picture has an element at each place, and all other pointers have 64.
    @inline(never)
    private static func mix(
        _ fractions: UnsafePointer<Float>, _ isColored: UnsafePointer<Float>, _ places: UnsafePointer<Int32>,
        _ picture: UnsafePointer<SIMD4<UInt16>>?, _ colors: UnsafeMutablePointer<SIMD4<UInt16>>
    ) {
        // 2²³: adding it leaves the rounded integer in the low bits of the sum.
        let magic = SIMD4<Float>(repeating: 0x1p23)
        for index in 0..<size {
            let fraction = unsafe fractions[index]
            guard fraction > 0 else { continue }
            let stored = unsafe colors[index]
            let frames = stored.w == .max ? stored.w : stored.w &+ 1
            guard let picture = unsafe picture, unsafe isColored[index] > 0,
                unsafe picture[Int(places[index])].x > 0
            else {
                unsafe colors[index].w = frames
                continue
            }
            let former = SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: stored))
            let color = unsafe SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: picture[Int(places[index])]))
            // The first color replaces none.
            let share = stored.x > 0 ? fraction : 1
            let mean = former + (color - former) * SIMD4(repeating: share) + magic
            var mixed = SIMD4<UInt16>(truncatingIfNeeded: unsafe unsafeBitCast(mean, to: SIMD4<UInt32>.self))
            mixed.w = frames
            unsafe colors[index] = mixed
        }
    }

    /// Adds the frame's confidences to the means of the voxels near the surface.
    func mixConfidences(_ frame: FusionFrame, _ confidences: inout [UInt16], at start: Int) {
        let levels = frame.surfels.confidences
        for index in 0..<Self.size where fractions[index] > 0 {
            // A frame without confidence is trusted.
            let level = levels.isEmpty ? 2 : levels[Int(places[index])]
            let former = Float(confidences[start + index])
            confidences[start + index] = UInt16(
                former + (Float(level) * 32767 - former) * fractions[index] + 0.5)
        }
    }
}
