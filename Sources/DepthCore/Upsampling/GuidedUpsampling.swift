extension DisparityMap {
    /// The map at the size of a photo, with edges where the photo has them; accuracy and camera stay.
    ///
    /// Guided by color, in the family of joint bilateral and guided filters, and made for surfaces with jumps
    /// between them. Where the samples around a pixel differ by less than 1/32 of the map's spread, the value is
    /// bilinear: flat stays flat, whatever its texture. At a jump
    ///
    /// 1. the 4 × 4 samples around vote, by nearness and by likeness of the pixel's color to the photo's color at
    ///    the sample, on a scale set by how much these colors vary;
    /// 2. the vote is settled: the result is the mean of those samples that are close to its outcome in *value*.
    ///
    /// The second step takes a side where plain guided filters leave a ramp or a halo. Samples that lie between their
    /// neighbors, as those that saw two surfaces do, count less. The result is a weighted mean of known samples, so it
    /// never leaves their range. Unknown and infinite samples have no weight, and a pixel whose nearest sample is
    /// unknown or infinite is so too: see ``filled()``.
    ///
    /// The photo must show the map's field of view. Meant for enlarging.
    ///
    /// Throws `CancellationError` when the task that calls is cancelled.
    public func upsampled(guidedBy photo: ColorImage) throws -> DisparityMap {
        try cancellable { enlarged(guidedBy: photo) }
    }

    /// The same for callers that can be cancelled as a whole.
    package func enlarged(guidedBy photo: ColorImage) -> DisparityMap {
        let spread = percentiles([0.01, 0.99]) ?? [0, 0]
        let upsampled = guidedUpsampling(
            of: LowResolutionPlane(samples: reciprocalMeters, width: width, height: height),
            by: photo, jump: (spread[1] - spread[0]) / 32, takesSides: true)
        return replacing(samples: upsampled, width: photo.width, height: photo.height)
    }
}

extension DepthMap {
    /// The map at the size of a photo, with edges where the photo has them, by way of disparity: what is not positive
    /// becomes unknown. See ``DisparityMap/upsampled(guidedBy:)``.
    public func upsampled(guidedBy photo: ColorImage) throws -> DepthMap {
        try cancellable {
            DepthMap(reciprocalOf: DisparityMap(reciprocalOf: self).enlarged(guidedBy: photo))
        }
    }
}

extension Matte {
    /// The matte at the size of a photo, refined where coverage changes: samples vote by nearness and by likeness of
    /// color. What is all background or all subject stays so.
    ///
    /// Throws `CancellationError` when the task that calls is cancelled.
    public func upsampled(guidedBy photo: ColorImage) throws -> Matte {
        try cancellable { enlarged(guidedBy: photo) }
    }

    /// The same for callers that can be cancelled as a whole.
    package func enlarged(guidedBy photo: ColorImage) -> Matte {
        let samples = guidedUpsampling(
            of: LowResolutionPlane(samples: coverage.map { Float($0) }, width: width, height: height),
            by: photo, jump: 4, takesSides: false)
        return Matte(
            width: photo.width, height: photo.height, coverage: samples.map { UInt8(min($0 + 0.5, 255)) })
    }
}

/// The samples that a guided upsampling starts from.
struct LowResolutionPlane {
    let samples: [Float]
    let width: Int
    let height: Int
}

/// The plane at the photo's size. `jump` is the least difference among 4 × 4 samples that counts as an edge;
/// `takesSides` whether a vote between two surfaces is settled, or its outcome kept.
func guidedUpsampling(
    of plane: LowResolutionPlane, by photo: ColorImage, jump: Float, takesSides: Bool
) -> [Float] {
    guard photo.width > 0, photo.height > 0 else { return [] }
    precondition(!plane.samples.isEmpty, "a plane without samples has no values")
    switch photo.pixels {
    case .uint8(let pixels):
        return GuidedUpsampler(plane, pixels, photo.width, photo.height, jump, takesSides).upsampled()
    case .uint16(let pixels):
        return GuidedUpsampler(plane, pixels, photo.width, photo.height, jump, takesSides).upsampled()
    }
}
