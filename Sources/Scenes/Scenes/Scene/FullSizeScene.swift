internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import Geometry

/// A scene with everything at the picture's size: the input of blur and occlusion.
struct FullSizeScene {
    let image: ColorImage
    /// Has no unknown samples. Without a unit, the nearest objects are put one meter away.
    let disparity: DisparityMap
    /// The conversion of the file's disparities to these.
    let disparityScale: DisparityScale
    /// The size of the stored map.
    let mapSize: PixelSize
    /// The refined portrait matte, if the file has one.
    let matte: Matte?
    let curve: TransferFunction
    /// The origin of the camera's values.
    let cameraSource: CameraSource
    /// In pixels of the picture.
    let focalLength: Float

    /// Decodes picture, depth and matte. `disparityScale` replaces the one of the scene's own disparities. Throws ``SceneError``
    /// without depth or a picture.
    init(_ scene: DepthScene, disparityScale: DisparityScale? = nil) throws {
        let scale = try scene.requireDepth().scale
        let (image, (map, matte)) = try concurrently(
            { try scene.color() }, { (try scene.disparity(), try scene.portraitMatte()) })
        let known = map.finiteOnly
        guard known.statistics.range != nil else { throw CompositingError.noKnownDepth }
        let guide = try checkedGuide(image, width: map.width, height: map.height)
        let upsampled = try known.filled(guidedBy: guide).upsampled(guidedBy: guide)
        self.image = image
        mapSize = PixelSize(width: map.width, height: map.height)
        self.disparityScale = disparityScale ?? DisparityScale(scale, upsampled)
        disparity = self.disparityScale.applied(to: upsampled)
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

/// A linear function of disparities that puts values without a unit at distances for rendering. One sample in a hundred
/// may be beyond them.
struct DisparityScale: Hashable, Sendable {
    private var origin: Float = 0
    /// The file's disparity that becomes 1/meter, from the origin.
    private(set) var unit: Float = 1

    /// Changes nothing if values have a unit. Otherwise the nearest samples are put at one meter, and, if the zero of values
    /// is unknown, the farthest at infinity.
    init(_ scale: DepthScale, _ map: DisparityMap) {
        guard !scale.hasUnit, let ends = map.percentiles([0.01, 0.99]) else { return }
        if scale == .affine {
            guard ends[1] > ends[0] else { return }
            (origin, unit) = (ends[0], ends[1] - ends[0])
        } else if ends[1] > 0 {
            unit = ends[1]
        }
    }

    func applied(to value: Float) -> Float { (value - origin) / unit }

    func applied(to map: DisparityMap) -> DisparityMap {
        origin == 0 && unit == 1 ? map : map.replacing(reciprocalMeters: map.reciprocalMeters.map(applied))
    }
}
