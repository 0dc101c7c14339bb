/// Semi-global matching: costs summed along five paths.
///
/// H. Hirschmüller, "Stereo processing by semiglobal matching and mutual information", PAMI 30(2), 2008, equation 13:
///
///     L_r(p, d) = C(p, d) + min(L_r(p − r, d), L_r(p − r, d ± 1) + P1, min_k L_r(p − r, k) + P2) − min_k L_r(p − r, k)
///
/// Paths come from the left, from the right and from the three pixels above, so one pass over the rows is enough, and
/// only data for the next row is stored. Without the diagonals, rendered scenes had fewer errors, but a noisy photo of
/// trees had a tenth fewer matches.
///
/// P2 is smaller where the picture has an edge along the path (equation 11's discontinuities). L stays at C + P2 at most,
/// which fits a byte.
struct PathAggregation {
    /// The penalty of a disparity that changes by one.
    var smallStep: UInt8 = 16
    /// The penalty of a larger change, where the picture is flat.
    var largeStep = 100
    /// The same penalty at the strongest edge.
    var leastLargeStep = 32
}
