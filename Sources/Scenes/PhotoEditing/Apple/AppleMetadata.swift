internal import DepthMaps
internal import DepthTypes
internal import Embedded
internal import PhotoFormats
internal import PhotoWriting
internal import Scenes

/// Apple's XMP for a plane that is inserted into a photo.
enum AppleMetadata {
    /// The properties of depth or disparity in the photo's stored frame, and the properties of ``carried(from:)``.
    static func properties(
        of depth: CodedDepth, _ carried: [XMPProperty]
    ) throws(ContainerWritingError) -> [XMPProperty] {
        let quantity = depth.mapping.quantity
        let (low, high) = (Double(depth.mapping.low), Double(depth.mapping.high))
        let storesHalves = depth.mapping.storesHalves
        let isHalf = storesHalves || isExactInHalf(low) && isExactInHalf(high)
        let native: FourCC =
            quantity == .disparity ? (isHalf ? "hdis" : "fdis") : (isHalf ? "hdep" : "fdep")
        // Binary16 can store unknown samples as `nan`; linear codes use 0, below the first one.
        let stored: FourCC = storesHalves ? native : depth.codes.maximumCode > 255 ? "L016" : "L008"
        var properties = try PixelDataInfo(
            auxiliaryImageType: quantity.rawValue, nativeFormat: native, storedFormat: stored,
            codeRange: storesHalves ? nil : depth.mapping.lowCode...depth.mapping.highCode,
            valueRange: low...high
        ).properties()
        let info = try DepthDataInfo(
            quality: depth.quality == .low ? .low : .high,
            accuracy: depth.scale == .absolute ? .absolute : .relative,
            isFiltered: depth.isFiltered ?? depth.mapping.isLine,
            calibration: depth.calibration.map(calibration)
        ).properties()
        // Keeps the source's version, if it has one.
        let hasVersion = depth.xmp.contains(namespace: XMPNamespace.depthData.uri)
        properties += info.filter { !hasVersion || $0.name != version }
        return properties + carried
    }

    /// The properties of a matte in a JPEG, where only they identify it.
    static func properties(
        ofMatte kind: PlaneKind, _ carried: [XMPProperty]
    ) throws(ContainerWritingError) -> [XMPProperty] {
        let isPortrait = kind == .matte
        return try PixelDataInfo(
            auxiliaryImageType: isPortrait ? "depth" : type(ofMatte: kind),
            auxiliaryImageSubType: isPortrait ? "portraiteffectsmatte" : nil, nativeFormat: "L008"
        ).properties() + versions(ofMatte: kind, carried)
    }

    /// The carried properties of a matte, or the version that identifies one.
    static func versions(ofMatte kind: PlaneKind, _ carried: [XMPProperty]) -> [XMPProperty] {
        guard carried.isEmpty else { return carried }
        return [kind == .matte ? .portraitEffectsMatteVersion() : .semanticSegmentationMatteVersion()]
    }

    /// The properties of a gain map.
    static func properties(
        of gainMap: PhotoEdit.GainMapPlane
    ) throws(ContainerWritingError) -> [XMPProperty] {
        var properties = try PixelDataInfo(
            auxiliaryImageType: "urn:com:apple:photo:2020:aux:hdrgainmap", nativeFormat: "L008"
        ).properties()
        properties += gainMap.carried.isEmpty ? [.hdrGainMapVersion()] : gainMap.carried
        return properties
    }

    /// The auxiliary type of a matte.
    static func type(ofMatte kind: PlaneKind) -> String {
        switch kind {
        case .skin, .hair, .teeth: "urn:com:apple:photo:2019:aux:semantic\(kind.rawValue)matte"
        case .glasses, .sky: "urn:com:apple:photo:2020:aux:semantic\(kind.rawValue)matte"
        default: "urn:com:apple:photo:2018:aux:portraiteffectsmatte"
        }
    }

    /// Whether six decimals determine a binary16 number: smaller numbers are closer together than that.
    private static func isExactInHalf(_ value: Double) -> Bool {
        Double(Float16(value)) == value && (value == 0 || abs(value) >= 0.002)
    }

    private static func calibration(_ camera: CameraCalibration) -> CameraCalibrationInfo {
        var info = CameraCalibrationInfo(
            focalLength: [camera.focalLengthX, camera.focalLengthY],
            // Apple measures from the corner of the first pixel.
            principalPoint: [camera.principalPointX + 0.5, camera.principalPointY + 0.5],
            referenceDimensions: [camera.width, camera.height], pixelSize: camera.pixelSize)
        if let extrinsics = camera.extrinsics, extrinsics.rotation.count == 9,
            extrinsics.translation.count == 3
        {
            let (rotation, shift) = (extrinsics.rotation, extrinsics.translation)
            info.extrinsicColumns = (0..<3).map { [rotation[$0], rotation[$0 + 3], rotation[$0 + 6]] }
            info.extrinsicColumns.append([shift[0] * 1000, shift[1] * 1000, shift[2] * 1000])
        }
        if let lens = camera.distortion, lens.coefficients.count == 8, lens.inverseCoefficients.count == 8 {
            info.lensDistortion = lens.coefficients
            info.inverseLensDistortion = lens.inverseCoefficients
            info.lensDistortionCenter = [lens.centerX + 0.5, lens.centerY + 0.5]
        }
        return info
    }
}
