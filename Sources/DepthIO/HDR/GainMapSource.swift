package import ByteParsing
package import DepthCore
internal import DepthModel
internal import ImageContainers

/// A source of scenes whose picture may have a gain map.
package protocol GainMapSource: DepthSceneSource {
    /// The gain map of the picture, upright; `nil` without one. Throws if it cannot be read.
    func gainMap() throws -> GainMap?
}

extension DepthScene {
    /// The gain map of the scene's picture, upright: how much brighter than the picture its HDR rendition is; `nil` without one.
    ///
    /// Decodes it on each call. Throws ``ContainerError`` if it cannot be read, or its parameters are missing or unsupported.
    package func gainMap() throws -> GainMap? {
        guard showsPhoto, let source = source as? any GainMapSource else { return nil }
        return try cancellable { try source.gainMap() }
    }
}

extension PictureFile {
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
