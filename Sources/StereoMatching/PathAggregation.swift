internal import DepthCore

/// Semi-global matching: costs summed along five paths.
///
/// H. Hirschmüller, "Stereo processing by semiglobal matching and mutual information", PAMI 30(2), 2008, equation 13:
///
///     L_r(p, d) = C(p, d) + min(L_r(p − r, d), L_r(p − r, d ± 1) + P1, min_k L_r(p − r, k) + P2) − min_k L_r(p − r, k)
///
/// Paths come from the left, from the right and from the three pixels above, so one pass over the rows is enough, and nothing is
/// kept of a row but what the next one needs. Without the diagonals, rendered scenes had fewer mistakes, but a noisy photo of
/// trees had a tenth fewer matches.
///
/// P2 falls where the picture has an edge along the path (equation 11's discontinuities). L stays at C + P2 at most, which fits
/// a byte.
struct PathAggregation {
    /// The penalty of a disparity that changes by one.
    var smallStep: UInt8 = 16
    /// The penalty of one that changes by more, where the picture is flat.
    var largeStep = 100
    /// And at the strongest edge.
    var leastLargeStep = 32
}
