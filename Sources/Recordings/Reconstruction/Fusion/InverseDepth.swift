internal import DepthMaps
internal import DepthTypes
internal import Geometry
internal import Scenes

/// The samples of a frame that are used, as 1/z.
struct InverseDepth {
    private let depth: FramePlane<Float>
    private let confidence: [UInt8]
    private let leastConfidence: Int
    private let rule: SelectionRule
    private let stride: Int
    private let near: Float
    private let far: Float

    /// Samples up to `reach` meters; the focal length is in samples.
    init(
        _ map: DepthMap, _ confidence: [UInt8], _ options: FusionOptions, focalLength: Double, reach: Float
    ) {
        depth = FramePlane(map)
        self.confidence = options.minimumConfidence > 0 ? confidence : []
        leastConfidence = options.minimumConfidence
        stride = options.stride
        (near, far) = (options.near, min(options.far, reach))
        rule = SelectionRule(
            near: near, far: far, stride: options.stride,
            keepsEdges: options.keepsEdges, focalLength: focalLength)
    }

    /// 1/z of every `stride`-th sample of every `stride`-th row: negative for flying samples, which are used only together with a
    /// smooth surface around them, and `nan` for those that are never used.
    func inverses(size: PixelSize) -> [Float] {
        parallelMapRows(width: size.width, height: size.height) { rows, output in
            var selection = RowSelection()
            selection.begin(width: depth.width, height: depth.height)
            for row in rows {
                selection.move(to: row * stride, of: depth.samples, by: rule)
                let distances = selection.distances
                let selected = selection.selected
                let start = (row - rows.lowerBound) * size.width
                for column in 0..<size.width {
                    let place = column * stride
                    let z = distances[place + 1]
                    let inverse = z >= near && z <= far ? 1 / z : .nan
                    output[start + column] = selected[place] == 0 ? -inverse : inverse
                }
                guard !confidence.isEmpty else { continue }
                for column in 0..<size.width
                where Int(confidence[(row * depth.width + column) * stride]) < leastConfidence {
                    output[start + column] = .nan
                }
            }
        }
    }
}
