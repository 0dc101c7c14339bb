internal import DepthCore
internal import DepthModel
internal import Sequences

/// Shrinks pictures: each pixel is the mean of the source pixels that it covers, at least one.
struct PictureShrinker {
    private var columns: [Int32] = []

    /// The picture at a size; both directions are scaled separately.
    mutating func shrink(
        _ source: borrowing FramePlane<RGB<UInt8>>, to size: PixelSize,
        into output: inout FramePlane<RGB<UInt8>>
    ) {
        let (width, height) = (source.width, source.height)
        let pixels = source.samples.span
        if columns.count != size.width + 1 {
            columns = [Int32](repeating: 0, count: size.width + 1)
        }
        for column in 0...size.width { columns[column] = Int32(column * width / max(size.width, 1)) }
        let edges = columns.span
        output.overwrite(width: size.width, height: size.height, fill: .black) { output in
            for row in 0..<size.height {
                let top = row * height / size.height
                let bottom = max((row + 1) * height / size.height, top + 1)
                for column in 0..<size.width {
                    let first = Int(edges[column])
                    let last = max(Int(edges[column + 1]), first + 1)
                    var sum = SIMD4<UInt32>.zero
                    for line in top..<bottom {
                        for place in line * width + first..<line * width + last {
                            let pixel = pixels[place]
                            sum &+= SIMD4(UInt32(pixel.red), UInt32(pixel.green), UInt32(pixel.blue), 1)
                        }
                    }
                    let mean = (sum &+ SIMD4(repeating: sum.w / 2)) / SIMD4(repeating: max(sum.w, 1))
                    output[row * size.width + column] = RGB(
                        red: UInt8(truncatingIfNeeded: mean.x), green: UInt8(truncatingIfNeeded: mean.y),
                        blue: UInt8(truncatingIfNeeded: mean.z))
                }
            }
        }
    }
}
