internal import DepthCore
internal import DepthModel
internal import PointClouds
internal import Sequences

/// A frame during fusion.
struct FusionWork: Sendable {
    let frame: SequenceFrame
    /// Lenses are treated as pinholes.
    let rays: CameraRays
    let pose: VoxelPose
    let options: FusionOptions
    /// The largest distance of a sample that has a voxel, in meters.
    let reach: Float
    /// Whether the frame has confidences.
    let hasConfidence: Bool
    /// The byte offset of the pixel of each column of the depth in a row of the picture; empty without a picture.
    let colorPlaces: [Int32]

    init(frame: SequenceFrame, rays: CameraRays, pose: VoxelPose, options: FusionOptions) {
        (self.frame, self.rays, self.pose, self.options) = (frame, rays, pose, options)
        // The camera and the visible points are each limited to half of the voxels' range.
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

/// The samples of a band of a frame's rows. Its memory is reused from frame to frame.
struct FusionBand: Sendable {
    private var table = SamplesTable()
    private var placed = PlacedRow()
    private var runs = SampleRuns()
    private var selection = RowSelection()
    private var shares: [Float] = []

    /// The weight of a sample at each level of confidence.
    private static let confidenceWeights: [Float] = [0.1, 0.5, 1]

    /// The contributions of samples to voxels.
    var samples: SamplesTable { table }

    /// Assigns the samples of some rows to voxels, combining neighbors in the same voxel.
    mutating func collect(_ rows: Range<Int>, of work: FusionWork) {
        table.removeAll()
        let (depth, options) = (work.frame.depth, work.options)
        shares.removeAll(keepingCapacity: true)
        shares += repeatElement(1, count: depth.width)
        let rule = SelectionRule(
            near: options.near, far: min(options.far, work.reach), stride: options.stride,
            keepsEdges: options.keepsEdges, focalLength: work.rays.focalLength)
        selection.begin(width: depth.width, height: depth.height)
        let first = (rows.lowerBound + options.stride - 1) / options.stride * options.stride
        for row in stride(from: first, to: rows.upperBound, by: options.stride) {
            selection.move(to: row, of: depth.samples, by: rule)
            leaveOutUnsure(row, work)
            place(row, work)
            runs.add(placed, row: row, of: work)
            table.add(runs)
        }
    }

    /// Excludes the samples of a row that are not confident enough.
    private mutating func leaveOutUnsure(_ index: Int, _ work: FusionWork) {
        let (confidence, least) = (work.frame.confidence, work.options.minimumConfidence)
        guard least > 0, work.hasConfidence else { return }
        let start = index * confidence.width
        for column in 0..<confidence.width where Int(confidence.samples[start + column]) < least {
            selection.selected[column] = 0
        }
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
            selection.distances, selected: selection.selected, along: work.rays.columns, shares: shares,
            right: pose.right * inverse,
            start: (pose.down * work.rays.rows[index] + pose.forward) * inverse, rest: pose.rest,
            base: VoxelKey(x: pose.base.x, y: pose.base.y, z: pose.base.z))
    }
}
