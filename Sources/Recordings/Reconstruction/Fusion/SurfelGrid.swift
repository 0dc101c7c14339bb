internal import DepthMaps
internal import DepthTypes
internal import Geometry
internal import Scenes

/// The surface in a depth map as small planes (surfels), one for each sample or for each square of samples.
///
/// A plane in space is linear in 1/z over the pixels. So a surfel is 1/z at its center and two slopes. They are the
/// least-squares plane through 3 × 3 or 5 × 5 samples where noise requires it and all of these are on one smooth surface, else
/// the sample itself and its neighbors.
struct SurfelGrid: Sendable {
    /// Surfels in a row.
    let width: Int
    /// The number of rows.
    let height: Int
    /// 1/z, its difference to the next column and to the next row, and the bits of ``SurfelWeight``; with a border of one
    /// around the grid. 1/z is 0 where nothing is known.
    let planes: [SIMD4<Float>]
    /// Red, green and blue of each of these in linear light, 1…65,535; empty without a picture.
    let colors: [SIMD4<UInt16>]
    /// The confidence of each, 0…2; empty if unknown.
    let confidences: [UInt8]
    /// The standard deviation of 1/z, in 1/m.
    let noise: Float
    /// A distance that a tenth of the samples exceed, in meters.
    let far: Float
    /// Focal lengths and principal point, in surfels; the first one's center is 0, 0.
    let focal: SIMD2<Float>
    let center: SIMD2<Float>

    /// The number of elements in a row of ``planes``.
    var pitch: Int { width + 2 }

    /// The surface of a frame, with colors if it has a picture; `nil` for fewer than four columns or rows of samples.
    ///
    /// `reach` is the largest distance of a sample that is used, in meters.
    init?(
        _ frame: DepthScene, _ depth: DepthMap, _ camera: CameraCalibration, _ options: FusionOptions,
        reach: Float
    ) {
        let stride = options.stride
        let samples = PixelSize(
            width: (depth.width + stride - 1) / stride, height: (depth.height + stride - 1) / stride)
        guard samples.width >= 4, samples.height > 0 else { return nil }
        let scaled = camera.scaled(toWidth: depth.width, height: depth.height)
        let confidence = (try? frame.confidence(on: depth)) ?? []
        let selection = InverseDepth(
            depth, confidence, options, focalLength: scaled.focalLengthX, reach: reach)
        let inverses = selection.inverses(size: samples)
        let statistics = DepthNoise(inverses, width: samples.width, height: samples.height)
        (noise, far) = (statistics.deviation, statistics.far)
        let pixels = SIMD2(Float(scaled.focalLengthX), Float(scaled.focalLengthY)) / Float(stride)
        let principal = SIMD2(Float(scaled.principalPointX), Float(scaled.principalPointY)) / Float(stride)
        // Where samples are denser than voxels, a surfel represents several.
        let density = 0.75 * options.voxelSize * pixels.x / statistics.median
        let step = max(1, min(Int(min(density, 4)), samples.width / 4, samples.height / 4))
        width = samples.width / step
        height = samples.height / step
        focal = pixels / Float(step)
        center = (principal - Float(step / 2)) / Float(step)
        let fit = SurfelFit(
            inverses: inverses, smooth: SurfelFit.smoothness(inverses, samples, noise), size: samples,
            step: step, noise: noise, target: options.voxelSize / 4, focal: pixels, principal: principal,
            confidence: confidence, stride: stride, depthWidth: depth.width)
        planes = fit.planes(width: width, height: height)
        let places = SurfelPlaces(
            width: width, height: height, step: step, stride: stride,
            depth: PixelSize(width: depth.width, height: depth.height))
        let unseen = frame.description.depthPose.map { _ in RGB<UInt8>.unseen }
        colors = (try? frame.color()).map { places.colors(of: FramePlane($0), except: unseen) } ?? []
        confidences = confidence.isEmpty ? [] : places.confidences(confidence)
    }
}

/// The weight of a surfel and a factor of distances, in the bits of one number.
///
/// The weight is in the upper 16 bits, as the upper half of a Float32. The factor makes a distance along the axis perpendicular to the
/// surfel: the cosine between its normal and the ray, times the length of the ray for each meter along the axis. It is in the
/// lower bits, in units of 1/16,384, below 4.
enum SurfelWeight {
    @inline(__always)
    static func packed(weight: Float, factor: Float) -> Float {
        let low = (min(factor * 16384, 65535) + 0x1p23).bitPattern & 0xFFFF
        return Float(bitPattern: weight.bitPattern & 0xFFFF_0000 | low)
    }

    @inline(__always)
    static func weight(_ bits: UInt32) -> Float { Float(bitPattern: bits & 0xFFFF_0000) }

    @inline(__always)
    static func factor(_ bits: UInt32) -> Float {
        (Float(bitPattern: bits & 0xFFFF | 0x4B00_0000) - 0x1p23) * (1 / 16384)
    }
}
