internal import DepthMaps
package import DepthTypes

/// Rotates the pictures of two calibrated cameras so that a point is in the same row of both.
///
/// Both are mapped to the left camera's intrinsics and to one orientation, whose x axis runs from the left camera to the
/// right one and whose z axis is as near the left camera's as that allows (A. Fusiello, E. Trucco and A. Verri, "A compact
/// algorithm for rectification of stereo pairs", 2000). A rotated camera sees the same rays, so both maps are homographies K
/// · R · K′⁻¹, valid at every distance. If the right camera is beside the left one along its rows, the left picture is
/// unchanged. Lens distortion is not corrected.
package struct StereoRectification: Sendable {
    /// From rectified pixels to pixels of the left picture; `nil` if they are the same.
    private let left: Homography?
    /// From rectified pixels to pixels of the right picture.
    private let right: Homography
    /// From pixels of the left picture to rectified ones.
    private let back: Homography
    /// The rectified z axis in rays of the left picture's pixels: z of a pixel (x, y) is `depth` · (x, y, 1).
    private let depth: SIMD3<Double>

    /// `nil` if rectification is unnecessary or impossible: the pictures match to a quarter of a pixel, except for a shift
    /// along rows; or one camera is behind the other or looks elsewhere, so that they see nothing in common.
    ///
    /// Extrinsics are from each camera to a common frame; if a camera has no extrinsics, the cameras are assumed to be
    /// parallel and side by side. Both calibrations are in pixels of the pictures.
    package init?(left: CameraCalibration, right: CameraCalibration) {
        guard left.width == right.width, left.height == right.height, let ours = Self.intrinsics(left),
            let theirs = Self.intrinsics(right)
        else { return nil }
        // The right camera in the left one's frame.
        var turn = Homography.identity
        var position = SIMD3<Double>(1, 0, 0)
        if let a = left.extrinsics, let b = right.extrinsics {
            guard let first = Self.rotation(a.rotation), let second = Self.rotation(b.rotation),
                a.translation.count == 3, b.translation.count == 3
            else { return nil }
            turn = first.transposed * second
            let move = SIMD3(b.translation) - SIMD3(a.translation)
            if move != .zero { position = first.transposed * move }
        }
        let size = SIMD2(Double(left.width), Double(left.height))
        var frame = Homography.identity
        guard let common = Self.frame(along: position) else { return nil }
        let map = ours.matrix * common * ours.inverse
        let stays = Self.isShift(map, size, atMost: 0)
        if !stays { frame = common }
        self.left = stays ? nil : map
        self.right = theirs.matrix * turn.transposed * frame * ours.inverse
        back = ours.matrix * frame.transposed * ours.inverse
        depth = ours.inverse.transposed * (frame * SIMD3(0, 0, 1))
        guard Self.isFinite(self.right, size), Self.isFinite(back, size) else { return nil }
        if stays, Self.isShift(self.right, size, atMost: .infinity) { return nil }
    }

    private static func intrinsics(_ camera: CameraCalibration) -> (matrix: Homography, inverse: Homography)?
    {
        let (fx, fy) = (camera.focalLengthX, camera.focalLengthY)
        let (cx, cy) = (camera.principalPointX, camera.principalPointY)
        guard fx > 0, fy > 0, fx.isFinite, fy.isFinite, cx.isFinite, cy.isFinite else { return nil }
        return (
            Homography([fx, 0, cx, 0, fy, cy, 0, 0, 1]),
            Homography([1 / fx, 0, -cx / fx, 0, 1 / fy, -cy / fy, 0, 0, 1])
        )
    }

    /// A rotation with normalized columns, if a file's numbers are one within their precision.
    private static func rotation(_ numbers: [Double]) -> Homography? {
        guard numbers.count == 9 else { return nil }
        let matrix = Homography(numbers)
        let product = matrix * matrix.transposed
        let identity = Homography.identity.rows
        let error =
            (product.rows.0 - identity.0) * (product.rows.0 - identity.0)
            + (product.rows.1 - identity.1) * (product.rows.1 - identity.1)
            + (product.rows.2 - identity.2) * (product.rows.2 - identity.2)
        return error.sum() < 1e-4 ? matrix : nil
    }

    /// The rotation from the rectified frame to the left camera; `nil` unless the right camera is roughly to the right.
    private static func frame(along position: SIMD3<Double>) -> Homography? {
        let x = position / (position * position).sum().squareRoot()
        // More than 45° off the row, the pictures would be stretched beyond use.
        guard x.x > 0.7 else { return nil }
        var z = SIMD3<Double>(0, 0, 1) - x.z * x
        z /= (z * z).sum().squareRoot()
        let y = SIMD3(z.y * x.z - z.z * x.y, z.z * x.x - z.x * x.z, z.x * x.y - z.y * x.x)
        return Homography(x, y, z).transposed
    }

    private static func corners(_ size: SIMD2<Double>) -> [SIMD2<Double>] {
        [SIMD2(0, 0), SIMD2(size.x - 1, 0), SIMD2(0, size.y - 1), size - 1, (size - 1) / 2]
    }

    private static func isFinite(_ map: Homography, _ size: SIMD2<Double>) -> Bool {
        let most = 4 * max(size.x, size.y)
        return corners(size).allSatisfy {
            let place = map.mapped($0)
            return abs(place.x) <= most && abs(place.y) <= most
        }
    }

    /// Whether the map moves all corners along rows by the same amount, at most `most`, to a quarter of a pixel.
    private static func isShift(_ map: Homography, _ size: SIMD2<Double>, atMost most: Double) -> Bool {
        let moves = corners(size).map { map.mapped($0) - $0 }
        let shift = abs(moves[4].x) <= most ? moves[4].x : 0
        return moves.allSatisfy { abs($0.x - shift) <= 0.25 && abs($0.y) <= 0.25 }
    }

    /// The left picture, rectified.
    func left(_ image: GrayImage) -> GrayImage { left.map { image.warped($0) } ?? image }

    /// The right picture, rectified.
    func right(_ image: GrayImage) -> GrayImage { image.warped(right) }

    /// Maps the result for the rectified left picture back to the left picture: the nearest sample, with the disparity of the
    /// same distance along the left camera's axis.
    ///
    /// With d = f · B / Z in both frames, and z the rectified depth per unit of the left camera's depth along a ray, Z′ = z ·
    /// Z and d = z · d′.
    func restored(_ match: StereoMatch) -> StereoMatch {
        guard left != nil else { return match }
        let map = back.reduced(by: match.reduction)
        let scale = Double(match.reduction)
        guard case .uint8(let codes) = match.confidence.codes else { return match }
        var disparity = [Float](repeating: .nan, count: codes.count)
        var confidence = [UInt8](repeating: 0, count: codes.count)
        for row in 0..<match.height {
            for column in 0..<match.width {
                let index = row * match.width + column
                let place = map.mapped(SIMD2(Double(column), Double(row)))
                guard place.x > -0.5, place.y > -0.5, place.x < Double(match.width) - 0.5,
                    place.y < Double(match.height) - 0.5
                else { continue }
                let source = Int(place.y.rounded()) * match.width + Int(place.x.rounded())
                let pixel = (SIMD2(Double(column), Double(row)) + 0.5) * scale - 0.5
                let share = (depth * SIMD3(pixel.x, pixel.y, 1)).sum()
                disparity[index] = match.disparity[source] * Float(share)
                confidence[index] = codes[source]
            }
        }
        return StereoMatch(
            width: match.width, height: match.height, disparity: disparity,
            confidence: SamplePlane(
                width: match.width, height: match.height, bitDepth: 8, codes: .uint8(confidence)),
            reduction: match.reduction, searched: match.searched, alignment: match.alignment)
    }
}

extension SIMD3<Double> {
    fileprivate init(_ numbers: [Double]) { self.init(numbers[0], numbers[1], numbers[2]) }
}
