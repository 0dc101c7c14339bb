extension DisparityMap {
    /// The map at the size of a photo, with edges where the photo has them; accuracy and camera stay.
    ///
    /// Guided by color, in the family of joint bilateral and guided filters, and made for surfaces with jumps
    /// between them. Flat stays flat, and a slope a slope, whatever its texture.
    ///
    /// 1. Codes of few bits are evened: no sample moves by more than one and a half steps, and only along what looks alike in the
    ///    photo. So neither the staircase of codes nor what a codec left around edges is enlarged.
    /// 2. Where the 4 × 4 samples around a pixel differ by less than 1/32 of the map's spread, the value is bilinear; where color
    ///    explains what a plane does not, it follows the color of the pixel, within the range of the samples.
    /// 3. At a jump the samples vote, by nearness and by likeness of the pixel's color to the photo's color at
    ///    the sample, on a scale set by how much these colors vary; and the vote is settled: the result is the mean of those samples
    ///    that are close to its outcome in *value*.
    ///
    /// The last step takes a side where plain guided filters leave a ramp or a halo. Samples that lie between their
    /// neighbors, as those that saw two surfaces do, count less. The result never leaves the range of the samples around.
    /// Unknown and infinite samples have no weight, and a pixel whose nearest sample is
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
        let plane = LowResolutionPlane(samples: reciprocalMeters, width: width, height: height)
        let spread = plane.spread
        let upsampled = guidedUpsampling(
            of: plane, by: photo,
            Guidance(
                least: spread / 512, jump: spread / 32, takesSides: true,
                step: plane.codeStep(spread: spread)))
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
            by: photo, Guidance(least: 4, jump: 4, takesSides: false, step: nil))
        return Matte(
            width: photo.width, height: photo.height, coverage: samples.map { UInt8(min($0 + 0.5, 255)) })
    }
}

/// The samples that a guided upsampling starts from.
struct LowResolutionPlane {
    let samples: [Float]
    let width: Int
    let height: Int

    /// The range of all finite samples but the hundredth at either end, by some 65,536 of them.
    var spread: Float {
        let skip = max(1, samples.count / 65536)
        let some = Swift.stride(from: skip / 2, to: samples.count, by: skip).map { samples[$0] }
        let ends = OrderStatistics(some)?.percentiles([0.01, 0.99]) ?? [0, 0]
        return ends[1] - ends[0]
    }
}

/// How a plane is guided.
struct Guidance {
    /// The difference among 4 × 4 samples up to which nothing is to be followed.
    let least: Float
    /// The difference above which there is an edge. In between, small steps follow the photo where its color explains them.
    let jump: Float
    /// Whether a vote between two surfaces is settled, or its outcome kept.
    let takesSides: Bool
    /// The step between codes, which is evened first.
    let step: Float?
}

/// The plane at the photo's size.
func guidedUpsampling(
    of plane: LowResolutionPlane, by photo: ColorImage, _ guidance: Guidance
) -> [Float] {
    guard photo.width > 0, photo.height > 0 else { return [] }
    precondition(!plane.samples.isEmpty, "a plane without samples has no values")
    switch photo.pixels {
    case .uint8(let pixels):
        return GuidedUpsampler(plane, pixels, photo.width, photo.height, guidance).upsampled()
    case .uint16(let pixels):
        return GuidedUpsampler(plane, pixels, photo.width, photo.height, guidance).upsampled()
    }
}
