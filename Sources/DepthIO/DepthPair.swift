internal import AtomicFiles
package import ByteParsing
internal import DepthModel
internal import ImageContainers
internal import RasterContainers

extension DepthPhoto {
    /// Whether a reading made it a pair of photo and depth, or a depth image.
    var isPair: Bool { container is DeclaredDepthContainer }

    /// The photo as what `reading` says it is: photo and depth side by side, or nothing but depth, where it has no planes
    /// of its own. Otherwise it stays as it is.
    func paired(
        by reading: RasterInterpretation, with given: NamedPicture?, limits: DecodingLimits
    ) throws -> DepthPhoto {
        let layout: PairLayout
        if let given = reading.layout {
            layout = given
        } else {
            guard reading.quantity != nil, planes.isEmpty else { return self }
            layout = .whole
        }
        let picture = try given ?? NamedPicture(reading.colorPath, limits: limits)
        try picture?.checkShape(
            depth: description.orientation.size(width: description.width, height: description.height))
        return DepthPhoto(
            self, layout: layout, quantity: reading.quantity ?? .disparity,
            isAssumed: reading.quantity == nil || reading.isQuantityAssumed, picture: picture?.file)
    }
}

extension PlaneSource {
    /// A photo without planes of its own, joined with the depth image that stands beside it: for `name.jpg`
    /// `name_depth.png`, `name_depth.jpg` or `name_depth.jpeg`; and the name of that. `nil` where there is none.
    ///
    /// White is near, as in Facebook's 3D photos, unless `reading` says otherwise or the image has more than 8 bits; there is no
    /// unit. Throws when the
    /// depth image is there and cannot be read, or has another shape than the photo.
    package func pairedWithCompanionDepth(
        beside path: String, reading: RasterInterpretation = RasterInterpretation(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> (source: any PlaneSource, name: String)? {
        guard isWithoutDepth else { return nil }
        for beside in DepthScene.depthImages(beside: path) {
            guard let source = try? FileSource(path: beside, limits: limits) else { continue }
            let pair = try paired(
                withDepthImage: source, named: beside, reading: reading, limits: limits, as: path)
            return (pair, beside.lastPathComponent)
        }
        return nil
    }

    /// A photo without planes of its own, joined with a depth image that is anywhere; the input itself where it has depth.
    ///
    /// Means, and throws, what ``pairedWithCompanionDepth(beside:reading:limits:)`` does; `path` names the photo in errors.
    package func paired(
        withDepthImage source: any ByteSource, named name: String,
        reading: RasterInterpretation = RasterInterpretation(), limits: DecodingLimits = DecodingLimits(),
        as path: String
    ) throws -> any PlaneSource {
        guard isWithoutDepth, let pictureFile else { return self }
        var reading = reading
        // Rasters have a rule of their own for which side is near; for photos it is this one.
        reading.isQuantityAssumed = reading.quantity == nil
        reading.quantity = reading.quantity ?? .disparity
        reading.colorPath = nil
        let picture = NamedPicture(file: pictureFile, path: path)
        return try DepthScene.source(
            source, named: name, reading: reading, with: picture, limits: limits)
    }
}

extension DepthScene {
    /// Where a depth image that goes with a photo would stand, whether it does or not.
    package static func depthImages(beside path: String) -> [String] {
        guard !path.pathExtension.isEmpty else { return [] }
        let stem = path.dropLast(path.pathExtension.count + 1)
        return ["png", "jpg", "jpeg"].map { "\(stem)_depth.\($0)" }
    }
}

/// A picture that belongs to depth, and its path for messages.
package struct NamedPicture {
    let file: PictureFile
    let path: String

    init(file: PictureFile, path: String) { (self.file, self.path) = (file, path) }

    /// Opens the picture at a path; `nil` for none. Throws ``SceneError/unreadablePicture(path:_:)``.
    init?(_ path: String?, limits: DecodingLimits) throws(SceneError) {
        guard let path else { return nil }
        do throws(ContainerError) {
            self.init(file: try PictureFile(contentsOf: path, limits: limits), path: path)
        } catch {
            throw SceneError.unreadablePicture(path: path, error)
        }
    }

    /// Throws ``SceneError/differentShape(path:picture:depth:)`` where it cannot show the same view as depth of an upright size.
    func checkShape(depth: (width: Int, height: Int)) throws(SceneError) {
        let size = file.size(.upright)
        let (shown, depth) = (
            PixelSize(width: size.width, height: size.height),
            PixelSize(width: depth.width, height: depth.height)
        )
        guard depth.hasSameAspect(as: shown) else {
            throw .differentShape(path: path, picture: shown, depth: depth)
        }
    }
}
