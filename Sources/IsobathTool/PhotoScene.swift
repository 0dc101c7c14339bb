internal import Isobath

/// A photo with its depth and its camera at the photo's size: what `blur` and `occlude` work on.
struct PhotoScene {
    let image: ColorImage
    /// Without unknown samples; without a unit, too, the nearest things are taken to be one meter away.
    let disparity: DisparityMap
    /// The portrait matte at the photo's size, where the file has one.
    let matte: Matte?
    let curve: ToneCurve
    /// In pixels of the photo.
    let focalLength: Float
    let metadata: PictureMetadata
    /// What the user should know.
    let remarks: [String]

    /// Decodes photo, depth and matte. Throws ``PlaneNotFound`` without depth.
    init(_ photo: DepthInput) throws {
        _ = try photo.depthPlane()
        let (image, (map, matte)) = try concurrently(
            { try photo.requiredImage() }, { (try photo.disparityMap(), try photo.matte()) })
        let known = map.reckonable
        guard known.statistics.range != nil else { throw CompositingError.noKnownDepth }
        let guide = try checkedGuide(image, width: map.width, height: map.height)
        self.image = image
        let upsampled = known.filled().upsampled(guidedBy: guide)
        disparity = photo.depthHasUnit ? upsampled : upsampled.withNearestAtOneMeter
        curve = ToneCurve(profile: image.colorProfile) ?? .sRGB
        self.matte = try matte.map { [curve] in try Cutout(image, along: $0, curve: curve).refined().matte }
        let (camera, source) = CameraCalibration.best(
            file: map.calibration, focalLength35mm: photo.focalLength35mm, width: image.width,
            height: image.height)
        focalLength = Float(camera.scaled(toWidth: image.width, height: image.height).focalLengthX)
        guard focalLength > 0, focalLength.isFinite else {
            throw CloudError.invalidFocalLength(camera.focalLengthX)
        }
        let (blocks, unkept) = photo.metadata()
        metadata = blocks
        remarks =
            photo.remarks + (source == .file || source == .given ? [] : ["the camera: \(source)"]) + unkept
    }
}

extension DisparityMap {
    /// The map scaled so that what is nearest, but for one sample in a hundred, is at one meter: a use for values that
    /// have no unit where a picture has to be made of them.
    fileprivate var withNearestAtOneMeter: DisparityMap {
        guard let nearest = percentiles([0.99])?.first, nearest > 0 else { return self }
        return replacing(reciprocalMeters: reciprocalMeters.map { $0 / nearest })
    }
}

extension DepthInput {
    /// What to say behind a distance in meters: nothing, or how far it can be trusted.
    var scaleWords: String {
        guard let accuracy = (try? depthPlane())?.accuracy, accuracy != .absolute else { return "" }
        return " (\(accuracy.rawValue) scale)"
    }
}
