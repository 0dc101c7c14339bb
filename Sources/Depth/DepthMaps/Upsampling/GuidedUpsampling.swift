extension DisparityMap {
    /// The map at the size of a photo, with edges along the photo's edges; accuracy and camera stay.
    ///
    /// Guided by color, in the family of joint bilateral and guided filters, and designed for surfaces with jumps between
    /// them. Flat surfaces stay flat and slopes stay slopes, independent of their texture.
    ///
    /// 1. Maps of few bits are smoothed: no sample moves by more than one and a half steps, and only between neighbors that
    ///    look alike in the photo. So neither the staircase nor coding artifacts around edges are enlarged.
    /// 2. If the 4 × 4 samples around a pixel differ by less than 1/32 of the map's spread, the value is bilinear. Where
    ///    color explains deviations from a plane, it follows the color of the pixel, within the range of the samples.
    /// 3. At a jump the samples vote, weighted by distance and by the similarity of the pixel's color to the photo's color
    ///    at the sample, on a scale set by how much these colors vary. The result is the mean of the samples whose *value*
    ///    is close to the outcome of the vote.
    ///
    /// The last step picks a side where plain guided filters leave a ramp or a halo. Samples with a value between their
    /// neighbors', as of mixed pixels, have less weight. The result never leaves the range of the surrounding samples.
    /// Unknown and infinite samples have no weight, and a pixel whose nearest sample is unknown or infinite becomes so too:
    /// see ``filled()``.
    ///
    /// The photo must show the map's field of view. Meant for enlarging.
    ///
    /// Throws `CancellationError` when the calling task is cancelled.
    public func upsampled(guidedBy photo: ColorImage) throws -> DisparityMap {
        try cancellable { enlarged(guidedBy: photo) }
    }

    /// The same, without throwing: for callers inside ``cancellable(_:)``.
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
    /// The map at the size of a photo, with edges along the photo's edges, computed in disparity: values that are not
    /// positive become unknown. See ``DisparityMap/upsampled(guidedBy:)``.
    public func upsampled(guidedBy photo: ColorImage) throws -> DepthMap {
        try cancellable {
            DepthMap(reciprocalOf: DisparityMap(reciprocalOf: self).enlarged(guidedBy: photo))
        }
    }
}

extension Matte {
    /// The matte at the size of a photo, refined where coverage changes: samples vote, weighted by distance and color
    /// similarity. Areas of pure background or subject stay.
    ///
    /// Throws `CancellationError` when the calling task is cancelled.
    public func upsampled(guidedBy photo: ColorImage) throws -> Matte {
        try cancellable { enlarged(guidedBy: photo) }
    }

    /// The same, without throwing: for callers inside ``cancellable(_:)``.
    package func enlarged(guidedBy photo: ColorImage) -> Matte {
        let samples = guidedUpsampling(
            of: LowResolutionPlane(samples: coverage.map { Float($0) }, width: width, height: height),
            by: photo, Guidance(least: 4, jump: 4, takesSides: false, step: nil))
        return Matte(
            width: photo.width, height: photo.height, coverage: samples.map { UInt8(min($0 + 0.5, 255)) })
    }
}

/// The input samples of guided upsampling.
struct LowResolutionPlane {
    let samples: [Float]
    let width: Int
    let height: Int

    /// The range of the finite samples without the lowest and highest hundredth, estimated from some 65,536 of them.
    var spread: Float {
        let skip = max(1, samples.count / 65536)
        let some = Swift.stride(from: skip / 2, to: samples.count, by: skip).map { samples[$0] }
        let ends = OrderStatistics(some)?.percentiles([0.01, 0.99]) ?? [0, 0]
        return ends[1] - ends[0]
    }
}

/// How a plane is guided.
struct Guidance {
    /// The maximum difference among 4 × 4 samples that are upsampled without the photo.
    let least: Float
    /// The difference above which there is an edge. Between both, small steps follow the photo if its color explains them.
    let jump: Float
    /// Whether a vote between two surfaces picks a side, or its mean is kept.
    let takesSides: Bool
    /// The quantization step, which is smoothed first.
    let step: Float?
}

/// The plane at the photo's size.
func guidedUpsampling(
    of plane: LowResolutionPlane, by photo: ColorImage, _ guidance: Guidance
) -> [Float] {
    guard photo.width > 0, photo.height > 0 else { return [] }
    precondition(!plane.samples.isEmpty, "a plane without samples has no values")
    func upsampled<Sample>(_ pixels: [RGB<Sample>]) -> [Float] {
        GuidedUpsampler(plane, pixels, photo.width, photo.height, guidance).upsampled()
    }
    return photo.pixels.apply(upsampled, upsampled)
}
