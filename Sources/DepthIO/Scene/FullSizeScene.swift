internal import Compositing
internal import DepthCore
internal import DepthModel
internal import ImageCodecs
internal import PointClouds

/// A scene with everything at the picture's size: the input of blur and occlusion.
struct FullSizeScene {
    let image: ColorImage
    /// Has no unknown samples. Without a unit, the nearest objects are put one meter away.
    let disparity: DisparityMap
    /// The size of the stored map.
    let mapSize: PixelSize
    /// The refined portrait matte, if the file has one.
    let matte: Matte?
    let curve: TransferFunction
    /// The origin of the camera's values.
    let cameraSource: CameraSource
    /// In pixels of the picture.
    let focalLength: Float

    /// Decodes picture, depth and matte. Throws ``SceneError`` without depth or a picture.
    init(_ scene: DepthScene) throws {
        let scale = try scene.requireDepth().scale
        let (image, (map, matte)) = try concurrently(
            { try scene.color() }, { (try scene.disparity(), try scene.portraitMatte()) })
        let known = map.finiteOnly
        guard known.statistics.range != nil else { throw CompositingError.noKnownDepth }
        let guide = try checkedGuide(image, width: map.width, height: map.height)
        let upsampled = try known.filled(guidedBy: guide).upsampled(guidedBy: guide)
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
    /// The map scaled and shifted so that the farthest samples are at infinity and the nearest at one meter, one sample in a
    /// hundred excepted at each end. For rendering values whose zero is unknown.
    fileprivate var fromInfinityToOneMeter: DisparityMap {
        guard let ends = percentiles([0.01, 0.99]), ends[1] > ends[0] else { return self }
        return replacing(reciprocalMeters: reciprocalMeters.map { ($0 - ends[0]) / (ends[1] - ends[0]) })
    }

    /// The map scaled so that the nearest samples, one in a hundred excepted, are at one meter. For rendering values without
    /// a unit.
    fileprivate var withNearestAtOneMeter: DisparityMap {
        guard let nearest = percentiles([0.99])?.first, nearest > 0 else { return self }
        return replacing(reciprocalMeters: reciprocalMeters.map { $0 / nearest })
    }
}
