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
}

/// What a band of a frame's rows sees, for each shard in order. Its memory is used again from frame to frame.
struct FusionBand: Sendable {
    private(set) var samples: [[VoxelSamples]]
    private var selected: [UInt8] = []
    private var above: [Float] = []
    private var row: [Float] = []
    private var below: [Float] = []

    init(shardCount: Int) { samples = Array(repeating: [], count: shardCount) }

    /// How much a sample weighs at each level of confidence.
    private static let confidenceWeights: SIMD4<Float> = [0.1, 0.5, 1, 1]

    /// Puts the samples of some rows into voxels, those that are neighbors in one voxel together.
    mutating func collect(_ rows: Range<Int>, of work: FusionWork) {
        for index in samples.indices { samples[index].removeAll(keepingCapacity: true) }
        let options = work.options
        let first = (rows.lowerBound + options.stride - 1) / options.stride * options.stride
        for row in stride(from: first, to: rows.upperBound, by: options.stride) {
            select(row, work)
            collect(row: row, work)
        }
    }

    /// Marks the samples of a row that count.
    private mutating func select(_ index: Int, _ work: FusionWork) {
        let depth = work.frame.depth
        let options = work.options
        Self.load(depth, index, &row)
        selected.removeAll(keepingCapacity: true)
        for column in 0..<depth.width {
            let z = row[column + 1]
            selected.append(z >= options.near && z <= options.far && z > 0 && z < .infinity ? 1 : 0)
        }
        if !options.keepsEdges {
            Self.load(depth, index - 1, &above)
            Self.load(depth, index + 1, &below)
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
        let right = SIMD4<Float>(pose.right * inverse, 0)
        let start = SIMD4<Float>(
            (pose.down * work.rays.rows[index] + pose.forward) * inverse, 0)
        let rest = SIMD4<Float>(pose.rest, 0)
        let width = frame.depth.width
        let colors = ColorRow(frame, row: index)
        let confidence =
            frame.confidence.size == frame.depth.size && !frame.confidence.isEmpty
            ? frame.confidence.samples[index * width..<(index + 1) * width] : []
        // 1.5 · 2²³: adding it leaves a number rounded to a whole one in the low bits of the sum.
        let magic = SIMD4<Float>(repeating: 0x1.8p23)
        let magicBits = Int32(bitPattern: Float(0x1.8p23).bitPattern)
        var run: VoxelSamples?
        for column in stride(from: 0, to: width, by: options.stride) where selected[column] != 0 {
            let z = row[column + 1]
            let place = (right * work.rays.columns[column] + start) * z + rest
            guard place.x.magnitude < 0x1p20, place.y.magnitude < 0x1p20, place.z.magnitude < 0x1p20 else {
                continue
            }
            let sum = place + magic
            let offset = place - (sum - magic)
            let key = VoxelKey(
                x: Int(Int32(bitPattern: sum.x.bitPattern) &- magicBits) &+ pose.base.x,
                y: Int(Int32(bitPattern: sum.y.bitPattern) &- magicBits) &+ pose.base.y,
                z: Int(Int32(bitPattern: sum.z.bitPattern) &- magicBits) &+ pose.base.z)
            var weight = 1 / max(z * z, 0.01)
            var level: Float = 0
            if !confidence.isEmpty {
                let code = Int(min(confidence[confidence.startIndex + column], 2))
                weight *= Self.confidenceWeights[code]
                level = Float(code)
            }
            var offsets = offset
            offsets.w = 1
            let addition = VoxelSamples(
                key: key, confidence: level * weight, offsets: offsets * weight,
                colors: colors.color(at: column) * weight)
            guard let current = run, current.key == key else {
                flush(run)
                run = addition
                continue
            }
            run = VoxelSamples(
                key: key, confidence: current.confidence + addition.confidence,
                offsets: current.offsets + addition.offsets, colors: current.colors + addition.colors)
        }
        flush(run)
    }

    private mutating func flush(_ run: VoxelSamples?) {
        guard let run else { return }
        samples[Int(truncatingIfNeeded: run.key.hash) & (samples.count - 1)].append(run)
    }
}

/// The colors that belong to a row of depth.
private struct ColorRow {
    private let pixels: [RGB<UInt8>]
    private let start: Int
    private let scale: Float
    private let isThere: Bool

    init(_ frame: SequenceFrame, row: Int) {
        let color = frame.color
        isThere = !color.isEmpty && frame.depth.height > 0
        pixels = color.samples
        let colorRow =
            isThere ? min((2 * row + 1) * color.height / (2 * frame.depth.height), color.height - 1) : 0
        start = colorRow * color.width
        scale = isThere ? Float(color.width) / Float(frame.depth.width) : 0
    }

    /// Red, green, blue and 1; zeros without color.
    func color(at column: Int) -> SIMD4<Float> {
        guard isThere else { return .zero }
        let pixel = pixels[start + Int((Float(column) + 0.5) * scale)]
        return SIMD4(Float(pixel.red), Float(pixel.green), Float(pixel.blue), 1)
    }
}
