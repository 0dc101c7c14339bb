internal import DepthMaps
internal import Glibc

/// For each sample of the depth, whether its last known value is still valid.
///
/// It is valid while the sample is known, and after that while the picture is unchanged there: where the picture changes, the
/// object has moved.
struct LastKnown {
    private var colors: [RGB<UInt8>] = []
    private var columns: [Int] = []
    private var time: Double?
    /// 1 if valid; 0 if not, or if the sample was never known.
    private(set) var holds: [UInt8] = []
    /// The factor per frame by which valid values of unknown samples fade.
    private(set) var kept: Float = 1

    /// The seconds within which last known values fade, even in a still picture.
    private static let memory = 1.0
    /// The change of the sum of a pixel's channels that is treated as noise.
    private static let noise: Int32 = 40

    /// Adds the depth and the picture of a frame.
    mutating func add(_ depth: DepthMap, _ picture: FramePlane<RGB<UInt8>>, at newTime: Double) {
        let (width, height) = (depth.width, depth.height)
        if holds.count != width * height {
            holds = [UInt8](repeating: 0, count: width * height)
            colors = [RGB<UInt8>](repeating: .black, count: width * height)
        }
        kept = Float(exp(-max(newTime - (time ?? newTime), 0) / Self.memory))
        time = newTime
        columns.removeAll(keepingCapacity: true)
        for column in 0..<width { columns.append((2 * column + 1) * picture.width / (2 * width)) }
        Self.compare(depth, picture, columns, &colors, &holds)
    }

    private static func compare(
        _ map: DepthMap, _ picture: FramePlane<RGB<UInt8>>, _ columns: [Int],
        _ colors: inout [RGB<UInt8>], _ holds: inout [UInt8]
    ) {
        let (depth, pixels) = (map.meters.span, picture.samples.span)
        let columns = columns.span
        var holds = holds.mutableSpan
        var colors = colors.mutableSpan
        for row in 0..<map.height {
            let line = (2 * row + 1) * picture.height / (2 * map.height) * picture.width
            for column in columns.indices {
                let index = row * columns.count + column
                let seen = pixels[line + columns[column]]
                if depth[index] > 0 {
                    colors[index] = seen
                    holds[index] = 1
                } else if holds[index] == 1, difference(colors[index], seen) > noise {
                    holds[index] = 0
                }
            }
        }
    }

    @inline(__always)
    private static func difference(_ first: RGB<UInt8>, _ second: RGB<UInt8>) -> Int32 {
        abs(Int32(first.red) - Int32(second.red)) + abs(Int32(first.green) - Int32(second.green))
            + abs(Int32(first.blue) - Int32(second.blue))
    }
}
