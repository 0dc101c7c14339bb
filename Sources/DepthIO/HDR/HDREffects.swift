internal import Compositing
internal import DepthCore
internal import DepthModel

// The effects on the HDR rendition: the same as on the picture, at the size of the gain map or less.

/// The blur of a scene's HDR rendition.
struct HDRBlur: Sendable {
    private let gainMap: GainMap
    private let light: HDRLight
    private let disparity: DisparityMap
    private let matte: Matte?
    private let aperture: SyntheticAperture
    /// Whether each sample of the gain map is out of focus.
    private let isBlurred: [Bool]

    /// Keeps what the blur needs of a scene, at a quarter of the photo's width and height or less: blurred light has no
    /// details.
    init(_ hdr: SceneHDR, _ scene: FullSizeScene, _ aperture: SyntheticAperture, matte: Matte?) {
        gainMap = hdr.gainMap
        var map = hdr.gainMap
        if map.width * 4 > scene.image.width {
            map = map.resampled(
                toWidth: max(1, scene.image.width / 4), height: max(1, scene.image.height / 4), by: .area)
        }
        let (width, height) = (map.width, map.height)
        light = hdr.light(of: scene.image, by: map, curve: scene.curve)
        disparity = scene.disparity.resampled(toWidth: width, height: height, by: .area)
        self.matte = matte?.resampled(toWidth: width, height: height, by: .area)
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
                by: aperture, disparity: disparity, matte: matte, transferFunction: light.curve)
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
    private let hdr: SceneHDR
    private let light: HDRLight
    private let cutouts: [Cutout]

    /// Cuts the rendition of a picture out by the matte of the picture's cutout.
    init(
        _ hdr: SceneHDR, of picture: ColorImage, along matte: Matte, decontaminates: Bool,
        curve: TransferFunction
    ) throws(CompositingError) {
        self.hdr = hdr
        light = hdr.light(of: picture, by: hdr.gainMap, curve: curve)
        let small = matte.resampled(toWidth: hdr.gainMap.width, height: hdr.gainMap.height, by: .area)
        var cutouts: [Cutout] = []
        for image in light.images {
            let cut = try Cutout(image, opacity: small, curve: curve)
            cutouts.append(decontaminates ? cut.decontaminated() : cut)
        }
        self.cutouts = cutouts
    }

    /// The gain map of the subject over a background.
    ///
    /// - Parameters:
    ///   - background: In the picture's color space.
    ///   - light: The rendition of the background at the size of the gain map; `nil` if it has none.
    ///   - composite: The picture over the background.
    func gainMap(
        over background: ColorImage, _ light: HDRLight?, making composite: ColorImage
    ) throws -> GainMap {
        let behind = light ?? hdr.light(of: background, by: nil, curve: self.light.curve)
        var backgrounds = behind.images.makeIterator()
        var fronts = cutouts.makeIterator()
        let made = try self.light.applying { image in
            guard let front = fronts.next(), let background = backgrounds.next() else { return image }
            return try front.over(.image(background))
        }
        return hdr.gainMap.making(made, of: composite)
    }
}
