package import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import Geometry
internal import PhotoFormats
package import Scenes

/// A scene as an OpenEXR file: `R`, `G`, `B` in linear light of Rec. 709, `Z` in meters, and mattes as layers, all upright
/// and at the picture's size.
package enum LayeredScene {
    /// The layers of a scene. `Z` follows the picture's edges; `nan` is unknown.
    ///
    /// Throws ``SceneError`` without depth or a picture, or if they show different views.
    package static func exr(of scene: DepthScene) throws -> LayeredEXR {
        let picture = try scene.color()
        let (width, height) = (picture.width, picture.height)
        let depth = try scene.depth()
        _ = try checkedGuide(picture, width: depth.width, height: depth.height)
        var channels = try light(of: picture)
        let meters: [Float]
        if (depth.width, depth.height) == (width, height) {
            meters = depth.meters
        } else {
            // Distances are blended as disparity, and never across edges of the picture.
            meters = try DepthMap(scene.disparity().upsampled(guidedBy: picture)).meters
        }
        channels.append(EXRChannel(name: "Z", samples: meters, isHalf: false))
        for kind in scene.description.planes where kind.isMatte {
            guard let matte = try scene.matte(kind) else { continue }
            let sized =
                (matte.width, matte.height) == (width, height)
                ? matte : try matte.upsampled(guidedBy: picture)
            channels.append(
                EXRChannel(
                    name: "\(kind.rawValue).A", samples: sized.coverage.map { Float($0) / 255 }, isHalf: true)
            )
        }
        return LayeredEXR(
            width: width, height: height, channels: channels,
            attributes: try LayerAttributes.all(of: scene, width: width, height: height))
    }

    /// Programs read `R`, `G` and `B` as linear light of Rec. 709 primaries: colors beyond them are negative or above 1.
    private static func light(of picture: ColorImage) throws -> [EXRChannel] {
        var picture = picture
        var matrix = picture.matrixToLinearSRGB
        var curve = TransferFunction(profile: picture.colorProfile)
        if matrix == nil || curve == nil {
            picture = try picture.converted(toProfile: [])
            (matrix, curve) = (picture.matrixToLinearSRGB, .sRGB)
        }
        let rows = (matrix ?? []).map { Float($0) }
        let light = curve ?? .sRGB
        func channels<Sample>(_ pixels: [RGB<Sample>]) -> [EXRChannel] {
            let table = TransferFunctionTable<Sample>(light).light
            return ["R", "G", "B"].enumerated().map { index, name in
                let (red, green, blue) = (rows[index * 3], rows[index * 3 + 1], rows[index * 3 + 2])
                return EXRChannel(
                    name: name,
                    samples: pixels.map { pixel in
                        red * table[Int(pixel.red)] + green * table[Int(pixel.green)]
                            + blue * table[Int(pixel.blue)]
                    }, isHalf: true)
            }
        }
        return picture.pixels.apply(channels, channels)
    }
}
