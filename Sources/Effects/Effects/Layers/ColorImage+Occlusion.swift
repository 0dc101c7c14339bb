package import DepthMaps
package import DepthTypes

extension ColorImage {
    /// The photo with a flat picture inserted into its scene, hidden where the scene is nearer.
    ///
    /// - Parameters:
    ///   - layer: The picture, in the photo's color space.
    ///   - placement: Its position and size.
    ///   - focalLength: In pixels of the photo.
    ///   - scene: The scene at the photo's size (``DisparityMap/upsampled(guidedBy:)``). Unknown samples are treated as
    ///     infinitely far: fill them first, so that their neighbors decide.
    ///   - mapSize: The size of the map that the scene was enlarged from, if its edges are to be found in the photo: see
    ///     ``Cutout/refined(in:maskTrust:)``.
    ///   - matte: The coverage of a subject, of any size: decides around its edge, hair by hair, where depth is too coarse.
    ///   - transferFunction: The curve from stored values to light. The picture is resampled and blended in light.
    ///   - composite: The image to insert the picture into instead of the photo, with the photo's size and bit depth.
    ///   - subject: How much of each pixel of `composite` is the photo's: only that hides the picture.
    ///
    /// Reduced pictures are means over the area of a pixel, enlarged ones linear between samples. Where the picture is not
    /// visible, the photo is unchanged. Objects that partly hide it keep their color, without the color of their old
    /// background.
    package func inserting(
        _ layer: RGBAImage, at placement: LayerPlacement, focalLength: Float, scene: DisparityMap,
        enlargedFrom mapSize: PixelSize? = nil, matte: Matte? = nil,
        transferFunction: TransferFunction = .sRGB, over composite: ColorImage? = nil,
        within subject: Matte? = nil
    ) -> ColorImage {
        precondition(scene.width == width && scene.height == height, "the map has the photo's size")
        guard width > 0, height > 0 else { return self }
        let front = whatHides(
            placement.distance, scene, enlargedFrom: mapSize, matte?.scaled(toFit: self), transferFunction)
        return inserting(
            layer, at: placement, focalLength: focalLength, behind: front, over: composite, within: subject)
    }

    /// The photo with a flat picture inserted behind `front`: what hides the picture, at the photo's size. Otherwise as
    /// above.
    package func inserting(
        _ layer: RGBAImage, at placement: LayerPlacement, focalLength: Float, behind front: Cutout,
        over composite: ColorImage? = nil, within subject: Matte? = nil
    ) -> ColorImage {
        precondition(focalLength > 0 && focalLength.isFinite, "a focal length is positive")
        guard width > 0, height > 0, layer.width > 0, layer.height > 0 else { return self }
        let transferFunction = front.curve
        let frame = placement.frame(
            layerWidth: layer.width, layerHeight: layer.height, photoWidth: width, photoHeight: height,
            focalLength: focalLength)
        let columns = ResamplingAxis(layer.width, from: frame.left, length: frame.width, within: width)
        let rows = ResamplingAxis(layer.height, from: frame.top, length: frame.height, within: height)
        let coverage =
            subject.map { subject in zip(front.matte.coverage, subject.coverage).map { min($0, $1) } }
            ?? front.matte.coverage
        func blended<Sample: PictureSample>(_ photo: [RGB<Sample>]) -> [RGB<Sample>] {
            LayerBlend(
                photo: photo, front: Sample.pixels(of: front.photo.pixels), coverage: coverage, width: width,
                height: height,
                layer: LayerLight(
                    Sample.pixels(of: layer.pixels), layer.width, columns, rows, transferFunction),
                tones: TransferFunctionTable(transferFunction)
            ).blended()
        }
        let base = composite?.pixels ?? pixels
        return ColorImage(
            width: width, height: height, pixels: base.map(blended, blended), colorProfile: colorProfile)
    }

    /// The parts of the photo that are nearer than a layer, at the photo's size, with their own colors.
    private func whatHides(
        _ distance: Float, _ scene: DisparityMap, enlargedFrom mapSize: PixelSize?, _ matte: Matte?,
        _ curve: TransferFunction
    ) -> Cutout {
        if matte == nil, let mapSize {
            let step = SceneVisibility.step(at: distance)
            let mask = scene.mask(of: DisparityRange(from: step), enlargedFrom: mapSize)
            if let cutout = try? mask.cutout(of: self, curve: curve) { return cutout.decontaminated() }
        }
        let visibility = SceneVisibility(scene, matte, distance: distance)
        return Cutout(photo: self, matte: visibility.hidden, curve: curve).decontaminated()
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
        (self.pixels, self.width, self.columns, self.rows) = (pixels, width, columns, rows)
        tones = TransferFunctionTable(curve)
    }

    /// Red, green and blue light times opacity, and opacity, at a pixel that the picture covers.
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

/// Blends a picture over a photo where the scene leaves it visible.
private struct LayerBlend<Sample: PictureSample>: Sendable {
    let photo: [RGB<Sample>]
    /// The photo, with the color of the foreground alone where `coverage` is neither 0 nor full.
    let front: [RGB<Sample>]
    /// The fraction of a pixel that is in front of the layer.
    let coverage: [UInt8]
    let width: Int
    let height: Int
    let layer: LayerLight<Sample>
    let tones: TransferFunctionTable<Sample>

    func blended() -> [RGB<Sample>] {
        parallelMapRows(width: width, height: height) { band, output in
            for row in band {
                let start = (row - band.lowerBound) * width
                for column in 0..<width { output[start + column] = photo[row * width + column] }
                guard layer.rows.samples.contains(row) else { continue }
                for column in layer.columns.samples {
                    let place = row * width + column
                    guard coverage[place] < 255 else { continue }
                    let light = layer.light(column, row)
                    guard light.w > 0 else { continue }
                    // Where the layer is opaque, the foreground over the layer. Elsewhere, the photo.
                    let hidden = Float(coverage[place]) * (1 / 255)
                    let inFront = tones.light(of: front[place], weight: 1) * (hidden * light.w)
                    let old = tones.light(of: photo[place], weight: 1) * (1 - light.w)
                    output[start + column] = tones.pixel(ofLight: old + inFront + light * (1 - hidden))
                }
            }
        }
    }
}
