internal import Compositing
internal import DepthCore
internal import DepthModel
internal import ImageCodecs
internal import PointClouds

/// A scene with everything brought to the picture's size: what blur and occlusion work on.
struct FullSizeScene {
    let image: ColorImage
    /// Without unknown samples. Without a unit, the nearest things are taken to be one meter away.
    let disparity: DisparityMap
    /// The samples of the stored map.
    let mapSize: PixelSize
    /// The refined portrait matte, where the file has one.
    let matte: Matte?
    let curve: TransferFunction
    /// Where the camera is known from.
    let cameraSource: CameraSource
    /// In pixels of the picture.
    let focalLength: Float

    /// Decodes picture, depth and matte. Throws ``SceneError`` without depth or a picture.
    init(_ scene: DepthScene) throws {
        let scale = try scene.requireDepth().scale
        let (image, (map, matte)) = try concurrently(
            { try scene.color() }, { (try scene.disparity(), try scene.matte()) })
        let known = map.finiteOnly
        guard known.statistics.range != nil else { throw CompositingError.noKnownDepth }
        let guide = try checkedGuide(image, width: map.width, height: map.height)
        let upsampled = try known.filled().upsampled(guidedBy: guide)
        self.image = image
        mapSize = PixelSize(width: map.width, height: map.height)
        disparity =
            switch scale {
            case .affine: upsampled.fromInfinityToOneMeter
            case _ where scale.isMetric: upsampled
            default: upsampled.withNearestAtOneMeter
            }
        curve = TransferFunction(profile: image.colorProfile) ?? .sRGB
        self.matte = try matte.map { [curve] in
            try Cutout(image, along: $0, curve: curve)
                .refined(isCoarse: scene.description.hasCoarseMatte).matte
        }
        let size = PixelSize(width: image.width, height: image.height)
        let camera = scene.description.cameras.camera(for: size)
        cameraSource = camera.source
        focalLength = Float(camera.calibration.scaled(toWidth: size.width, height: size.height).focalLengthX)
        guard focalLength > 0, focalLength.isFinite else {
            throw SceneError.focalLength(camera.calibration.focalLengthX)
        }
    }
}

extension DisparityMap {
    /// The map scaled and shifted so that what is farthest is at infinity and what is nearest at one meter, but for one sample in a hundred
    /// each: a use for values whose zero is not known, where a picture has to be made of them.
    fileprivate var fromInfinityToOneMeter: DisparityMap {
        guard let ends = percentiles([0.01, 0.99]), ends[1] > ends[0] else { return self }
        return replacing(reciprocalMeters: reciprocalMeters.map { ($0 - ends[0]) / (ends[1] - ends[0]) })
    }

    /// The map scaled so that what is nearest, but for one sample in a hundred, is at one meter: a use for values that
    /// have no unit where a picture has to be made of them.
    fileprivate var withNearestAtOneMeter: DisparityMap {
        guard let nearest = percentiles([0.99])?.first, nearest > 0 else { return self }
        return replacing(reciprocalMeters: reciprocalMeters.map { $0 / nearest })
    }
}
