internal import DepthMaps
internal import DepthTypes
internal import Scenes

/// Which sample of the depth, and which pixel of the picture, is at the center of each surfel.
struct SurfelPlaces {
    private let width: Int
    private let height: Int
    private let step: Int
    private let stride: Int
    private let depth: PixelSize

    /// A grid of surfels that are `step` times `stride` samples of the depth apart.
    init(width: Int, height: Int, step: Int, stride: Int, depth: PixelSize) {
        (self.width, self.height, self.step) = (width, height, step)
        (self.stride, self.depth) = (stride, depth)
    }

    /// The light of each sRGB value, 1…65,535; 0 stands for a missing color.
    private static let light: [UInt16] = TransferFunctionTable<UInt8>(.sRGB).light.map {
        UInt16(1 + ($0 * 65534).rounded())
    }

    /// The colors of all surfels in linear light, with a border of one. Pixels of the color `unseen` show nothing.
    func colors(
        of picture: FramePlane<RGB<UInt8>>, except unseen: RGB<UInt8>? = nil
    ) -> [SIMD4<UInt16>] {
        let columns = (0..<width).map { pixel($0, of: depth.width, in: picture.width) }
        let light = Self.light
        return parallelMapRows(width: width + 2, height: height + 2) { rows, output in
            let pixels = picture.samples.span
            let light = light.span
            for row in rows {
                let start = (row - rows.lowerBound) * (width + 2)
                for column in 0..<width + 2 { output[start + column] = .zero }
                guard row > 0, row <= height else { continue }
                let source = pixel(row - 1, of: depth.height, in: picture.height) * picture.width
                for column in 0..<width {
                    let pixel = pixels[source + columns[column]]
                    guard pixel != unseen else { continue }
                    output[start + column + 1] = SIMD4(
                        light[Int(pixel.red)], light[Int(pixel.green)], light[Int(pixel.blue)], 0)
                }
            }
        }
    }

    /// The confidences of all surfels, with a border of one.
    func confidences(_ samples: [UInt8]) -> [UInt8] {
        parallelMapRows(width: width + 2, height: height + 2) { rows, output in
            for row in rows {
                let start = (row - rows.lowerBound) * (width + 2)
                for column in 0..<width + 2 { output[start + column] = 0 }
                guard row > 0, row <= height else { continue }
                let source = sample(row - 1, of: depth.height) * depth.width
                for column in 0..<width {
                    let level = samples[source + sample(column, of: depth.width)]
                    output[start + column + 1] = min(level, 2)
                }
            }
        }
    }

    private func sample(_ index: Int, of count: Int) -> Int {
        min((index * step + step / 2) * stride, count - 1)
    }

    private func pixel(_ index: Int, of count: Int, in pixels: Int) -> Int {
        min((2 * sample(index, of: count) + 1) * pixels / (2 * count), pixels - 1)
    }
}
