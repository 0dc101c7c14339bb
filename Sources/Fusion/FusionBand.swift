internal import DepthCore
internal import DepthModel
internal import PointClouds
internal import Sequences

/// A frame on its way into voxels.
struct FusionWork: Sendable {
    let frame: SequenceFrame
    /// Lenses are taken as pinholes.
    let rays: CameraRays
    let pose: VoxelPose
    let options: FusionOptions
    /// The greatest distance of a sample that has a voxel, in meters.
    let reach: Float
    /// Whether the frame says how sure each of its samples is.
    let hasConfidence: Bool
    /// Where in a row of the picture, in bytes, the pixel of each column of the depth is; empty without a picture.
    let colorPlaces: [Int32]

    init(frame: SequenceFrame, rays: CameraRays, pose: VoxelPose, options: FusionOptions) {
        (self.frame, self.rays, self.pose, self.options) = (frame, rays, pose, options)
        // The camera is within half of what voxels reach, and so may be what it sees.
        let sides = [rays.columns.first, rays.columns.last, rays.rows.first, rays.rows.last]
        let widest = sides.reduce(0) { max($0, abs($1 ?? 0)) }
        reach = Float(VoxelKey.reach / 2 - 2) * options.voxelSize / (1 + 2 * widest * widest).squareRoot()
        hasConfidence = frame.confidence.size == frame.depth.size && !frame.confidence.isEmpty
        let (width, colorWidth) = (frame.depth.width, frame.color.width)
        let isThere = !frame.color.isEmpty
        colorPlaces =
            isThere
            ? (0..<width).map { Int32(3 * min((2 * $0 + 1) * colorWidth / (2 * width), colorWidth - 1)) } : []
    }
}

/// What a band of a frame's rows sees. Its memory is used again from frame to frame.
struct FusionBand: Sendable {
    private var table = SamplesTable()
    private var placed = PlacedRow()
    private var runs = SampleRuns()
    private var selected: [UInt8] = []
    private var shares: [Float] = []
    private var above: [Float] = []
    private var row: [Float] = []
    private var below: [Float] = []

    /// How much a sample weighs at each level of confidence.
    private static let confidenceWeights: [Float] = [0.1, 0.5, 1]

    /// What samples near each other add to voxels.
    var samples: SamplesTable { table }

    /// Puts the samples of some rows into voxels, those that are near each other in one voxel together.
    mutating func collect(_ rows: Range<Int>, of work: FusionWork) {
        table.removeAll()
        shares.removeAll(keepingCapacity: true)
        shares += repeatElement(1, count: work.frame.depth.width)
        let options = work.options
        let flying = FlyingPixels(focalLength: work.rays.focalLength)
        let first = (rows.lowerBound + options.stride - 1) / options.stride * options.stride
        for row in stride(from: first, to: rows.upperBound, by: options.stride) {
            load(row, isNext: options.stride == 1 && row > first, work)
            select(row, flying, work)
            place(row, work)
            runs.add(placed, row: row, of: work)
            table.add(runs)
        }
    }

    /// Loads a row and those around it. Of the row after the last one, two are here already.
    private mutating func load(_ index: Int, isNext: Bool, _ work: FusionWork) {
        let depth = work.frame.depth
        guard !work.options.keepsEdges else { return Self.load(depth, index, &row) }
        if isNext {
            swap(&above, &row)
            swap(&row, &below)
        } else {
            Self.load(depth, index - 1, &above)
            Self.load(depth, index, &row)
        }
        Self.load(depth, index + 1, &below)
    }

    /// Marks the samples of a row that count.
    private mutating func select(_ index: Int, _ flying: FlyingPixels, _ work: FusionWork) {
        let depth = work.frame.depth
        let options = work.options
        if selected.count != depth.width { selected = [UInt8](repeating: 0, count: depth.width) }
        Self.select(row, options.near, min(options.far, work.reach), &selected)
        if !options.keepsEdges { flying.remove(from: &selected, row: row, above: above, below: below) }
        if options.stride > 1 {
            for column in 0..<depth.width where column % options.stride != 0 { selected[column] = 0 }
        }
        guard options.minimumConfidence > 0, work.hasConfidence else { return }
        let confidence = work.frame.confidence
        let start = index * depth.width
        for column in 0..<depth.width
        where Int(confidence.samples[start + column]) < options.minimumConfidence {
            selected[column] = 0
        }
    }

    /// Marks distances of a row with one sample more at both ends that are in a range and positive.
    private static func select(_ row: [Float], _ near: Float, _ far: Float, _ selected: inout [UInt8]) {
        precondition(row.count == selected.count + 2)
        // SAFETY: the row has the samples, as was checked. Pointers, because the loop is one that compilers turn into vectors.
        unsafe row.withUnsafeBufferPointer { row in
            unsafe selected.withUnsafeMutableBufferPointer { selected in
                for column in 0..<selected.count {
                    let z = unsafe row[column + 1]
                    unsafe selected[column] = (z > 0 ? 1 : 0) & (z >= near ? 1 : 0) & (z <= far ? 1 : 0)
                }
            }
        }
    }

    /// A row with one sample that is not a number at both ends; rows beyond the map are that throughout.
    private static func load(_ depth: FramePlane<Float>, _ index: Int, _ row: inout [Float]) {
        row.removeAll(keepingCapacity: true)
        row.append(.nan)
        if (0..<depth.height).contains(index) {
            row += depth.samples[index * depth.width..<(index + 1) * depth.width]
        } else {
            row += repeatElement(Float.nan, count: depth.width)
        }
        row.append(.nan)
    }

    private mutating func place(_ index: Int, _ work: FusionWork) {
        let (pose, confidence) = (work.pose, work.frame.confidence)
        let inverse = 1 / work.options.voxelSize
        if work.hasConfidence {
            let start = index * confidence.width
            for column in shares.indices {
                shares[column] = Self.confidenceWeights[Int(min(confidence.samples[start + column], 2))]
            }
        }
        placed.place(
            row, selected: selected, along: work.rays.columns, shares: shares, right: pose.right * inverse,
            start: (pose.down * work.rays.rows[index] + pose.forward) * inverse, rest: pose.rest,
            base: VoxelKey(x: pose.base.x, y: pose.base.y, z: pose.base.z))
    }
}
