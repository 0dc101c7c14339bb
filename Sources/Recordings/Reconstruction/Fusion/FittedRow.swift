internal import DepthTypes

/// The planes at all samples of a row. Its memory is reused from row to row.
struct FittedRow {
    /// 1/z; negative or `nan` where unknown.
    private(set) var inverses: [Float]
    /// The difference to the next column, and to the next row.
    private(set) var columnSlopes: [Float]
    private(set) var rowSlopes: [Float]
    /// 0 at edges, and for noisy samples without smooth surroundings.
    private(set) var isSmooth: [UInt8]
    private let width: Int
    /// Sums over five and over three rows, of samples and of samples times their row; with two more at both ends.
    private var sums: [Float]
    /// Whether all samples of these are smooth.
    private var masks: [UInt8]
    private let missing: [Float]
    private let rough: [UInt8]

    private static let margin = 2

    init(width: Int) {
        self.width = width
        inverses = [Float](repeating: .nan, count: width)
        (columnSlopes, rowSlopes) = (inverses, inverses)
        isSmooth = [UInt8](repeating: 0, count: width)
        sums = [Float](repeating: 0, count: 4 * (width + 2 * Self.margin))
        masks = [UInt8](repeating: 0, count: 2 * (width + 2 * Self.margin))
        missing = [Float](repeating: .nan, count: width)
        rough = [UInt8](repeating: 0, count: width)
    }

    /// Fits the planes of a row.
    mutating func fit(row: Int, of fit: SurfelFit) {
        precondition(fit.size.width == width && 0..<fit.size.height ~= row)
        precondition(fit.inverses.count == width * fit.size.height && fit.smooth.count == fit.inverses.count)
        let (missing, rough) = (missing, rough)
        // SAFETY: rows outside of the map are the row of missing samples; each has `width` elements, as checked above.
        unsafe fit.inverses.withUnsafeBufferPointer { samples in
            unsafe fit.smooth.withUnsafeBufferPointer { smooth in
                unsafe missing.withUnsafeBufferPointer { missing in
                    unsafe rough.withUnsafeBufferPointer { rough in
                        func line(_ offset: Int) -> (UnsafePointer<Float>, UnsafePointer<UInt8>) {
                            let isInside = 0..<fit.size.height ~= row + offset
                            let start = isInside ? (row + offset) * width : 0
                            return unsafe (
                                (isInside ? samples : missing).baseAddress.unsafelyUnwrapped + start,
                                (isInside ? smooth : rough).baseAddress.unsafelyUnwrapped + start
                            )
                        }
                        let lines = unsafe (line(-2), line(-1), line(0), line(1), line(2))
                        unsafe Self.addRows(lines, width, &sums, &masks)
                        unsafe Self.fit(
                            (lines.1.0, lines.2.0, lines.3.0), lines.2.1, width, sums, masks,
                            noise: fit.noise,
                            target: fit.target, &inverses, &columnSlopes, &rowSlopes, &isSmooth)
                    }
                }
            }
        }
    }

    private typealias Line = (UnsafePointer<Float>, UnsafePointer<UInt8>)

    // SAFETY: all lines have `width` elements; sums and masks have four and two times as many with margins.
    @inline(never)
    private static func addRows(
        _ lines: (Line, Line, Line, Line, Line), _ width: Int, _ sums: UnsafeMutablePointer<Float>,
        _ masks: UnsafeMutablePointer<UInt8>
    ) {
        let pitch = width + 2 * margin
        let (a, b, c, d, e) = unsafe (lines.0.0, lines.1.0, lines.2.0, lines.3.0, lines.4.0)
        let five = unsafe sums + margin
        let (fiveMoments, three) = unsafe (five + pitch, five + 2 * pitch)
        let threeMoments = unsafe five + 3 * pitch
        for column in 0..<width {
            let inner = unsafe abs(b[column]) + abs(c[column]) + abs(d[column])
            let moment = unsafe abs(d[column]) - abs(b[column])
            unsafe three[column] = inner
            unsafe threeMoments[column] = moment
            unsafe five[column] = abs(a[column]) + inner + abs(e[column])
            unsafe fiveMoments[column] = moment + 2 * (abs(e[column]) - abs(a[column]))
        }
        let (first, second) = unsafe (masks + margin, masks + margin + pitch)
        let (m0, m1, m2) = unsafe (lines.0.1, lines.1.1, lines.2.1)
        let (m3, m4) = unsafe (lines.3.1, lines.4.1)
        for column in 0..<width {
            let inner = unsafe m1[column] & m2[column] & m3[column]
            unsafe second[column] = inner
            unsafe first[column] = m0[column] & inner & m4[column]
        }
    }

    /// Fits planes by least squares: over (2r + 1)² samples, the center is their mean and a slope is the sum of samples times
    /// their offset, divided by that of squared offsets: 50 for r = 2, 6 for r = 1.
    // SAFETY: as above.
    @inline(never)
    private static func fit(
        _ lines: (UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>),
        _ smooth: UnsafePointer<UInt8>, _ width: Int, _ sums: UnsafePointer<Float>,
        _ masks: UnsafePointer<UInt8>, noise: Float, target: Float, _ inverses: UnsafeMutablePointer<Float>,
        _ columnSlopes: UnsafeMutablePointer<Float>, _ rowSlopes: UnsafeMutablePointer<Float>,
        _ isSmooth: UnsafeMutablePointer<UInt8>
    ) {
        let pitch = width + 2 * margin
        let s5 = unsafe sums + margin
        let (y5, s3) = unsafe (s5 + pitch, s5 + 2 * pitch)
        let y3 = unsafe s5 + 3 * pitch
        let (m5, m3) = unsafe (masks + margin, masks + margin + pitch)
        for column in [0, width - 1] {
            // Samples at the border of the map have no neighbor on one side.
            unsafe inverses[column] = .nan
            unsafe (columnSlopes[column], rowSlopes[column], isSmooth[column]) = (0, 0, 0)
        }
        for column in 1..<width - 1 {
            let (above, inverse, below) = unsafe (lines.0[column], lines.1[column], lines.2[column])
            // The standard deviation of the distance.
            let deviation = noise / (inverse * inverse)
            let isClear = deviation <= target
            let all3 = unsafe m3[column &- 1] & m3[column] & m3[column &+ 1]
            let all5 =
                unsafe m5[column &- 2] & m5[column &- 1] & m5[column] & m5[column &+ 1] & m5[column &+ 2]
            let uses5 = (all5 != 0) && (deviation > 3 * target)
            let uses3 = (all3 != 0) && !isClear
            let isEven = unsafe smooth[column] != 0
            let usesSample = isEven && isClear
            let (left, right) = unsafe (lines.1[column &- 1], lines.1[column &+ 1])
            let sum5 =
                unsafe s5[column &- 2] + s5[column &- 1] + s5[column] + s5[column &+ 1] + s5[column &+ 2]
            let sum3 = unsafe s3[column &- 1] + s3[column] + s3[column &+ 1]
            let x5 = unsafe 2 * (s5[column &+ 2] - s5[column &- 2]) + s5[column &+ 1] - s5[column &- 1]
            let x3 = unsafe s3[column &+ 1] - s3[column &- 1]
            let v5 = unsafe y5[column &- 2] + y5[column &- 1] + y5[column] + y5[column &+ 1] + y5[column &+ 2]
            let v3 = unsafe y3[column &- 1] + y3[column] + y3[column &+ 1]
            unsafe inverses[column] = uses5 ? sum5 * 0.04 : uses3 ? sum3 * (1 / 9) : inverse
            unsafe columnSlopes[column] =
                uses5 ? x5 * 0.02 : uses3 ? x3 * (1 / 6) : usesSample ? 0.5 * (right - left) : 0
            unsafe rowSlopes[column] =
                uses5 ? v5 * 0.02 : uses3 ? v3 * (1 / 6) : usesSample ? 0.5 * (below - above) : 0
            unsafe isSmooth[column] = (uses5 ? 1 : 0) | (uses3 ? 1 : 0) | (usesSample ? 1 : 0)
        }
    }
}
