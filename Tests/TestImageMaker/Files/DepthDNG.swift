import Foundation
import PhotoBuilders
import PhotoWriting

/// A DNG: a small raw image, its preview, depth of 16 bits as it is, and the portrait matte deflated.
enum DepthDNG {
    static func file(_ photo: Raster) throws -> [UInt8] {
        let picture = MultiPictureJPEG.Picture(
            jpeg: try JPEGEncoder.encode(photo, quality: 80), iccProfile: ICCProfile.displayP3)
        let preview = try MultiPictureJPEG(primary: picture).serialized()
        let depth = Render.deepPlane(width: reduced(192), height: reduced(144), bitDepth: 16) { ray in
            (1 / GoogleJPEG.near - 1 / Render.distance(ray)) / (1 / GoogleJPEG.near - 1 / GoogleJPEG.far)
        }
        let mosaic = mosaic(photo)
        let matte = try Plane.portraitMatte(.level)
        return try DNGFile(
            preview: image(photo, preview), raw: image(mosaic, mosaic.samples),
            depth: .init(
                width: reduced(192), height: reduced(144), bitDepth: 16, isDeflated: false,
                data: depth.bigEndianBytes),
            near: GoogleJPEG.near, far: GoogleJPEG.far,
            masks: [
                .init(
                    name: matte.urn,
                    image: image(
                        matte.raster, try PNGEncoder.compressed(matte.raster.samples), isDeflated: true))
            ], make: "Isobath", model: "Analytic Scene", focalLengthIn35mmFilm: 43
        ).serialized()
    }

    private static func image(_ raster: Raster, _ data: [UInt8], isDeflated: Bool = false) -> DNGFile.Image {
        DNGFile.Image(
            width: UInt32(raster.width), height: UInt32(raster.height), bitDepth: 8, isDeflated: isDeflated,
            data: data)
    }

    /// Every second pixel in linear light, one color of each: red, green / green, blue.
    private static func mosaic(_ photo: Raster) -> Raster {
        Raster(width: photo.width / 2, height: photo.height / 2, channels: 1) { x, y in
            let code = photo[2 * x, 2 * y].dropFirst(x % 2 + y % 2).first ?? 0
            let share = Double(code) / 255
            let light = share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
            return [UInt8((light * 255).rounded())]
        }
    }
}
