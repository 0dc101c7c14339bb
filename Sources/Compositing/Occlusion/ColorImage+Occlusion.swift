package import DepthCore

extension ColorImage {
    /// The photo with a flat picture standing in its scene, hidden where the scene is nearer.
    ///
    /// - Parameters:
    ///   - layer: The picture, in the photo's color space.
    ///   - placement: Where it stands.
    ///   - focalLength: In pixels of the photo.
    ///   - scene: The scene at the photo's size (``DisparityMap/upsampled(guidedBy:)``). Unknown samples count as infinitely far away:
    ///     fill them first, so that their neighbors decide.
    ///   - matte: The coverage of a subject, of any size: decides around its edge, hair by hair, where depth is too coarse.
    ///   - transferFunction: How codes become light, in which the picture is resampled and blended.
    ///
    /// Reduced pictures are means over the area of a pixel, enlarged ones linear between samples. Where nothing of the picture is to be
    /// seen the photo keeps its codes.
    package func inserting(
        _ layer: RGBAImage, at placement: LayerPlacement, focalLength: Float, scene: DisparityMap,
        matte: Matte? = nil, transferFunction: TransferFunction = .sRGB
    ) -> ColorImage {
        precondition(scene.width == width && scene.height == height, "the map has the photo's size")
        precondition(focalLength > 0 && focalLength.isFinite, "a focal length is positive")
        guard width > 0, height > 0, layer.width > 0, layer.height > 0 else { return self }
        let visibility = SceneVisibility(
            scene, matte?.scaled(toFit: self), distance: placement.distance)
        let frame = placement.frame(
            layerWidth: layer.width, layerHeight: layer.height, photoWidth: width, photoHeight: height,
            focalLength: focalLength)
        let columns = ResamplingAxis(layer.width, from: frame.left, length: frame.width, within: width)
        let rows = ResamplingAxis(layer.height, from: frame.top, length: frame.height, within: height)
        func blend<Sample, LayerSample>(_ photo: [RGB<Sample>], _ layer: LayerLight<LayerSample>) -> [RGB<
            Sample
        >] {
            LayerBlend(
                photo: photo, width: width, height: height, layer: layer, visibility: visibility,
                tones: TransferFunctionTable(transferFunction)
            ).blended()
        }
        let blended: Pixels =
            switch (pixels, layer.pixels) {
            case (.uint8(let photo), .uint8(let pixels)):
                .uint8(blend(photo, LayerLight(pixels, layer.width, columns, rows, transferFunction)))
            case (.uint8(let photo), .uint16(let pixels)):
                .uint8(blend(photo, LayerLight(pixels, layer.width, columns, rows, transferFunction)))
            case (.uint16(let photo), .uint8(let pixels)):
                .uint16(blend(photo, LayerLight(pixels, layer.width, columns, rows, transferFunction)))
            case (.uint16(let photo), .uint16(let pixels)):
                .uint16(blend(photo, LayerLight(pixels, layer.width, columns, rows, transferFunction)))
            }
        return ColorImage(width: width, height: height, pixels: blended, colorProfile: colorProfile)
    }
}

/// A picture resampled to a photo's pixels, as light multiplied by opacity.
struct LayerLight<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    let columns: ResamplingAxis
    let rows: ResamplingAxis
    private let pixels: [RGBA<Sample>]
    private let width: Int
    private let tones: TransferFunctionTable<Sample>

    init(
        _ pixels: [RGBA<Sample>], _ width: Int, _ columns: ResamplingAxis, _ rows: ResamplingAxis,
        _ curve: TransferFunction
    ) {
        self.pixels = pixels
        self.width = width
        self.columns = columns
        self.rows = rows
        tones = TransferFunctionTable(curve)
    }

    /// Red, green and blue light times opacity, and opacity, at a pixel that shows something of the picture.
    @inline(__always)
    func light(_ column: Int, _ row: Int) -> SIMD4<Float> {
        let across = columns.taps(of: column)
        let down = rows.taps(of: row)
        var sum = SIMD4<Float>.zero
        for y in down.places {
            let line = (down.first + y - down.places.lowerBound) * width + across.first
            var lineSum = SIMD4<Float>.zero
            for x in across.places {
                let pixel = pixels[line + x - across.places.lowerBound]
                let opacity = Float(pixel.alpha) * (1 / Float(Sample.max))
                let color = RGB(red: pixel.red, green: pixel.green, blue: pixel.blue)
                lineSum += tones.light(of: color, weight: 1) * (opacity * columns.weights[x])
            }
            sum += lineSum * rows.weights[y]
        }
        return sum
    }
}

/// Lays a picture over a photo, as far as the scene lets it be seen.
private struct LayerBlend<
    Sample: FixedWidthInteger & BitwiseCopyable & Sendable,
    LayerSample: FixedWidthInteger & BitwiseCopyable & Sendable
>: Sendable {
    let photo: [RGB<Sample>]
    let width: Int
    let height: Int
    let layer: LayerLight<LayerSample>
    let visibility: SceneVisibility
    let tones: TransferFunctionTable<Sample>

    func blended() -> [RGB<Sample>] {
        parallelMapRows(width: width, height: height) { band, output in
            for row in band {
                let start = (row - band.lowerBound) * width
                for column in 0..<width { output[start + column] = photo[row * width + column] }
                guard layer.rows.samples.contains(row) else { continue }
                for column in layer.columns.samples {
                    let share = visibility.share(column, row)
                    guard share > 0 else { continue }
                    let light = layer.light(column, row) * share
                    guard light.w > 0 else { continue }
                    let behind = tones.light(of: photo[row * width + column], weight: 1)
                    output[start + column] = tones.pixel(ofLight: behind * (1 - light.w) + light)
                }
            }
        }
    }
}
