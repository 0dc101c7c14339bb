internal import DepthCore
internal import DepthModel
internal import PointClouds
internal import Sequences

/// The rays of a depth map's samples: X / Z of columns and Y / Z of rows. Lenses are taken as pinholes.
struct FusionRays: Sendable {
    let columns: [Float]
    let rows: [Float]
    let focalLength: Double

    /// `nil` for invalid intrinsics.
    init?(_ camera: CameraCalibration, _ size: PixelSize) {
        guard (try? Unprojection(camera, width: size.width, height: size.height)) != nil else { return nil }
        let scaled = camera.scaled(toWidth: size.width, height: size.height)
        columns = (0..<size.width).map {
            Float((Double($0) - scaled.principalPointX) / scaled.focalLengthX)
        }
        rows = (0..<size.height).map {
            Float((Double($0) - scaled.principalPointY) / scaled.focalLengthY)
        }
        focalLength = (scaled.focalLengthX + scaled.focalLengthY) / 2
    }
}

/// A frame on its way into voxels.
struct FusionWork: Sendable {
    let frame: SequenceFrame
    let rays: FusionRays
    let pose: VoxelPose
    let options: FusionOptions
    /// The greatest distance of a sample that has a voxel, in meters.
    let reach: Float
    /// The column of the picture that belongs to each column of the depth; empty without a picture.
    let colorColumns: [Int32]

    init(frame: SequenceFrame, rays: FusionRays, pose: VoxelPose, options: FusionOptions) {
        (self.frame, self.rays, self.pose, self.options) = (frame, rays, pose, options)
        // The camera is within half of what voxels reach, and so may be what it sees.
        let sides = [rays.columns.first, rays.columns.last, rays.rows.first, rays.rows.last]
        let widest = sides.reduce(0) { max($0, abs($1 ?? 0)) }
        reach = Float(VoxelKey.reach / 2 - 2) * options.voxelSize / (1 + 2 * widest * widest).squareRoot()
        let (width, colorWidth) = (frame.depth.width, frame.color.width)
        let isThere = !frame.color.isEmpty
        colorColumns =
            isThere
            ? (0..<width).map { Int32(min((2 * $0 + 1) * colorWidth / (2 * width), colorWidth - 1)) } : []
    }
}

/// What a band of a frame's rows sees, for each shard in order. Its memory is used again from frame to frame.
struct FusionBand: Sendable {
    private(set) var samples: [[VoxelSamples]]
    private var cache = VoxelCache()
    private var placed = PlacedRow()
    private var selected: [UInt8] = []
    private var above: [Float] = []
    private var row: [Float] = []
    private var below: [Float] = []

    init(shardCount: Int) { samples = Array(repeating: [], count: shardCount) }

    /// How much a sample weighs at each level of confidence.
    private static let confidenceWeights: SIMD4<Float> = [0.1, 0.5, 1, 1]

    /// Puts the samples of some rows into voxels, those that are near each other in one voxel together.
    mutating func collect(_ rows: Range<Int>, of work: FusionWork) {
        for index in samples.indices { samples[index].removeAll(keepingCapacity: true) }
        let options = work.options
        let first = (rows.lowerBound + options.stride - 1) / options.stride * options.stride
        for row in stride(from: first, to: rows.upperBound, by: options.stride) {
            load(row, isNext: options.stride == 1 && row > first, work)
            select(row, work)
            collect(row: row, work)
        }
        cache.empty(into: &samples)
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
    private mutating func select(_ index: Int, _ work: FusionWork) {
        let depth = work.frame.depth
        let options = work.options
        if selected.count != depth.width { selected = [UInt8](repeating: 0, count: depth.width) }
        Self.select(row, options.near, min(options.far, work.reach), &selected)
        if !options.keepsEdges {
            FlyingPixels(focalLength: work.rays.focalLength)
                .remove(from: &selected, row: row, above: above, below: below)
        }
        let confidence = work.frame.confidence
        guard options.minimumConfidence > 0, confidence.size == depth.size, !confidence.isEmpty else {
            return
        }
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

    private mutating func collect(row index: Int, _ work: FusionWork) {
        let frame = work.frame
        let (pose, options) = (work.pose, work.options)
        let inverse = 1 / options.voxelSize
        placed.place(
            row, along: work.rays.columns, right: pose.right * inverse,
            start: (pose.down * work.rays.rows[index] + pose.forward) * inverse, rest: pose.rest)
        let (width, stride) = (frame.depth.width, placed.stride)
        let (placesArray, valuesArray, selectedArray) = (placed.places, placed.values, selected)
        let (places, values, selected) = (placesArray.span, valuesArray.span, selectedArray.span)
        let pixels = frame.color.samples.span
        let colorColumns = work.colorColumns.span
        let colorRow =
            frame.color.isEmpty ? 0 : (2 * index + 1) * frame.color.height / (2 * frame.depth.height)
        let firstPixel = min(colorRow, max(frame.color.height - 1, 0)) * frame.color.width
        let hasColor = !frame.color.isEmpty
        let hasConfidence = frame.confidence.size == frame.depth.size && !frame.confidence.isEmpty
        let confidence = frame.confidence.samples.span
        precondition(places.count >= 3 * stride && values.count >= 4 * stride && selected.count >= width)
        var run = VoxelSamples(
            key: VoxelKey(x: 0, y: 0, z: 0), confidence: 0, offsets: .zero, colors: .zero)
        var current = SIMD3<Int32>(repeating: .min)
        var column = 0
        while column < width {
            defer { column += options.stride }
            // SAFETY: the column is below the width, as which there are at least as many of everything, as was checked.
            guard unsafe selected[unchecked: column] != 0 else { continue }
            let voxel = unsafe SIMD3<Int32>(
                places[unchecked: column], places[unchecked: stride + column],
                places[unchecked: 2 * stride + column])
            let weight = unsafe values[unchecked: 3 * stride + column]
            var offsets = unsafe SIMD4<Float>(
                values[unchecked: column], values[unchecked: stride + column],
                values[unchecked: 2 * stride + column], weight)
            var colors = SIMD4<Float>.zero
            if hasColor {
                let pixel = pixels[firstPixel + Int(colorColumns[column])]
                colors = SIMD4(Float(pixel.red), Float(pixel.green), Float(pixel.blue), 1) * weight
            }
            var level: Float = 0
            if hasConfidence {
                let code = Int(min(confidence[index * width + column], 2))
                let share = Self.confidenceWeights[code]
                offsets *= share
                colors *= share
                level = Float(code) * offsets.w
            }
            if voxel == current {
                run.confidence += level
                run.offsets += offsets
                run.colors += colors
                continue
            }
            if run.offsets.w > 0 { cache.add(run, to: &samples) }
            current = voxel
            run = VoxelSamples(
                key: VoxelKey(
                    x: Int(voxel.x) &+ pose.base.x, y: Int(voxel.y) &+ pose.base.y,
                    z: Int(voxel.z) &+ pose.base.z), confidence: level, offsets: offsets, colors: colors)
        }
        if run.offsets.w > 0 { cache.add(run, to: &samples) }
    }
}
