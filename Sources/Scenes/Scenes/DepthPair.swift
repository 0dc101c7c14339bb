package import Bytes
internal import DepthTypes
internal import PhotoFormats

extension DepthPhoto {
    /// Whether a reading turned the file into a pair of photo and depth, or into a depth image.
    var isPair: Bool { container is DeclaredDepthContainer }

    /// The photo reinterpreted as photo and depth side by side, or as a depth image, according to `reading`. A photo
    /// that contains planes is returned unchanged.
    func paired(
        by reading: ReadingOptions, with given: NamedPicture?, limits: DecodingLimits
    ) throws -> DepthPhoto {
        let layout: PairLayout
        if let given = reading.layout {
            layout = given
        } else {
            guard reading.quantity != nil, planes.isEmpty else { return self }
            layout = .whole
        }
        guard reading.quantity != .distance else { throw SceneError.distanceInPhoto }
        let picture = try given ?? NamedPicture(reading.colorPath, limits: limits)
        try picture?.checkShape(
            depth: description.orientation.size(width: description.width, height: description.height))
        return DepthPhoto(
            self, layout: layout, quantity: reading.quantity?.converted ?? .disparity,
            isAssumed: reading.quantity == nil || reading.isQuantityAssumed, picture: picture?.file)
    }
}

extension DepthScene {
    /// A photo without planes, joined with the depth image beside it, and that image's name; `nil` if there is no such image.
    /// For `name.jpg` these are `name_depth.png`, `name_depth.jpg` and `name_depth.jpeg`.
    ///
    /// White is near, as in Facebook's 3D photos, unless `reading` sets a quantity or the image has more than 8 bits.
    /// Values have no unit. Throws when the depth image cannot be read, or has another shape than the photo.
    package func pairedWithCompanionDepth(
        beside path: String, reading: ReadingOptions = ReadingOptions(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> (scene: DepthScene, name: String)? {
        guard description.file?.isWithoutDepth == true else { return nil }
        for beside in DepthScene.depthImages(beside: path) {
            guard let bytes = try? FileSource(path: beside, limits: limits) else { continue }
            var reading = reading
            // Rasters decide by another rule which side is near; this one is for photos.
            reading.isQuantityAssumed = reading.quantity == nil
            reading.quantity = reading.quantity ?? .disparity
            reading.colorPath = nil
            let picture = NamedPicture(file: source, path: path)
            let pair = try DepthScene(
                storedIn: bytes, named: beside, reading: reading, with: picture, limits: limits)
            return (pair, beside.lastPathComponent)
        }
        return nil
    }
}

extension DepthScene {
    /// The paths where the depth image of a photo is looked for.
    package static func depthImages(beside path: String) -> [String] {
        guard !path.pathExtension.isEmpty else { return [] }
        let stem = path.dropLast(path.pathExtension.count + 1)
        return ["png", "jpg", "jpeg"].map { "\(stem)_depth.\($0)" }
    }
}

/// A picture that belongs to depth, with its path for messages.
package struct NamedPicture {
    let file: any SceneSource
    let path: String

    init(file: any SceneSource, path: String) { (self.file, self.path) = (file, path) }

    /// Opens the picture at a path; `nil` if the path is. Throws ``SceneError/unreadablePicture(path:_:)``.
    init?(_ path: String?, limits: DecodingLimits) throws(SceneError) {
        guard let path else { return nil }
        do throws(ContainerError) {
            self.init(file: try openPicture(path, limits: limits), path: path)
        } catch {
            throw SceneError.unreadablePicture(path: path, error)
        }
    }

    /// Throws ``SceneError/differentShape(path:picture:depth:)`` if the picture's shape differs from that of the upright
    /// depth.
    func checkShape(depth: (width: Int, height: Int)) throws(SceneError) {
        let depth = PixelSize(width: depth.width, height: depth.height)
        guard let shown = file.describe().colorSize, !depth.hasSameAspect(as: shown) else { return }
        throw .differentShape(path: path, picture: shown, depth: depth)
    }
}
