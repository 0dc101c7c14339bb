internal import DepthTypes
internal import Embedded
internal import PhotoFormats

extension PlaneDescription {
    /// The fields of a plane in `isobath.info/1` (sizes and calibration as stored).
    func record() -> [(String, JSONValue)] {
        [
            ("kind", .text(kind.rawValue)),
            ("index", .integer(index)),
            ("width", .integer(width)),
            ("height", .integer(height)),
            ("bitDepth", .optional(bitDepth)),
            ("codec", .text(codec)),
            ("source", .text(source)),
            ("unit", .optional(unit)),
            ("minimum", .optional(declaredRange?.low)),
            ("maximum", .optional(declaredRange?.high)),
            ("accuracy", .text(accuracy.rawValue)),
            ("quality", .optional(quality?.rawValue)),
            ("filtered", .optional(isFiltered)),
            ("type", .text(type)),
            ("experimental", .bool(isExperimental)),
            ("orientation", .integer(orientation.rawValue)),
            ("calibration", calibration.map { .object($0.record()) } ?? .null),
            ("blur", blur.map { .object($0.record()) } ?? .null),
        ]
    }
}

extension BlurParameters {
    fileprivate func record() -> [(String, JSONValue)] {
        [
            ("simulatedAperture", .optional(simulatedAperture)),
            ("renderingParametersBytes", .optional(renderingParameters?.count)),
        ] + focus
    }

    /// Present only if the file declares it.
    private var focus: [(String, JSONValue)] {
        let fields: [(String, JSONValue?)] = [
            ("focalPoint", focalPoint.map { .numbers([$0.x, $0.y]) }),
            ("focalDistance", focalDistance.map(JSONValue.number)),
            ("blurAtInfinity", blurAtInfinity.map(JSONValue.number)),
        ]
        return fields.compactMap { name, value in value.map { (name, $0) } }
    }
}

extension CameraCalibration {
    /// The fields of a calibration in JSON. Positions are in pixels, measured from the center of the first pixel;
    /// lengths are in meters, and the pixel size is in millimeters.
    func record() -> [(String, JSONValue)] {
        [
            (
                "intrinsics",
                .object([
                    ("fx", .number(focalLengthX)), ("fy", .number(focalLengthY)),
                    ("cx", .number(principalPointX)),
                    ("cy", .number(principalPointY)), ("width", .integer(width)),
                    ("height", .integer(height)),
                ])
            ),
            ("distortion", distortion.map { .object($0.record()) } ?? .null),
            (
                "extrinsics",
                extrinsics.map {
                    .object([("rotation", .numbers($0.rotation)), ("translation", .numbers($0.translation))])
                } ?? .null
            ),
            ("pixelSize", .optional(pixelSize)),
        ]
            + (lens.map { lens in
                [("lens", .object([("model", .text(lens.model)), ("coefficients", .numbers(lens.numbers))]))]
            } ?? [])
    }
}

extension LensDistortion {
    fileprivate func record() -> [(String, JSONValue)] {
        [
            ("coefficients", .numbers(coefficients)),
            ("inverseCoefficients", .numbers(inverseCoefficients)),
            ("centerX", .number(centerX)),
            ("centerY", .number(centerY)),
        ]
    }
}
