public import DepthCore

/// The cloud of a depth map, made row by row whenever it is asked for: a mask of a byte for each sample is all that it
/// keeps beside the map and the colors.
///
/// Points come in reading order.
public struct GridCloud: CloudSource {
    /// The map.
    public let depth: DepthMap
    /// What leads its samples into space.
    public let unprojection: Unprojection
    /// A color for each sample, sRGB; empty for none.
    public let colors: [RGB<UInt8>]
    /// How far each sample can be trusted, 0…1; empty where nothing tells.
    public let confidences: [Float]
    /// What is known before the first point.
    public let header: CloudHeader
    /// Which samples are points.
    let selected: SelectedSamples
    /// Every so-many-th sample and row may have points.
    let stride: Int
    private let hasNormals: Bool
    private let rowsInPiece: Int

    /// Chooses the samples of a map that become points, counts them and finds their bounds.
    ///
    /// `colors` and `confidences` have one for each sample of the map, or none; the map has the size of
    /// `unprojection`.
    public init(
        _ depth: DepthMap, _ unprojection: Unprojection, colors: [RGB<UInt8>] = [], confidences: [Float] = [],
        options: CloudOptions = CloudOptions(), provenance: CloudProvenance? = nil
    ) {
        precondition((depth.width, depth.height) == (unprojection.width, unprojection.height))
        precondition(
            colors.isEmpty || colors.count == depth.meters.count, "every sample has a color, or none")
        precondition(confidences.isEmpty || confidences.count == depth.meters.count)
        precondition(options.stride > 0, "a stride is a positive number")
        self.depth = depth
        self.unprojection = unprojection
        self.colors = colors
        self.confidences = confidences
        hasNormals = options.hasNormals
        stride = options.stride
        selected = SelectedSamples(depth, unprojection, options)
        rowsInPiece = max(1, (1 << 16) / max(1, depth.width))
        let bounds = Self.bounds(depth, unprojection, selected)
        header = CloudHeader(
            pointCount: selected.count, minimum: bounds.minimum, maximum: bounds.maximum,
            hasColors: !colors.isEmpty, hasNormals: hasNormals, hasConfidences: !confidences.isEmpty,
            tool: provenance?.tool.percentEscaped ?? "", comments: provenance?.comments ?? [])
    }

    /// The same cloud with other samples, and with places in the photo where asked for.
    init(_ other: GridCloud, selecting selected: SelectedSamples, hasTextureCoordinates: Bool) {
        (depth, unprojection) = (other.depth, other.unprojection)
        (colors, confidences) = (other.colors, other.confidences)
        (stride, hasNormals, rowsInPiece) = (other.stride, other.hasNormals, other.rowsInPiece)
        self.selected = selected
        let bounds = Self.bounds(depth, unprojection, selected)
        var header = other.header
        (header.pointCount, header.minimum, header.maximum) = (
            selected.count, bounds.minimum, bounds.maximum
        )
        header.hasTextureCoordinates = hasTextureCoordinates
        self.header = header
    }

    /// Pieces of about 65,536 samples.
    public var pieceCount: Int { (depth.height + rowsInPiece - 1) / rowsInPiece }

    /// The points of some rows.
    public func piece(_ index: Int) -> PointCloud {
        let rows = index * rowsInPiece..<min((index + 1) * rowsInPiece, depth.height)
        var cloud = PointCloud()
        cloud.positions = positions(rows)
        if !colors.isEmpty { cloud.colors = selection(of: colors, rows) }
        if !confidences.isEmpty { cloud.confidences = selection(of: confidences, rows) }
        if header.hasTextureCoordinates { cloud.textureCoordinates = textureCoordinates(rows) }
        if hasNormals { cloud.normals = GridNormals(depth, unprojection).normals(rows, selected) }
        return cloud
    }

    private func positions(_ rows: Range<Int>) -> [SIMD3<Float>] {
        let count = selected.rowCounts[rows].reduce(0, +)
        let width = depth.width
        var (x, y) = ([Float](repeating: 0, count: width), [Float](repeating: 0, count: width))
        let signs = unprojection.axes.signs
        // Every sample is written at the next free place, which moves on behind selected ones: one place more.
        return unsafe [SIMD3<Float>](unsafeUninitializedCapacity: count + 1) { output, initialized in
            var place = 0
            for row in rows where selected.rowCounts[row] > 0 {
                unprojection.rays(ofRow: row, x: &x, y: &y)
                let start = row * width
                // SAFETY: `x` and `y` have `width` elements, `depth` and `mask` one for each sample; `place` is the
                // number of selected samples so far.
                unsafe depth.meters.withUnsafeBufferPointer { meters in
                    unsafe selected.mask.withUnsafeBufferPointer { mask in
                        unsafe x.withUnsafeBufferPointer { x in
                            unsafe y.withUnsafeBufferPointer { y in
                                for column in 0..<width {
                                    let z = unsafe meters[start + column]
                                    let point = unsafe SIMD3(x[column] * z, y[column] * z, z) * signs
                                    unsafe output[place] = point
                                    place += unsafe Int(mask[start + column])
                                }
                            }
                        }
                    }
                }
            }
            initialized = count
        }
    }

    /// The middle of each selected sample as a share of the frame: where the photo shows it, before the lens is
    /// corrected.
    private func textureCoordinates(_ rows: Range<Int>) -> [SIMD2<Float>] {
        var places: [SIMD2<Float>] = []
        places.reserveCapacity(selected.rowCounts[rows].reduce(0, +))
        let size = SIMD2(Float(depth.width), Float(depth.height))
        let mask = selected.mask.span
        for row in rows where selected.rowCounts[row] > 0 {
            for column in 0..<depth.width where mask[row * depth.width + column] != 0 {
                places.append((SIMD2(Float(column), Float(row)) + 0.5) / size)
            }
        }
        return places
    }

    /// What belongs to the selected samples of some rows.
    private func selection<Element: BitwiseCopyable>(of elements: [Element], _ rows: Range<Int>) -> [Element]
    {
        let count = selected.rowCounts[rows].reduce(0, +)
        let range = rows.lowerBound * depth.width..<rows.upperBound * depth.width
        return unsafe [Element](unsafeUninitializedCapacity: count + 1) { output, initialized in
            var place = 0
            // SAFETY: both arrays have an element for each sample; `place` is the number of selected ones so far.
            unsafe elements.withUnsafeBufferPointer { elements in
                unsafe selected.mask.withUnsafeBufferPointer { mask in
                    for index in range {
                        unsafe output[place] = unsafe elements[index]
                        place += unsafe Int(mask[index])
                    }
                }
            }
            initialized = count
        }
    }

    private static func bounds(
        _ depth: DepthMap, _ unprojection: Unprojection, _ selected: SelectedSamples
    ) -> CloudBounds {
        let bands: [CloudBounds] = planeByBands(width: 1, height: depth.height) { rows, output in
            var (x, y) = (
                [Float](repeating: 0, count: depth.width), [Float](repeating: 0, count: depth.width)
            )
            for row in rows {
                var bounds = CloudBounds()
                if selected.rowCounts[row] > 0 {
                    unprojection.rays(ofRow: row, x: &x, y: &y)
                    bounds = rowBounds(row, x, y, depth, selected.mask, unprojection.axes.signs)
                }
                output[row - rows.lowerBound] = bounds
            }
        }
        return bands.reduce(into: CloudBounds()) { $0.add($1) }
    }
}

private func rowBounds(
    _ row: Int, _ x: [Float], _ y: [Float], _ depth: DepthMap, _ mask: [UInt8], _ signs: SIMD3<Float>
) -> CloudBounds {
    let start = row * depth.width
    let meters = depth.meters.span.extracting(start..<start + depth.width)
    let selected = mask.span.extracting(start..<start + depth.width)
    var bounds = CloudBounds()
    for column in meters.indices where selected[column] != 0 {
        let z = meters[column]
        bounds.add(SIMD3(x[column] * z, y[column] * z, z) * signs)
    }
    return bounds
}
