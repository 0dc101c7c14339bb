internal import Isobath

extension DepthInput {
    /// The photo itself, upright. Throws ``PlaneNotFound`` for a raster without one.
    func requiredImage() throws -> ColorImage {
        guard let image = try image() else {
            throw MissingPhoto()
        }
        return image
    }

    /// The size of the photo, upright. Throws ``MissingPhoto`` for a raster without one.
    func requiredImageSize() throws -> (width: Int, height: Int) {
        guard let size = imageSize() else { throw MissingPhoto() }
        return size
    }

    /// What a picture made of the photo keeps of its metadata, and what of it cannot be kept.
    func metadata() -> (blocks: PictureMetadata, remarks: [String]) {
        let (blocks, diagnostics) = pictureMetadata()
        return (blocks, diagnostics.map { "warning: metadata is left out: \($0)" })
    }

    /// Where the camera marked faces, the largest first.
    var faces: [NormalizedPoint] { marks(.face) }

    /// Where the camera was focused, as it says itself: the point of the effect, then the camera's own.
    var focusMarks: [NormalizedPoint] {
        let plane = try? depthPlane()
        guard let plane, let point = plane.blur?.focalPoint, (0...1).contains(point.x),
            (0...1).contains(point.y)
        else { return marks(.focus) }
        let upright = plane.orientation.point(point.x, point.y, width: 1, height: 1)
        return [NormalizedPoint(x: upright.x, y: upright.y)] + marks(.focus)
    }

    private func marks(_ kind: PhotoRegion.Kind) -> [NormalizedPoint] {
        let regions = pictureRegions().filter { $0.kind == kind }
        return regions.sorted { $0.width * $0.height > $1.width * $1.height }
            .map { NormalizedPoint(x: min(max($0.x, 0), 1), y: min(max($0.y, 0), 1)) }
    }
}

/// A raster was given without the photo that a picture is made of.
struct MissingPhoto: Error, CustomStringConvertible {
    var description: String { "a raster has no photo" }
}

/// Opens a picture of the command line; `-` is standard input.
func openPicture(_ path: String, limits: DecodingLimits) throws -> PictureFile {
    guard path == "-" else { return try PictureFile(contentsOf: path, limits: limits) }
    return try PictureFile(FileSource.contents(ofStream: 0, limits: limits), limits: limits)
}

extension PictureFile {
    /// The picture as a matte: its opacity where it has some, else its gray.
    func matte() throws -> Matte {
        hasAlpha ? Matte(opacityOf: try translucentImage()) : Matte(grayOf: try image())
    }
}

extension ColorImage {
    /// One pixel of an sRGB color, at 16 bits.
    init(_ color: RGB<UInt8>) {
        let pixel = RGB(
            red: UInt16(color.red) * 257, green: UInt16(color.green) * 257, blue: UInt16(color.blue) * 257)
        self.init(width: 1, height: 1, pixels: .uint16([pixel]), colorProfile: [])
    }

    /// The image in the color space of another; one whose profile cannot be used is taken as sRGB, and so is the other.
    func converted(like other: ColorImage, _ remarks: inout [String]) -> ColorImage {
        if let converted = try? converted(toProfile: other.colorProfile) { return converted }
        if let converted = try? assigned(profile: []).converted(toProfile: other.colorProfile) {
            remarks.append("a color profile cannot be used; colors are taken as sRGB")
            return converted
        }
        return self
    }
}

extension TranslucentImage {
    /// The image in the color space of a photo; one whose profile cannot be used is taken as sRGB.
    func converted(like photo: ColorImage, _ remarks: inout [String]) -> TranslucentImage {
        if let converted = try? converted(toProfile: photo.colorProfile) { return converted }
        remarks.append("a color profile cannot be used; colors are taken as sRGB")
        return (try? assigned(profile: []).converted(toProfile: photo.colorProfile)) ?? self
    }
}
