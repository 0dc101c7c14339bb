internal import ByteParsing
internal import DepthCore
internal import DepthModel
internal import EmbeddedFormats
internal import Fusion
internal import PointClouds
internal import Recordings
internal import Sequences

/// The fused cloud of a recording in a page: points in 16 bits per axis over their extent, and their colors.
struct PageCloud: Sendable {
    /// x, y and z of each point as fractions of the extent, 16 bits each, least significant byte first.
    let positions: [UInt8]
    /// Red, green and blue of each point, sRGB.
    let colors: [UInt8]
    /// How many points there are.
    let count: Int
    /// The parts of the recording that could not be used.
    let diagnostics: [Diagnostic]
    private let low: SIMD3<Float>
    private let extent: SIMD3<Float>
    private let middle: SIMD3<Float>
    private let radius: Float
    private let voxel: Float

    /// The maximum number of points; more are thinned evenly.
    private static let mostPoints = 90_000
    /// The maximum number of frames; more are thinned evenly.
    private static let mostFrames = 96
    /// Voxel edges to try: the second if the first leaves few points, as for a small object.
    private static let voxels: [Float] = [0.02, 0.005]

    /// Fuses a recording. Throws ``FusionError`` if that is impossible.
    init(_ recording: ListedRecording) throws(FusionError) {
        var selection = FrameSelection()
        selection.step = max(1, recording.frames.count / Self.mostFrames)
        var found: (cloud: PointCloud, voxel: Float, diagnostics: [Diagnostic])?
        for voxel in Self.voxels where found.map({ $0.cloud.positions.count < 12_000 }) ?? true {
            var options = FusionOptions(voxelSize: voxel)
            // Thins samples to about two per voxel of a view.
            options.stride = voxel > 0.01 ? max(1, (recording.depthSize?.width ?? 0) / 320) : 1
            let fused = try FusedRecording(recording, options, selection, tool: "")
            found = (fused.cloud.collected(), voxel, fused.diagnostics)
        }
        guard let (cloud, voxel, diagnostics) = found else { throw .noPoints }
        self.diagnostics = diagnostics
        let all = cloud.positions
        let indices = Swift.stride(
            from: 0, to: all.count, by: max(1, (all.count + Self.mostPoints - 1) / Self.mostPoints))
        var (x, y, z): ([Float], [Float], [Float]) = ([], [], [])
        for index in indices {
            x.append(all[index].x)
            y.append(all[index].y)
            z.append(all[index].z)
        }
        func ends(_ values: [Float], _ share: Double) -> (low: Float, middle: Float, high: Float) {
            let sorted = values.sorted()
            func at(_ share: Double) -> Float {
                sorted[min(Int(Double(sorted.count) * share), sorted.count - 1)]
            }
            return (at(share), at(0.5), at(1 - share))
        }
        // A few distant points would reduce the resolution of all others.
        let (a, b, c) = (ends(x, 0.002), ends(y, 0.002), ends(z, 0.002))
        low = SIMD3(a.low, b.low, c.low)
        middle = SIMD3(a.middle, b.middle, c.middle)
        extent = (SIMD3(a.high, b.high, c.high) - low).replacing(
            with: 1e-3, where: SIMD3(a.high, b.high, c.high) - low .< 1e-3)
        radius = (extent * extent).sum().squareRoot() / 2
        self.voxel = voxel
        let scale = SIMD3<Float>(repeating: 65535) / extent
        var (positions, colors): ([UInt8], [UInt8]) = ([], [])
        var count = 0
        for index in indices {
            let place = ((all[index] - low) * scale).rounded(.toNearestOrEven)
            guard place.min() >= 0, place.max() <= 65535 else { continue }
            for axis in 0..<3 {
                let code = UInt16(place[axis])
                positions += [UInt8(truncatingIfNeeded: code), UInt8(truncatingIfNeeded: code >> 8)]
            }
            let color = cloud.colors.isEmpty ? RGB(red: 150, green: 150, blue: 150) : cloud.colors[index]
            colors += [color.red, color.green, color.blue]
            count += 1
        }
        (self.positions, self.colors, self.count) = (positions, colors, count)
    }

    /// The parameters for the page's script. Lengths are meters.
    var record: JSONValue {
        func numbers(_ vector: SIMD3<Float>) -> JSONValue { .numbers((0..<3).map { Double(vector[$0]) }) }
        return .object([
            ("count", .integer(count)), ("low", numbers(low)), ("extent", numbers(extent)),
            ("middle", numbers(middle)), ("radius", .number(Double(radius))),
            ("voxel", .number(Double(voxel))),
        ])
    }
}
