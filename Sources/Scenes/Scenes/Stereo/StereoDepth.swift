package import Bytes
package import DepthMaps
package import DepthTypes
internal import Geometry
package import PhotoFormats
internal import StereoMatching

/// Disparity computed from the two pictures of a stereo photo, for its left picture.
///
/// Pictures are matched upright, as eyes see them: in a picture that is stored upside down, near objects are shifted the
/// other way.
///
/// If the file has baseline and focal length, values are 1/meters of a relative scale:
///
///     1/Z = (d + c) / (f · B)        c: the right picture's principal point less the left one's, in pixels
///
/// With a calibration of both cameras, the scale is absolute. If the file declares a turned camera or different intrinsics, the
/// pictures are rectified first, and c is 0. If the caller gives both numbers, or Exif gives the focal length, c is unknown. It
/// is then chosen so that the farthest samples are at infinity.
///
/// Otherwise values are disparities in pixels, with unknown scale and shift: cameras are toed in and pictures are shifted to
/// look comfortable. `HorizontalDisparityAdjustment` of spatial photos is such a shift, for display only; stored pictures do
/// not include it, so it is ignored.
package struct StereoDepth: Sendable {
    private let pair: StereoPair
    /// The computed disparity, described as the file's planes are.
    package let plane: PlaneDescription
    /// How far each sample of it can be trusted.
    package let confidencePlane: PlaneDescription
    private let match: StereoMatch
    private let rectification: StereoRectification?
    /// Assumptions, and evidence against them.
    package private(set) var diagnostics: [Diagnostic]

    /// Decodes both pictures and matches them.
    ///
    /// Throws ``StereoError`` when they cannot be matched, and ``ContainerError`` when one cannot be read or memory is
    /// insufficient.
    package init(_ pictures: DepthScene, _ pair: StereoPair, limits: DecodingLimits) throws {
        let (size, other) = (pair.left.uprightSize, pair.right.uprightSize)
        guard size == other else { throw StereoError.differentSizes(left: size, right: other) }
        let pixels = try limits.pixelCount(width: size.x, height: size.y)
        try limits.checkMemory(
            pixels: pixels, bytesPerPixel: 2 * MemoryLayout<RGB<UInt16>>.size,
            other: StereoMatcher.memoryBytes(width: size.x, height: size.y))
        let (left, right) = try concurrently(
            { try pictures.view(.left) }, { try pictures.view(.right) })
        try self.init(left: left, right: right, pair)
    }

    /// Matches decoded, upright pictures of one size.
    ///
    /// Throws ``StereoError`` when they cannot be matched.
    package init(left: ColorImage, right: ColorImage, _ pair: StereoPair) throws {
        self.pair = pair
        rectification = pair.rectification
        var matcher = StereoMatcher()
        matcher.aligns = !pair.isRectified
        match = try matcher.match(left: left, right: right, rectifiedBy: rectification)
        guard match.coverage > 0 else { throw StereoError.noMatch }
        guard Self.values(of: match, pair, isRectified: rectification != nil).contains(where: { abs($0) > 0 })
        else { throw StereoError.allAtInfinity }
        let size = PixelSize(width: match.width, height: match.height)
        plane = pair.computedPlane(.disparity, size)
        confidencePlane = pair.computedPlane(.confidence, size)
        diagnostics = Self.diagnostics(pair, match, isRectified: rectification != nil)
        // Without calibration, only the order in the file determines which picture is the left one.
        if pair.computedScale == .affine, let evidence = disparityMap().evidenceAgainstNearSide(),
            match.showsExchangedEyes(in: left)
        {
            diagnostics.append(
                .warning(.doubtfulEyes, "\(evidence), so the file may have the left eye for the right one"))
        }
        let share = Self.shareBehindInfinity(match, pair, isRectified: rectification != nil)
        if share > 0.25 {
            diagnostics.append(
                .warning(
                    .doubtfulEyes,
                    "\(Int(share * 100)) % of the matches are behind infinity and are put there: the left and the right picture may be exchanged, or the camera may be that of another pair"
                ))
        }
    }

    private static func diagnostics(
        _ pair: StereoPair, _ match: StereoMatch, isRectified: Bool
    ) -> [Diagnostic] {
        let share = Int((match.coverage * 100).rounded())
        var facts = ["computed from the stereo pair: \(share) % of the samples matched"]
        if isRectified { facts.append("rectified by the calibration in the file") }
        if let names = pair.cameraNames { facts.append("calibrated by \(names)") }
        if let alignment = match.alignment {
            facts.append("rows were up to \((alignment.largest * 10).rounded() / 10) pixels apart")
        }
        if match.reduction > 1 { facts.append("matched at 1/\(match.reduction) of the size") }
        if pair.isShifted, pair.computedScale != .affine {
            facts.append("what is farthest is taken to be at infinity")
        }
        if pair.computedScale == .affine {
            facts.append(
                "the file has no baseline or no focal length, so disparity is in pixels without a zero")
        }
        return [.note(.computedDepth, facts.joined(separator: "; "))]
    }

    /// The disparity in its scale, `nan` where unknown.
    package func disparityMap(frame: PixelOrientation = .upright) -> DisparityMap {
        let map = DisparityMap(
            width: match.width, height: match.height,
            reciprocalMeters: Self.values(of: match, pair, isRectified: rectification != nil),
            scale: plane.scale, calibration: plane.calibration?.oriented(by: plane.orientation))
        return frame == .upright ? map : map.oriented(by: plane.orientation.inverse)
    }

    /// How distinct each sample's match is: 1…255, and 0 if nothing matches.
    package func confidence(frame: PixelOrientation = .upright) -> SamplePlane {
        frame == .upright ? match.confidence : match.confidence.oriented(by: plane.orientation.inverse)
    }

    /// The disparity in 1/meters if the file allows it. Samples up to a fraction of a pixel behind infinity are put at
    /// infinity.
    private static func values(of match: StereoMatch, _ pair: StereoPair, isRectified: Bool) -> [Float] {
        guard let (divisor, offset) = scale(of: match, pair, isRectified) else { return match.disparity }
        // Matching resolves about a quarter of a pixel; smaller disparities are at infinity.
        return match.disparity.map { disparity in
            guard disparity == disparity else { return .nan }
            let shifted = disparity + offset
            return shifted < 0.25 ? 0 : shifted / divisor
        }
    }

    /// The fraction of the matches that are more than a sample behind infinity; 0 if infinity is unknown.
    private static func shareBehindInfinity(
        _ match: StereoMatch, _ pair: StereoPair, isRectified: Bool
    ) -> Double {
        guard let (_, offset) = scale(of: match, pair, isRectified) else { return 0 }
        let count = match.disparity.count { $0 + offset < -1 }
        return Double(count) / (match.coverage * Double(match.disparity.count))
    }

    /// Converts disparities of a match to 1/meters: (d + offset) / divisor; `nil` without a baseline or a focal length.
    private static func scale(
        of match: StereoMatch, _ pair: StereoPair, _ isRectified: Bool
    ) -> (divisor: Float, offset: Float)? {
        guard let (divisor, stated) = pair.divisor(width: match.width) else { return nil }
        // Rectified pictures have one principal point.
        return (divisor, pair.isShifted ? -farthest(of: match) : isRectified ? 0 : stated)
    }

    /// The disparity in pixels of the farthest samples, one in a hundred excepted.
    private static func farthest(of match: StereoMatch) -> Float {
        let map = DisparityMap(
            width: match.width, height: match.height, reciprocalMeters: match.disparity, scale: .affine)
        return map.percentiles([0.01])?.first ?? 0
    }
}

extension StereoPair {
    /// The description of a computed plane of an upright size, with the orientation of the left picture.
    func computedPlane(_ kind: PlaneKind, _ upright: PixelSize) -> PlaneDescription {
        let size = left.orientation.inverse.size(width: upright.width, height: upright.height)
        let isDepth = kind == .disparity
        var plane = PlaneDescription(
            computed: kind, width: size.width, height: size.height, bitDepth: isDepth ? 32 : 8,
            source: "stereo-pair", type: source, scale: isDepth ? computedScale : nil)
        plane.orientation = left.orientation
        if isDepth { plane.calibration = camera?.scaled(toWidth: size.width, height: size.height) }
        return plane
    }

    /// The scale of disparities computed from the pair.
    package var computedScale: DepthScale {
        if divisor(width: max(1, left.width)) == nil { return .affine }
        return cameraOrigin == .calibration ? .absolute : .relative
    }

    /// Whether the sizes allow computing disparities.
    package var isComputable: Bool {
        left.readError == nil && right.readError == nil && left.uprightSize == right.uprightSize
    }

    /// The left camera in its stored frame: as calibrated, or by the field of view, or by the focal length in Exif if the
    /// baseline is known.
    package var camera: CameraCalibration? {
        let candidates = CameraCandidates(
            file: left.calibration ?? cameraOfFieldOfView,
            focalLength35mm: baseline != nil && left.width > 0 ? focalLength35mm : nil)
        return candidates.known(for: PixelSize(width: left.width, height: left.height))?.calibration
    }

    private var cameraOfFieldOfView: CameraCalibration? {
        guard left.width > 0, let angle = horizontalFieldOfView, angle > 0, angle < 180 else { return nil }
        return CameraCalibration(horizontalFieldOfView: angle, width: left.width, height: left.height)
    }

    /// The rectification of the upright pictures; `nil` if they are not calibrated, or if their rows already correspond.
    var rectification: StereoRectification? {
        guard cameraOrigin != .flags, !isRectified, let first = left.calibration,
            let second = right.calibration
        else { return nil }
        var ours = first.scaled(toWidth: left.width, height: left.height).oriented(by: left.orientation)
        var theirs = second.scaled(toWidth: right.width, height: right.height).oriented(by: right.orientation)
        // Which eye is which refers to upright pictures; positions may refer to them or to the stored ones.
        if left.orientation != .up, Self.isReversed(ours, theirs) {
            for axis in 0..<3 {
                ours.extrinsics?.translation[axis].negate()
                theirs.extrinsics?.translation[axis].negate()
            }
        }
        return StereoRectification(left: ours, right: theirs)
    }

    /// Whether the second camera is to the left of the first, in the axes of the first.
    private static func isReversed(_ first: CameraCalibration, _ second: CameraCalibration) -> Bool {
        guard let a = first.extrinsics, let b = second.extrinsics, a.rotation.count == 9,
            a.translation.count == 3, b.translation.count == 3
        else { return false }
        var step = 0.0
        for axis in 0..<3 {
            step += a.rotation[3 * axis] * (b.translation[axis] - a.translation[axis])
        }
        return step < 0
    }

    /// Whether the views may have been shifted for viewing comfort; the farthest objects are then assumed at infinity. Two files
    /// whose camera is given are as the cameras took them.
    var isShifted: Bool {
        cameraOrigin == .flags && source != "two-files"
            || left.calibration == nil && horizontalFieldOfView == nil
    }

    /// Converts disparities of upright pictures of this width to 1/meters: (d + offset) / divisor.
    func divisor(width: Int) -> (divisor: Float, offset: Float)? {
        guard let camera = camera?.oriented(by: left.orientation), let baseline, baseline > 0,
            baseline.isFinite, camera.width > 0
        else { return nil }
        let scale = Double(width) / Double(camera.width)
        let divisor = camera.focalLengthX * scale * baseline
        guard divisor > 0, divisor.isFinite else { return nil }
        var offset = 0.0
        if let other = right.calibration?.oriented(by: right.orientation), other.width == camera.width {
            offset = (other.principalPointX - camera.principalPointX) * scale
        }
        guard offset.isFinite else { return nil }
        return (Float(divisor), Float(offset))
    }
}

extension CodedView {
    /// The size of the picture once it is turned upright.
    fileprivate var uprightSize: SIMD2<Int> {
        let size = orientation.size(width: width, height: height)
        return SIMD2(size.width, size.height)
    }
}
