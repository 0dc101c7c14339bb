package import Bytes
package import DepthMaps
internal import DepthTypes
internal import PhotoFormats

/// A source of scenes whose picture may have a gain map.
package protocol GainMapSource: DepthSceneSource {
    /// Whether the picture has a gain map. Decodes nothing.
    var hasGainMap: Bool { get }

    /// The gain map of the picture, upright; `nil` without one. Throws if it cannot be read.
    func gainMap() throws -> GainMap?
}

extension DepthScene {
    /// Whether the photo has a gain map, so that it is shown in HDR. Decodes nothing.
    package var hasGainMap: Bool { (source as? any GainMapSource)?.hasGainMap ?? false }

    /// The gain map of the photo, upright: how much brighter than the picture its HDR rendition is; `nil` without one. An original
    /// from before an effect has the gain map of the photo.
    ///
    /// Decodes it on each call. Throws ``ContainerError`` if it cannot be read, or its parameters are missing or unsupported.
    package func gainMap() throws -> GainMap? {
        guard let source = source as? any GainMapSource else { return nil }
        return try cancellable { try source.gainMap() }
    }
}

extension PictureFile {
    /// Whether the picture has a gain map.
    package var hasGainMap: Bool { photo?.storedPlane(.gainMap) != nil }

    /// The gain map of a photo, upright; `nil` without one.
    package func gainMap() throws(ContainerError) -> GainMap? { try photo?.ownGainMap() }
}

extension DepthPhoto {
    /// The photo's own gain map, upright; `nil` without one.
    func ownGainMap() throws(ContainerError) -> GainMap? {
        guard let plane = storedPlane(.gainMap) else { return nil }
        if let error = plane.readError { throw error }
        let parameters = try container.gainMapParameters(of: plane, limits: limits)
        if let color = try color(of: plane.description) { return GainMap(color, parameters: parameters) }
        return GainMap(try codes(of: plane.description), parameters: parameters)
    }
}
