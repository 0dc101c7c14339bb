internal import DepthMaps

/// The position of each pixel of a photo among ``DefocusLayers``, and the fraction of the pixel that is there.
struct DefocusField: Sendable {
    let width: Int
    let height: Int
    let layers: DefocusLayers
    /// Positions in steps of 1 / `DefocusLayers.placeScale`, with ``mixedFlag`` where it is set.
    let places: [UInt16]
    /// The fraction of the pixel, of 255, that is at its position. The rest is something farther: what a matte's subject
    /// covers partly, at ``behind``, otherwise something that the pixel shows only in a mixture and that is filled from
    /// around.
    let coverage: [UInt8]
    /// The positions of the background around pixels that a matte's subject covers partly; `nil` without a matte.
    let behind: CellGrid<UInt16>?

    /// Sheets with a smaller radius are nearly sharp: 9 pixels at 12 MP.
    let sharpRadius: Float

    /// Set in the position of a pixel that a matte's subject covers partly.
    static var mixedFlag: UInt16 { 0x8000 }

    /// The smallest change of radius within five pixels that is an edge, in pixels.
    static var edge: Float { 1.5 }
    /// Steps of a table of radii, per pixel.
    private static var tableScale: Float { 16 }

    init(
        _ disparity: consuming DisparityMap, _ matte: Matte?, _ aperture: SyntheticAperture,
        isMatteOfDepth: Bool = false
    ) {
        let (width, height) = (disparity.width, disparity.height)
        (self.width, self.height) = (width, height)
        let limit = SyntheticAperture.maximumRadius(width: width, height: height)
        // Where a map is uncertain, too wide an area is soft to be continued from beside it.
        sharpRadius = isMatteOfDepth ? 1 : 0.06 * limit
        var radii = Self.radii(disparity, aperture, limit)
        // The map is as large as the radii, and not needed any more.
        _ = consume disparity
        let split = matte.map {
            MatteBoundary(
                $0, radii, width, height, leastDifference: Self.edge, rim: Self.rim($0, radii),
                isOfDepth: isMatteOfDepth
            ).settle(&radii)
        }
        let range = Self.range(radii, width, height)
        let layers = DefocusLayers(behind: -range.lowest, before: range.highest)
        self.layers = layers
        behind = split?.background.map {
            UInt16(layers.place(ofRadius: $0.isNaN ? 0 : $0) * DefocusLayers.placeScale)
        }
        let packed = Self.packed(split?.shares ?? [], radii, layers, width, height)
        // The array is large, and not needed any more.
        radii = []
        places = Self.unpacked(packed, width, height) { UInt16(truncatingIfNeeded: $0) }
        coverage = Self.unpacked(packed, width, height) { UInt8(truncatingIfNeeded: $0 >> 16) }
    }

    /// Whether there is a matte: then wide areas may be soft.
    var hasMatte: Bool { behind != nil }
    /// Whether a matte's subject covers each pixel partly.
    var mixed: [Bool] { places.map { $0 & Self.mixedFlag != 0 } }

    /// How far the subject's light spreads: its typical radius, between 2 and a cell of ``MatteBoundary``.
    private static func rim(_ matte: Matte, _ radii: [Float]) -> Int {
        let radii = stride(from: 0, to: radii.count, by: 64)
            .filter { matte.coverage[$0] >= MatteBoundary.fullCoverage }
            .map { abs(radii[$0]) }
            .sorted()
        let widest = MatteBoundary.cell(width: matte.width, height: matte.height)
        return radii.isEmpty ? 2 : max(min(Int(radii[radii.count / 2]), widest), 2)
    }

    /// Radii of blur, negative behind the plane in focus. Unknown samples are at infinity.
    private static func radii(
        _ disparity: DisparityMap, _ aperture: SyntheticAperture, _ limit: Float
    ) -> [Float] {
        let factor = aperture.radiusPerDisparity(width: disparity.width, height: disparity.height)
        return parallelMap(disparity.reciprocalMeters) { value in
            let radius = aperture.defocus(ofDisparity: value.isNaN ? 0 : value) * factor
            return min(max(radius, -limit), limit)
        }
    }

    private static func range(_ radii: [Float], _ width: Int, _ height: Int) -> (
        lowest: Float, highest: Float
    ) {
        let extremes: [SIMD2<Float>] = parallelMapRows(width: 1, height: height) { rows, output in
            for row in rows {
                var (low, high): (Float, Float) = (0, 0)
                let line = radii.span.extracting(row * width..<(row + 1) * width)
                for column in line.indices {
                    (low, high) = (min(low, line[column]), max(high, line[column]))
                }
                output[row - rows.lowerBound] = SIMD2(low, high)
            }
        }
        return extremes.reduce((0, 0)) { (min($0.0, $1.x), max($0.1, $1.y)) }
    }

    /// Positions, and in the bits above them coverage. Where no matte decides, the edges of the depth are soft. `shares` are
    /// empty without a matte.
    private static func packed(
        _ shares: [MatteSplit.Share], _ radii: [Float], _ layers: DefocusLayers, _ width: Int, _ height: Int
    ) -> [UInt32] {
        let table = PlaceTable(layers, scale: tableScale)
        return parallelMapRows(width: width, height: height) { rows, output in
            var window = EdgeWindow(width)
            for row in rows {
                window.move(to: row, of: radii, height)
                let start = (row - rows.lowerBound) * width
                for column in 0..<width {
                    var radius = radii[row * width + column]
                    var opacity = UInt32(255)
                    let share = shares.isEmpty ? .unsplit : shares[row * width + column]
                    let (low, high) = (window.lowest[column], window.highest[column])
                    if share.isDecided {
                        opacity = UInt32(share.opacity)
                    } else if high - low > edge {
                        let part = min(max(((radius - low) / (high - low) - 0.1) * 1.25, 0), 1)
                        if part < 1 { radius = high }
                        opacity = UInt32(255 * part + 0.5)
                    }
                    let place = table[radius] | (share.isMixed ? mixedFlag : 0)
                    output[start + column] = opacity << 16 | UInt32(place)
                }
            }
        }
    }

    private static func unpacked<Part: BitwiseCopyable>(
        _ packed: [UInt32], _ width: Int, _ height: Int, _ part: @Sendable (UInt32) -> Part
    ) -> [Part] {
        parallelMapRows(width: width, height: height) { rows, output in
            let source = packed.span.extracting(rows.lowerBound * width..<rows.upperBound * width)
            for index in source.indices { output[index] = part(source[index]) }
        }
    }
}

/// Positions of signed radii, by equal steps.
private struct PlaceTable: Sendable {
    private let places: [Float]
    private let scale: Float
    private let first: Int

    init(_ layers: DefocusLayers, scale: Float) {
        let reach = (layers.radii.max() ?? 0) * scale
        let first = Int(reach) + 2
        self.scale = scale
        self.first = first
        places = (-first...first).map { layers.place(ofRadius: Float($0) / scale) }
    }

    @inline(__always)
    subscript(radius: Float) -> UInt16 {
        let position = min(max(radius * scale + Float(first), 0), Float(places.count - 1))
        let below = min(Int(position), places.count - 2)
        let place = places[below] + (places[below + 1] - places[below]) * (position - Float(below))
        return UInt16(place * DefocusLayers.placeScale + 0.5)
    }
}

/// The minimum and maximum of 5 × 5 samples, row after row.
private struct EdgeWindow {
    /// Of the samples around each column.
    private(set) var lowest: [Float]
    private(set) var highest: [Float]
    /// For the five samples in each column, with padding at both ends as wide as a window reaches.
    private var lowestDown: [Float]
    private var highestDown: [Float]
    private let width: Int
    private static var reach: Int { 2 }

    init(_ width: Int) {
        self.width = width
        lowest = [Float](repeating: 0, count: width)
        highest = lowest
        lowestDown = [Float](repeating: .infinity, count: width + 2 * Self.reach)
        highestDown = [Float](repeating: -.infinity, count: width + 2 * Self.reach)
    }

    /// Gathers the samples around a row.
    mutating func move(to row: Int, of samples: [Float], _ height: Int) {
        let rows = max(row - Self.reach, 0)...min(row + Self.reach, height - 1)
        for place in Self.reach..<width + Self.reach {
            (lowestDown[place], highestDown[place]) = (.infinity, -.infinity)
        }
        Self.gather(samples, rows, width, &lowestDown, &lowest) { $0 < $1 ? $0 : $1 }
        Self.gather(samples, rows, width, &highestDown, &highest) { $0 > $1 ? $0 : $1 }
    }

    /// Combines the samples of rows in `down`, then those around each column. Indices are not checked, so that compilers
    /// vectorize both loops.
    @inline(__always)
    private static func gather(
        _ samples: [Float], _ rows: ClosedRange<Int>, _ width: Int, _ down: inout [Float],
        _ output: inout [Float], _ better: (Float, Float) -> Float
    ) {
        var down = down.mutableSpan
        var output = output.mutableSpan
        // SAFETY: `down` has `reach` elements more than a row at both ends, `output` as many as a row.
        precondition(down.count == width + 2 * reach && output.count == width)
        for row in rows {
            let line = samples.span.extracting(row * width..<(row + 1) * width)
            for column in 0..<width {
                unsafe down[unchecked: column &+ reach] = better(
                    line[unchecked: column], down[unchecked: column &+ reach])
            }
        }
        for column in 0..<width {
            let first = unsafe better(down[unchecked: column], down[unchecked: column &+ 1])
            let last = unsafe better(down[unchecked: column &+ 4], down[unchecked: column &+ 3])
            unsafe output[unchecked: column] = better(
                better(down[unchecked: column &+ 2], first), last)
        }
    }
}
