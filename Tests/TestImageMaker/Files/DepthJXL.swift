/// A JPEG XL with extra channels for depth, of 16 bits, and alpha; both have the photo's size.
enum DepthJXL {
    static func file(_ photo: Raster) throws -> [UInt8] {
        let depth = Render.deepPlane(
            width: photo.width, height: photo.height, bitDepth: 16, Render.distanceShare)
        return try JPEGXLEncoder.encode(photo, depth: depth, alpha: try Plane.portraitMatte(.level).raster)
    }
}
