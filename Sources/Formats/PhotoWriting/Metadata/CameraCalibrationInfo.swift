/// The camera calibration of a depth plane (namespace `depthData/1.0`) in the stored frame, before the photo is turned
/// upright. Pixel coordinates refer to the reference dimensions, with the origin at the top left corner.
package struct CameraCalibrationInfo: Hashable, Sendable {
    /// Focal lengths, in pixels.
    package var focalLength: SIMD2<Double>
    /// Principal point, in pixels.
    package var principalPoint: SIMD2<Double>
    /// `IntrinsicMatrixReferenceWidth` and `…Height`, in pixels.
    package var referenceDimensions: SIMD2<Int>
    /// `PixelSize`, in millimeters at the reference dimensions; not written if `nil`.
    package var pixelSize: Double?
    /// `ExtrinsicMatrix`: three columns of rotation, then the translation in millimeters.
    package var extrinsicColumns: [SIMD3<Double>]
    /// `LensDistortionCoefficients`: eight coefficients for powers 0…7 of the radius in millimeters; the result is in
    /// percent.
    package var lensDistortion: [Double]?
    /// `InverseLensDistortionCoefficients`, likewise.
    package var inverseLensDistortion: [Double]?
    /// `LensDistortionCenterOffsetX` and `…Y`, in pixels; not written if `nil`.
    package var lensDistortionCenter: SIMD2<Double>?

    /// The extrinsics of the reference camera: no rotation, no translation.
    package static let identityExtrinsics: [SIMD3<Double>] = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]

    package init(
        focalLength: SIMD2<Double>, principalPoint: SIMD2<Double>, referenceDimensions: SIMD2<Int>,
        pixelSize: Double?, extrinsicColumns: [SIMD3<Double>] = identityExtrinsics,
        lensDistortion: [Double]? = nil, inverseLensDistortion: [Double]? = nil,
        lensDistortionCenter: SIMD2<Double>? = nil
    ) {
        (self.focalLength, self.principalPoint) = (focalLength, principalPoint)
        (self.referenceDimensions, self.pixelSize) = (referenceDimensions, pixelSize)
        (self.extrinsicColumns, self.lensDistortion) = (extrinsicColumns, lensDistortion)
        self.inverseLensDistortion = inverseLensDistortion
        self.lensDistortionCenter = lensDistortionCenter
    }

    /// The properties for an ``XMPPacketBuilder``; matrices are written column by column.
    package func properties() throws(ContainerWritingError) -> [XMPProperty] {
        guard extrinsicColumns.count == 4 else {
            throw .notRepresentable(
                field: "depthData:ExtrinsicMatrix", value: "\(extrinsicColumns.count) columns, not 4")
        }
        let intrinsics: [Double] = [
            focalLength.x, 0, 0, 0, focalLength.y, 0, principalPoint.x, principalPoint.y, 1,
        ]
        var properties = [
            try sequence("IntrinsicMatrix", intrinsics),
            text("IntrinsicMatrixReferenceWidth", "\(referenceDimensions.x)"),
            text("IntrinsicMatrixReferenceHeight", "\(referenceDimensions.y)"),
            try sequence("ExtrinsicMatrix", extrinsicColumns.flatMap { [$0.x, $0.y, $0.z] }),
        ]
        if let pixelSize {
            properties.append(
                text("PixelSize", try DecimalText.sixDecimals(pixelSize, field: "depthData:PixelSize")))
        }
        if let lensDistortion {
            properties.append(try sequence("LensDistortionCoefficients", lensDistortion))
        }
        if let inverseLensDistortion {
            properties.append(try sequence("InverseLensDistortionCoefficients", inverseLensDistortion))
        }
        if let center = lensDistortionCenter {
            properties.append(try number("LensDistortionCenterOffsetX", center.x))
            properties.append(try number("LensDistortionCenterOffsetY", center.y))
        }
        return properties
    }

    private func text(_ name: String, _ value: String) -> XMPProperty {
        XMPProperty(.depthData, name, .text(value))
    }

    private func number(_ name: String, _ value: Double) throws(ContainerWritingError) -> XMPProperty {
        text(name, try DecimalText.shortest(value, field: "depthData:\(name)"))
    }

    private func sequence(_ name: String, _ values: [Double]) throws(ContainerWritingError) -> XMPProperty {
        var texts: [String] = []
        for value in values {
            texts.append(try DecimalText.shortest(value, field: "depthData:\(name)"))
        }
        return XMPProperty(.depthData, name, .sequence(texts))
    }
}
