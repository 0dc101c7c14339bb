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
    func paired(by reading: RasterInterpretation, limits: DecodingLimits) throws -> DepthPhoto {
        let layout: PairLayout
        if let given = reading.layout {
            layout = given
        } else {
            guard reading.quantity != nil, planes.isEmpty else { return self }
            layout = .whole
        }
        let picture = try reading.colorPath.map { path in
            let color = try PictureFile(contentsOf: path, limits: limits)
            try DepthRaster.checkShape(
                of: color, named: path,
                depth: description.orientation.size(width: description.width, height: description.height))
            return color
        }
        return DepthPhoto(
            self, layout: layout, quantity: reading.quantity ?? .disparity,
            isAssumed: reading.quantity == nil || reading.isQuantityAssumed, picture: picture)
    }
}

extension DepthInput {
    /// A photo without planes of its own, joined with the depth image that stands beside it: for `name.jpg`
    /// `name_depth.png`, `name_depth.jpg` or `name_depth.jpeg`; and the name of that. `nil` where there is none.
    ///
    /// White is near, as in Facebook's 3D photos, unless `reading` says otherwise; there is no unit. Throws when the
    /// depth image is there and cannot be read, or has another shape than the photo.
    package func pairedWithCompanionDepth(
        beside path: String, reading: RasterInterpretation = RasterInterpretation(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> (input: DepthInput, name: String)? {
        guard case .photo(let photo) = self, !photo.planes.contains(where: \.kind.isDepth),
            photo.container.unreadablePlane == nil
        else {
            return nil
        }
        for beside in Self.depthImages(beside: path) where (try? FileSource(path: beside)) != nil {
            var reading = reading
            reading.isQuantityAssumed = reading.quantity == nil
            reading.quantity = reading.quantity ?? .disparity
            reading.colorPath = path
            let input = try DepthInput(contentsOf: beside, reading: reading, limits: limits)
            return (input, beside.lastPathComponent)
        }
        return nil
    }

    /// Where a depth image that goes with a photo would stand, whether it does or not.
    package static func depthImages(beside path: String) -> [String] {
        guard !path.pathExtension.isEmpty else { return [] }
        let stem = path.dropLast(path.pathExtension.count + 1)
        return ["png", "jpg", "jpeg"].map { "\(stem)_depth.\($0)" }
    }
}
