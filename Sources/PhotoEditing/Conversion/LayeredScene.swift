internal import Compositing
internal import DepthCore
package import DepthIO
internal import DepthModel
package import ImageCodecs
internal import PointClouds

/// A scene as an OpenEXR file: `R`, `G`, `B` in linear light, `Z` in meters, and mattes as layers, all upright and of the picture's
/// size.
package enum LayeredScene {
    /// The layers of a scene. `Z` follows the picture's edges; `nan` is unknown.
    ///
    /// Throws ``SceneError`` without depth or a picture, or where the two do not show the same view.
    package static func exr(of scene: DepthScene) throws -> LayeredEXR {
        let picture = try scene.color()
        let (width, height) = (picture.width, picture.height)
        let depth = try scene.depth()
        _ = try checkedGuide(picture, width: depth.width, height: depth.height)
        var channels = light(of: picture)
        let meters: [Float]
        if (depth.width, depth.height) == (width, height) {
            meters = depth.meters
        } else {
            // Distances are blended in disparity, and never across edges of the picture.
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
            width: width, height: height, channels: channels, attributes: try attributes(scene, picture))
    }

    private static func light(of picture: ColorImage) -> [EXRChannel] {
        let curve = TransferFunction(profile: picture.colorProfile) ?? .sRGB
        func channels<Sample>(_ pixels: [RGB<Sample>]) -> [EXRChannel] {
            let table = TransferFunctionTable<Sample>(curve)
            return [
                EXRChannel(name: "R", samples: pixels.map { table.light[Int($0.red)] }, isHalf: true),
                EXRChannel(name: "G", samples: pixels.map { table.light[Int($0.green)] }, isHalf: true),
                EXRChannel(name: "B", samples: pixels.map { table.light[Int($0.blue)] }, isHalf: true),
            ]
        }
        switch picture.pixels {
        case .uint8(let pixels): return channels(pixels)
        case .uint16(let pixels): return channels(pixels)
        }
    }

    /// What `Z` means and the camera that saw it, in pixels of the file.
    private static func attributes(_ scene: DepthScene, _ picture: ColorImage) throws -> [(String, String)] {
        let scale = try scene.scale()
        let camera = try scene.resolvedCamera()
        let sized = camera.calibration.scaled(toWidth: picture.width, height: picture.height)
        let numbers = [sized.focalLengthX, sized.focalLengthY, sized.principalPointX, sized.principalPointY]
        return [
            ("depth.unit", scale.isMetric ? "m" : "none"), ("depth.accuracy", scale.accuracy.rawValue),
            ("camera.intrinsics", numbers.map { "\($0)" }.joined(separator: " ")),
            ("camera.source", camera.source.name),
        ]
    }
}
