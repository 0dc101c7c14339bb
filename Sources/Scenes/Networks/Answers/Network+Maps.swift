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
    /// The size of the answer for a picture of this size: the size of the network's input, widened to the picture's
    /// aspect ratio.
    package func answerSize(for picture: PixelSize) -> PixelSize {
        input.plan(for: picture).size.widened(toShapeOf: picture)
    }

    /// The depth of a picture, at ``answerSize(for:)``.
    ///
    /// Throws ``NetworkError``, and ``ContainerError`` if a tensor would be too large.
    package func depth(of image: ColorImage) throws -> NetworkDepth {
        try profile.require(.depth)
        let answers = try run(on: image)
        let size = answerSize(for: PixelSize(width: image.width, height: image.height))
        let (plane, found) = try plane(answers[0])
        if profile.meaning == .affineDisparity {
            let map = DisparityMap(
                width: found.width, height: found.height, reciprocalMeters: plane, scale: .affine)
            return .affine(map.resampled(toWidth: size.width, height: size.height, by: .bilinear))
        }
        // Distances must be positive.
        let meters = DepthMap(
            width: found.width, height: found.height, meters: plane.map { $0 > 0 ? $0 : .nan },
            scale: .relative)
        let input = input.plan(for: PixelSize(width: image.width, height: image.height)).size
        let focalLength = answers.dropFirst().first?.values.first.map {
            Double($0) * Double(image.width) / Double(input.width)
        }
        // Distances are blended as disparities: otherwise far surfaces would spread over near ones.
        let disparity = DisparityMap(reciprocalOf: meters)
            .resampled(toWidth: size.width, height: size.height, by: .bilinear)
        return .relative(
            DepthMap(reciprocalOf: disparity), focalLength: focalLength.flatMap { $0 > 0 ? $0 : nil })
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
        ).resampled(toWidth: size.width, height: size.height, by: .bilinear)
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
