internal import DepthMaps
internal import DepthTypes
internal import Glibc

/// The mattes that are stored with frames, 0…1, steadied over time.
///
/// A sample follows its matte at once where the picture changes, and slowly elsewhere: mattes of networks and people flicker
/// along still edges.
struct StoredMatte {
    private var luma: [Float] = []
    private var time: Double?
    private(set) var coverage = FramePlane<Float>()

    /// The seconds within which coverage adapts to a matte in a still picture.
    private static let timeConstant = 0.15
    /// The change of luma that is treated as noise.
    private static let noise: Float = 0.04

    /// Adds a frame's matte, or the union of several, and its picture.
    mutating func add(_ matte: Matte, of picture: FramePlane<RGB<UInt8>>, at newTime: Double) {
        let (width, height) = (matte.width, matte.height)
        let isFirst = coverage.size != PixelSize(width: width, height: height)
        if isFirst { luma = [Float](repeating: -1, count: width * height) }
        let elapsed = time.map { max(newTime - $0, 0) } ?? 0
        let pace = Float(1 - exp(-elapsed / Self.timeConstant))
        time = newTime
        let (matteSamples, pictureSamples) = (matte.coverage, picture.samples)
        let (columns, rows) = (picture.width, picture.height)
        var former: [Float] = []
        swap(&former, &luma)
        coverage.overwrite(width: width, height: height, fill: 0) { coverage in
            let (matte, picture) = (matteSamples.span, pictureSamples.span)
            for row in 0..<height {
                let line = (2 * row + 1) * rows / (2 * height) * columns
                for column in 0..<width {
                    let place = row * width + column
                    let seen = GuidedMatte.luma(picture[line + (2 * column + 1) * columns / (2 * width)])
                    let wanted = Float(matte[place]) * (1 / 255)
                    if abs(seen - former[place]) < Self.noise {
                        coverage[place] += (wanted - coverage[place]) * pace
                        // Slow changes are followed as well, with a delay.
                        former[place] += (seen - former[place]) * pace
                    } else {
                        coverage[place] = wanted
                        former[place] = seen
                    }
                }
            }
        }
        swap(&former, &luma)
    }
}
