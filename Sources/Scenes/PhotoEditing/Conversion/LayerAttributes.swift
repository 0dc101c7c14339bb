internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Geometry
internal import PhotoFormats
internal import Scenes

/// The attributes of a scene's OpenEXR file: the meaning of `Z`, and the camera.
///
/// The camera is stored in OpenEXR's standard attributes (`ImfStandardAttributes.h`), which compositors import, and as text.
enum LayerAttributes {
    /// The attributes of a scene whose layers have this size.
    static func all(of scene: DepthScene, width: Int, height: Int) throws -> [EXRAttribute] {
        let scale = try scene.scale()
        let camera = try scene.resolvedCamera()
        let sized = camera.calibration.scaled(toWidth: width, height: height)
        let numbers = [sized.focalLengthX, sized.focalLengthY, sized.principalPointX, sized.principalPointY]
        var attributes = [
            text("depth.unit", scale.hasUnit ? "m" : "none"),
            text("depth.accuracy", scale.accuracy.rawValue),
            text("camera.intrinsics", numbers.map { "\($0)" }.joined(separator: " ")),
            text("camera.source", camera.source.name),
            EXRAttribute(name: "worldToCamera", value: .matrix(worldToCamera)),
            EXRAttribute(name: "worldToNDC", value: .matrix(worldToNDC(sized, width, height))),
        ]
        if let make = scene.description.cameraMake { attributes.append(text("cameraMake", make)) }
        if let model = scene.description.cameraModel { attributes.append(text("cameraModel", model)) }
        if let aperture = scene.description.simulatedAperture, aperture > 0 {
            attributes.append(EXRAttribute(name: "depth.simulatedAperture", value: .number(aperture)))
        }
        return attributes
    }

    private static func text(_ name: String, _ value: String) -> EXRAttribute {
        EXRAttribute(name: name, value: .text(value))
    }

    /// The world has the axes of clouds (x right, y up, z backward, the camera at the origin); OpenEXR's camera looks along
    /// z.
    private static let worldToCamera: [Float] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1]

    /// From the world to (0, 0) at the top left of the picture and (1, 1) at its bottom right, after division by the last number.
    private static func worldToNDC(_ camera: CameraCalibration, _ width: Int, _ height: Int) -> [Float] {
        let (width, height) = (Double(width), Double(height))
        let (x, y) = ((camera.principalPointX + 0.5) / width, (camera.principalPointY + 0.5) / height)
        // With a near plane at 1 cm, nearer points have a negative third number.
        let near = 0.01
        return [
            camera.focalLengthX / width, 0, 0, 0, 0, -camera.focalLengthY / height, 0, 0, -x, -y, -1, -1, 0,
            0,
            -near, 0,
        ].map { Float($0) }
    }
}
