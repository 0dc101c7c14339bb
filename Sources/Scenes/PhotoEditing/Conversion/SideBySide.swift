package import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import Embedded
package import Scenes

/// A picture with its depth beside it in one frame (RGB-D), as used by displays and players of depth photos.
package enum SideBySide {
    /// The frame of a scene, upright, in 8 bits: the picture on the left, and depth as disparity over its range, white near,
    /// unknown samples as far.
    ///
    /// Throws ``SceneError`` without depth or a picture, or if they show different views.
    package static func frame(of scene: DepthScene) throws -> Raster {
        let picture = try scene.color().in8Bits
        var disparity = try scene.disparity()
        _ = try checkedGuide(picture, width: disparity.width, height: disparity.height)
        if disparity.width < picture.width, disparity.height < picture.height {
            disparity = disparity.enlarged(guidedBy: picture)
        } else {
            disparity = disparity.resampled(toWidth: picture.width, height: picture.height, by: .area)
        }
        let known = disparity.reciprocalMeters.filter(\.isFinite)
        let range = (known.min() ?? 0, known.max() ?? 0)
        let shares = disparity.normalized()
        let codes = shares.codes(bitDepth: 8)
        guard case .uint8(let samples) = codes.codes, case .uint8(let pixels) = picture.pixels else {
            throw SceneError.noPicture
        }
        let gray = samples.map { RGB<UInt8>(red: $0, green: $0, blue: $0) }
        let (width, height) = (picture.width, picture.height)
        let frame = StereoPicture.sideBySide(pixels, gray, width: width)
        var raster = Raster(
            width: 2 * width, height: height, samples: .color(.uint8(frame)),
            colorProfile: picture.colorProfile, record: record(scene, range).serialized)
        raster.metadata.exif = scene.metadata().blocks.exif
        return raster
    }

    /// How the frame was made, to be stored in PNG files.
    private static func record(_ scene: DepthScene, _ range: (Float, Float)) -> JSONValue {
        let scale = scene.description.depth?.scale ?? .unitless
        return .object([
            ("layout", .text("rgbd")), ("depth", .text("right")), ("near", .text("white")),
            ("quantity", .text(DepthQuantity.disparity.rawValue)),
            ("unit", .optional(scale.hasUnit ? DepthQuantity.disparity.unit : nil)),
            ("minimum", .number(Double(range.0))), ("maximum", .number(Double(range.1))),
            ("accuracy", .text(scale.accuracy.rawValue)),
        ])
    }
}
