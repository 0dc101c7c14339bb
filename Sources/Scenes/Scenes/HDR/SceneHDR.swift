package import Bytes
internal import Codecs
package import DepthMaps
internal import DepthTypes
internal import Effects

/// A scene's picture and its HDR rendition, which an effect is applied to as well. The gain map of the result is their quotient.
package struct SceneHDR: Sendable {
    /// The gain map of the picture.
    package let gainMap: GainMap

    /// The gain map of a picture. Throws if it shows another view.
    init(_ picture: ColorImage, _ gainMap: GainMap) throws(ContainerError) {
        let size = PixelSize(width: picture.width, height: picture.height)
        let mapSize = PixelSize(width: gainMap.width, height: gainMap.height)
        guard size.width > 0, size.height > 0, mapSize.width > 0, mapSize.hasSameAspect(as: size) else {
            throw ContainerError(
                .malformed(rule: "the gain map has \(mapSize) samples, which is not the shape of \(size)"))
        }
        self.gainMap = gainMap
    }

    /// A gain map that shows the scene's picture.
    init(_ gainMap: GainMap) { self.gainMap = gainMap }

    /// Whether the map has one plane.
    var isGray: Bool { gainMap.factors.count == 1 }

    /// A picture and its rendition by a map; without one, the picture is its own rendition. `size` is the scene's map's
    /// without a map.
    func light(of picture: ColorImage, by map: GainMap?, curve: TransferFunction) -> HDRLight {
        map.map { HDRLight(picture, $0, isGray: isGray, peak: gainMap.peak, curve: curve) }
            ?? HDRLight(
                picture, width: gainMap.width, height: gainMap.height, isGray: isGray, peak: gainMap.peak,
                curve: curve)
    }
}

extension DepthScene {
    /// The gain map of the scene's picture, and a remark if there is one that cannot be kept. `decoded`: the gain map, if it has
    /// been decoded already.
    func hdr(
        of picture: ColorImage, keepsHDR: Bool, decoded: Result<GainMap?, any Error>? = nil
    ) throws -> (hdr: SceneHDR?, diagnostics: [Diagnostic]) {
        guard keepsHDR, description.hasGainMap else { return (nil, []) }
        do {
            guard let map = try decoded?.get() ?? gainMap() else { return (nil, []) }
            return (try SceneHDR(picture, map), showsPhoto ? [] : [.assumedHDR])
        } catch let error as ContainerError {
            return (nil, [.lostHDR(error.message)])
        }
    }
}

extension Diagnostic {
    /// The gain map belongs to the photo, and the picture is the original from before an effect.
    fileprivate static let assumedHDR = Diagnostic.note(
        .assumedHDR, "the photo's HDR gain map is used for the original from before the effect")

    /// A background is brighter than the photo's gain map can express.
    static let dimmedHDR = Diagnostic.note(
        .lostHDR, "the HDR light of the background is clipped to the brightest light of the photo's gain map")

    /// An inserted picture has a gain map.
    package static let dimmedLayer = Diagnostic.note(
        .lostHDR, "the HDR gain map of the inserted picture is dropped: it is as bright as its white at most")

    /// The gain map is not kept, for a reason.
    static func lostHDR(_ reason: String) -> Diagnostic {
        .note(.lostHDR, "the HDR gain map is dropped: \(reason)")
    }
}
