internal import Bytes
package import DepthMaps
package import DepthTypes

/// The answer of a depth network.
package enum NetworkDepth: Sendable {
    /// Disparity up to scale and shift.
    case affine(DisparityMap)
    /// Meters, and the focal length in pixels of the picture, if the network estimates one.
    case relative(DepthMap, focalLength: Double?)

    /// Disparity in the scale of the answer, and the focal length.
    var disparity: (map: DisparityMap, focalLength: Double?) {
        switch self {
        case .affine(let map): (map, nil)
        case .relative(let map, let focalLength): (DisparityMap(reciprocalOf: map), focalLength)
        }
    }
}

extension Network {
    /// The size of the answer for a picture of this size: the size of the picture in the network's input, widened to the
    /// picture's aspect ratio.
    package func answerSize(for picture: PixelSize) -> PixelSize {
        input.plan(for: picture).picture.widened(toShapeOf: picture)
    }

    /// The depth of a picture, at ``answerSize(for:)``. `camera` is the picture's.
    ///
    /// Throws ``NetworkError``, and ``ContainerError`` if a tensor would be too large.
    package func depth(of image: ColorImage, camera: ResolvedCamera) throws -> NetworkDepth {
        try profile.require(.depth)
        let picture = PixelSize(width: image.width, height: image.height)
        let (answers, plan, size) = (try run(on: image), input.plan(for: picture), answerSize(for: picture))
        if profile.meaning == .affineDisparity {
            let (plane, found) = try plane(answers[0])
            let map = DisparityMap(
                width: found.width, height: found.height, reciprocalMeters: plane, scale: .affine
            ).cropped(to: plan)
            return .affine(map.resampled(toWidth: size.width, height: size.height, by: .bilinear))
        }
        let (meters, focalLength) = try meters(in: answers, plan, camera.scaled(to: picture))
        // Distances are blended as disparities: otherwise far surfaces would spread over near ones.
        let disparity = DisparityMap(reciprocalOf: meters).cropped(to: plan)
            .resampled(toWidth: size.width, height: size.height, by: .bilinear)
        return .relative(
            DepthMap(reciprocalOf: disparity), focalLength: focalLength.flatMap { $0 > 0 ? $0 : nil })
    }

    /// The depth at the size of the answer, and the estimated focal length in pixels of the picture.
    private func meters(
        in answers: [NetworkTensor], _ plan: NetworkInput.Plan, _ camera: ResolvedCamera
    ) throws(NetworkError) -> (map: DepthMap, focalLength: Double?) {
        func answer(_ name: String?) -> NetworkTensor? {
            name.flatMap { outputNames.firstIndex(of: $0) }.map { answers[$0] }
        }
        let enlargement = Double(camera.calibration.width) / Double(plan.picture.width)
        var focalLength = answer(profile.focalLengthOutput)?.values.first.map { Double($0) * enlargement }
        let points = profile.meaning == .depth ? nil : try PointMap(answers[0], named: outputNames[0])
        var (values, found): ([Float], PixelSize)
        if let points {
            (values, found) = (points.z, points.size)
        } else {
            (values, found) = try plane(answers[0])
        }
        let unknown = try unknown(answer(profile.validityOutput), found)
        if let points, profile.meaning == .affinePoints {
            let scale = Double(found.width) / Double(plan.size.width) / enlargement
            let known = camera.source == .assumed ? nil : camera.calibration.focalLengthX * scale
            let lens = try points.lens(focalLength: known, omitting: unknown)
            focalLength = lens.focalLength / scale
            values = values.map { $0 + Float(lens.shift) }
        }
        var factor = answer(profile.scaleOutput)?.values.first ?? 1
        if let canonical = profile.canonicalFocalLength {
            factor *= Float(camera.calibration.focalLengthX / enlargement) / canonical
        }
        // Distances must be positive.
        let meters = values.indices.map { index in
            let value = unknown?[index] == true ? .nan : values[index] * factor
            return value > 0 ? value : .nan
        }
        return (
            DepthMap(width: found.width, height: found.height, meters: meters, scale: .relative), focalLength
        )
    }

    /// Whether each pixel of an answer has no depth; `nil` if all may have.
    private func unknown(_ validity: NetworkTensor?, _ size: PixelSize) throws(NetworkError) -> [Bool]? {
        guard let validity, let name = profile.validityOutput else { return nil }
        let own = try validity.planeSize(named: name)
        guard own == size else { throw .answer("'\(name)' is \(own), and the depth \(size)") }
        return validity.values.map { $0 <= 0.5 }
    }

    /// The matte of a picture, at ``answerSize(for:)``.
    ///
    /// Throws ``NetworkError``, and ``ContainerError`` if a tensor would be too large.
    package func matte(of image: ColorImage) throws -> Matte { try matte(of: view(of: image)) }

    /// The matte of a prepared view; otherwise as ``matte(of:)-(ColorImage)``.
    package func matte(of view: View) throws -> Matte {
        try profile.require(.matte)
        let answers = try run(on: view)
        let size = answerSize(for: view.size)
        let (plane, found) = try plane(answers[0])
        let map = DisparityMap(
            width: found.width, height: found.height, reciprocalMeters: plane, scale: .unitless
        ).cropped(to: input.plan(for: view.size)).resampled(
            toWidth: size.width, height: size.height, by: .bilinear)
        return Matte(
            width: size.width, height: size.height,
            coverage: map.samples.map { UInt8(min(max($0, 0), 1) * 255 + 0.5) })
    }

    /// The numbers of an answer that is a single plane, after the profile's activation.
    private func plane(_ tensor: NetworkTensor) throws(NetworkError) -> ([Float], PixelSize) {
        let size = try tensor.planeSize(named: outputNames[0])
        return (profile.activation.applied(to: tensor.values), size)
    }
}

extension DisparityMap {
    /// The part of an answer that shows the picture, without the border around it.
    fileprivate func cropped(to plan: NetworkInput.Plan) -> DisparityMap {
        guard plan.picture != plan.size else { return self }
        func part(_ start: Int, _ count: Int, of side: Int, in length: Int) -> Range<Int> {
            let factor = Double(length) / Double(side)
            let first = min(Int(Double(start) * factor), length - 1)
            return first..<min(max(Int(Double(start + count) * factor), first + 1), length)
        }
        let columns = part(plan.left, plan.picture.width, of: plan.size.width, in: width)
        let rows = part(plan.top, plan.picture.height, of: plan.size.height, in: height)
        return DisparityMap(
            width: columns.count, height: rows.count,
            reciprocalMeters: reciprocalMeters.cropped(width: width, to: columns, rows), scale: scale)
    }
}
