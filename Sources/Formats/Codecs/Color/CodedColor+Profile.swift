internal import CLCMS
internal import DepthMaps
internal import DepthTypes

extension CodedColor {
    /// The chromaticities of red, green, blue and white (ITU-T H.273, table 2); `nil` for those of sRGB and for code
    /// points without a meaning.
    var chromaticities: (red: SIMD2<Double>, green: SIMD2<Double>, blue: SIMD2<Double>, white: SIMD2<Double>)?
    {
        let (d65, c) = (SIMD2(0.3127, 0.3290), SIMD2(0.310, 0.316))
        switch primaries {
        case 4: return (SIMD2(0.67, 0.33), SIMD2(0.21, 0.71), SIMD2(0.14, 0.08), c)
        case 5: return (SIMD2(0.64, 0.33), SIMD2(0.29, 0.60), SIMD2(0.15, 0.06), d65)
        case 6, 7: return (SIMD2(0.630, 0.340), SIMD2(0.310, 0.595), SIMD2(0.155, 0.070), d65)
        case 9: return (SIMD2(0.708, 0.292), SIMD2(0.170, 0.797), SIMD2(0.131, 0.046), d65)
        case 11:
            return (SIMD2(0.680, 0.320), SIMD2(0.265, 0.690), SIMD2(0.150, 0.060), SIMD2(0.314, 0.351))
        case 12: return (SIMD2(0.680, 0.320), SIMD2(0.265, 0.690), SIMD2(0.150, 0.060), d65)
        case 22: return (SIMD2(0.630, 0.340), SIMD2(0.295, 0.605), SIMD2(0.155, 0.077), d65)
        default: return nil
        }
    }

    /// The exponent of a transfer characteristic that is a power; `nil` for the curve of sRGB, which displays also use for
    /// BT.709, BT.601 and BT.2020.
    private var exponent: Double? {
        switch transfer {
        case 4: 2.2
        case 5: 2.8
        case 8: 1
        default: nil
        }
    }

    /// An ICC profile with these primaries and this transfer characteristic; empty for sRGB. Its tag `cicp` has the code points.
    func colorProfile() -> [UInt8] {
        guard chromaticities != nil || exponent != nil || isHDR else { return [] }
        let (d65, sRGB) = (
            SIMD2(0.3127, 0.3290), (SIMD2(0.64, 0.33), SIMD2(0.30, 0.60), SIMD2(0.15, 0.06))
        )
        let (red, green, blue, white) = chromaticities ?? (sRGB.0, sRGB.1, sRGB.2, d65)
        func point(_ xy: SIMD2<Double>) -> cmsCIExyY { cmsCIExyY(x: xy.x, y: xy.y, Y: 1) }
        var (whitePoint, corners) = (
            point(white), cmsCIExyYTRIPLE(Red: point(red), Green: point(green), Blue: point(blue))
        )
        guard let curve = unsafe toneCurve() else { return [] }
        defer { unsafe cmsFreeToneCurve(curve) }
        var curves: [OpaquePointer?] = unsafe [curve, curve, curve]
        guard let profile = unsafe cmsCreateRGBProfile(&whitePoint, &corners, &curves) else { return [] }
        defer { _ = unsafe cmsCloseProfile(profile) }
        let transfer = exponent != nil || isHDR ? transfer : 13
        var signal = cmsVideoSignalType(
            ColourPrimaries: chromaticities == nil ? 1 : UInt8(clamping: primaries),
            TransferCharacteristics: UInt8(clamping: transfer), MatrixCoefficients: 0, VideoFullRangeFlag: 1)
        _ = unsafe cmsWriteTag(profile, cmsSigcicpTag, &signal)
        if let name = unsafe cmsMLUalloc(nil, 1) {
            _ = unsafe cmsMLUsetASCII(name, "en", "US", "CICP \(primaries)/\(transfer)")
            _ = unsafe cmsWriteTag(profile, cmsSigProfileDescriptionTag, UnsafeRawPointer(name))
            unsafe cmsMLUfree(name)
        }
        var size: UInt32 = 0
        guard unsafe cmsSaveProfileToMem(profile, nil, &size) != 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        guard unsafe cmsSaveProfileToMem(profile, &bytes, &size) != 0, bytes.count > 36 else { return [] }
        // The date and time of the profile's making: the same picture gives the same bytes every time.
        bytes.replaceSubrange(24..<36, with: [0x07, 0xD0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
        return bytes
    }

    private func toneCurve() -> OpaquePointer? {
        guard !isHDR else {
            let unit = transfer == 16 ? 203.0 / 10000 : 1
            let samples = (0..<4096).map { UInt16((65535 * unit * light(Double($0) / 4095)).rounded()) }
            return unsafe cmsBuildTabulatedToneCurve16(nil, UInt32(samples.count), samples)
        }
        // The parametric curve 4 of ICC.1, §10.18: IEC 61966-2-1; curve 1 is a power.
        let parameters = exponent.map { [$0] } ?? [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
        return unsafe cmsBuildParametricToneCurve(nil, exponent == nil ? 4 : 1, parameters)
    }

    /// The code points in the tag `cicp` of a profile; `nil` without it.
    init?(profile: [UInt8]) {
        guard !profile.isEmpty, let opened = try? ColorProfile(profile),
            let tag = unsafe cmsReadTag(opened.handle, cmsSigcicpTag)
        else { return nil }
        let signal = unsafe tag.assumingMemoryBound(to: cmsVideoSignalType.self).pointee
        self.init(
            primaries: Int(signal.ColourPrimaries), transfer: Int(signal.TransferCharacteristics),
            matrixCoefficients: 0, isFullRange: true)
    }
}
