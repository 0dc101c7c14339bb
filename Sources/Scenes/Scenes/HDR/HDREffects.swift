internal import Bytes
internal import DepthMaps
internal import DepthTypes
internal import Effects

// The effects on the HDR rendition: the same as on the picture, at the size of the gain map or less.

/// The blur of a scene's HDR rendition.
struct HDRBlur: Sendable {
    private let gainMap: GainMap
    private let light: HDRLight
    private let disparity: DisparityMap
    private let matte: Matte?
    private let isMatteOfDepth: Bool
    private let aperture: SyntheticAperture
    /// Whether each sample of the gain map is out of focus.
    private let isBlurred: [Bool]

    /// Keeps what the blur needs of a scene, at a quarter of the photo's width and height or less: blurred light has no
    /// details.
    init(_ hdr: SceneHDR, _ scene: FullSizeScene, _ aperture: SyntheticAperture, matte: Matte?) {
        gainMap = hdr.gainMap
        let map = gainMap.reduced(to: 4, below: scene.image)
        let (width, height) = (map.width, map.height)
        light = hdr.light(of: scene.image, by: map, curve: scene.curve)
        disparity = scene.disparity.resampled(toWidth: width, height: height, by: .area)
        self.matte = matte?.resampled(toWidth: width, height: height, by: .area)
        isMatteOfDepth = scene.matte == nil
        let disparities = disparity.resampled(
            toWidth: gainMap.width, height: gainMap.height, by: .bilinear)
        isBlurred = disparities.reciprocalMeters.map { disparity in
            aperture.circleOfConfusion(
                ofDisparity: disparity, width: scene.image.width, height: scene.image.height) >= 1
        }
        var aperture = aperture
        aperture.focalLength *= Float(width) / Float(scene.image.width)
        self.aperture = aperture
    }

    /// The gain map of the blurred picture: unchanged where that is in focus and unchanged.
    func gainMap(of blurred: ColorImage, from picture: ColorImage) -> GainMap {
        let made = light.applying { image in
            image.blurred(
                by: aperture, disparity: disparity, matte: matte, isMatteOfDepth: isMatteOfDepth,
                transferFunction: light.curve)
        }
        return gainMap.changed(to: gainMap.making(made, of: blurred), where: picture, became: blurred) {
            isBlurred[$0]
        }
    }
}

extension SceneHDR {
    /// The gain map of a picture with a layer inserted into it, which is as bright as its white at most.
    ///
    /// - Parameters:
    ///   - layer: The inserted picture, in the scene's color space.
    ///   - result: The picture with the layer.
    ///   - composite: The picture that the layer is inserted into, if it is not the scene's.
    func inserting(
        _ layer: RGBAImage, at placement: LayerPlacement, in scene: FullSizeScene, making result: ColorImage,
        over composite: Picture?, hiddenBy subject: SceneSubject?
    ) -> GainMap {
        let (width, height) = (gainMap.width, gainMap.height)
        let light = light(of: scene.image, by: gainMap, curve: scene.curve)
        let base = composite.map { self.light(of: $0.color, by: $0.gainMap, curve: scene.curve) }
        let dimmed = layer.dimmed(by: light.peak, isGray: isGray, curve: scene.curve)
        let disparity = scene.disparity.resampled(toWidth: width, height: height, by: .area)
        let matte = scene.matte?.resampled(toWidth: width, height: height, by: .area)
        let hiding = subject?.cutout.matte.resampled(toWidth: width, height: height, by: .area)
        var bases = (base?.images ?? []).makeIterator()
        let made = light.applying { image in
            image.inserting(
                dimmed, at: placement,
                focalLength: scene.focalLength * Float(width) / Float(scene.image.width), scene: disparity,
                enlargedFrom: scene.mapSize, matte: matte, transferFunction: scene.curve,
                over: bases.next(), within: hiding)
        }
        return gainMap.making(made, of: result)
    }
}

/// The subject of an HDR rendition, to be composited over backgrounds like that of the picture.
package struct HDRSubject: Sendable {
    /// The scene's, at half the photo's width and height or less.
    private let hdr: SceneHDR
    /// The light of the subject, at a quarter of the photo's width and height or less: the matte has its edge.
    private let light: HDRLight
    /// The fraction of the subject, at the size of the map.
    private let matte: Matte
    /// A remark if the map makes any background brighter.
    private let brightening: Diagnostic?

    /// Cuts the rendition of a picture out by the matte of the picture's cutout.
    init(
        _ hdr: SceneHDR, of picture: ColorImage, along matte: Matte, decontaminates: Bool,
        curve: TransferFunction
    ) throws {
        let map = hdr.gainMap.reduced(to: 2, below: picture)
        self.hdr = SceneHDR(map)
        self.matte = matte.resampled(toWidth: map.width, height: map.height, by: .area)
        brightening = map.brightening
        let small = map.reduced(to: 4, below: picture)
        let light = self.hdr.light(of: picture, by: small, curve: curve)
        guard decontaminates else {
            self.light = light
            return
        }
        let coverage = self.matte.resampled(
            toWidth: small.width, height: small.height, by: .area)
        self.light = try light.applying { image in
            try Cutout(image, opacity: coverage, curve: curve).decontaminated().photo
        }
    }

    /// The gain map of the subject over a background, and a remark if it makes a background without a gain map brighter.
    ///
    /// - Parameters:
    ///   - background: In the picture's color space.
    ///   - rendition: The rendition of the background; `nil` if it has none.
    func gainMap(over background: ColorImage, _ rendition: HDRLight?) -> (GainMap, Diagnostic?) {
        let behind =
            rendition
            ?? HDRLight(
                background, width: min(background.width, light.images[0].width),
                height: min(background.height, light.images[0].height), isGray: light.isGray,
                peak: light.peak, curve: light.curve)
        return (
            hdr.gainMap.mixing(light, over: behind, by: matte), rendition == nil ? brightening : nil
        )
    }
}

extension GainMap {
    /// The map, no larger than a fraction of a picture's width and height: 1 / `divisor`, rounded up.
    fileprivate func reduced(to divisor: Int, below picture: ColorImage) -> GainMap {
        let most = (picture.width + divisor - 1) / divisor
        guard width > most else { return self }
        return resampled(
            toWidth: most, height: max(1, (picture.height + divisor - 1) / divisor), by: .area)
    }

    /// A remark if the least factor that can be stored is more than 1 by what can be seen.
    var brightening: Diagnostic? {
        guard least > 1.01 else { return nil }
        return .note(
            .assumedHDR,
            "the photo's gain map stores factors of at least \(least.short), "
                + "so in HDR what is put into the photo is that much brighter")
    }
}
