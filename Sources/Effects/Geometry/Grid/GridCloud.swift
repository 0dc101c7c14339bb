package import DepthMaps
internal import DepthTypes

/// The cloud of a depth map, generated row by row on demand. Besides the map and the colors, it stores only a mask
/// with one byte for each sample.
///
/// Points come in reading order.
package struct GridCloud: CloudSource {
    package let depth: DepthMap
    /// The unprojection of its samples.
    package let unprojection: Unprojection
    /// A color for each sample, sRGB; empty without colors.
    package let colors: [RGB<UInt8>]
    /// How far each sample can be trusted, 0…1; empty if unknown.
    package let confidences: [Float]
    /// The facts about the cloud that are known before the first point.
    package let header: CloudHeader
    /// The samples that become points.
    let selected: SelectedSamples
    /// Only every `stride`-th sample and row may have points.
    let stride: Int
    /// 1 plus the largest relative change of distance between neighbors on one surface.
    let ratio: Float
    private let normals: GridNormals
    private let hasNormals: Bool
    private let rowsInPiece: Int
    /// The part of a texture that shows the map; `nil` without texture coordinates.
    let texture: TextureArea?

    /// Chooses the samples of a map that become points, counts them and finds their bounds.
    ///
    /// `colors` and `confidences` have one element for each sample of the map, or are empty; the map has the size of
    /// `unprojection`.
    package init(
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
        texture = nil
        hasNormals = options.hasNormals || options.hasSplats
        stride = options.stride
        ratio =
            options.joinsSteps
            ? .infinity : FlyingPixels(focalLength: unprojection.focalLength / Double(stride)).ratio
        normals = GridNormals(depth, unprojection)
        selected = SelectedSamples(depth, unprojection, options)
        rowsInPiece = max(1, (1 << 14) / max(1, depth.width))
        let bounds = Self.bounds(depth, unprojection, selected)
        header = CloudHeader(
            pointCount: selected.count, minimum: bounds.minimum, maximum: bounds.maximum,
            hasColors: !colors.isEmpty, hasNormals: hasNormals, hasConfidences: !confidences.isEmpty,
            splatSpacing: options.hasSplats
                ? .angle(Float(Double(stride) / unprojection.focalLength)).thinned(to: selected.share) : nil,
            tool: provenance?.tool.percentEscaped ?? "", comments: provenance?.comments ?? [])
    }

    /// The same cloud with other samples, optionally with positions in the photo.
    init(_ other: GridCloud, selecting selected: SelectedSamples, texture: TextureArea?) {
        self.texture = texture
        (depth, unprojection, normals) = (other.depth, other.unprojection, other.normals)
        (colors, confidences) = (other.colors, other.confidences)
        (stride, ratio) = (other.stride, other.ratio)
        (hasNormals, rowsInPiece) = (other.hasNormals, other.rowsInPiece)
        self.selected = selected
        let bounds = Self.bounds(depth, unprojection, selected)
        var header = other.header
        header.pointCount = selected.count
        (header.minimum, header.maximum) = (bounds.minimum, bounds.maximum)
        header.hasTextureCoordinates = texture != nil
        self.header = header
    }

    /// Pieces of about 16,384 samples.
    package var pieceCount: Int { (depth.height + rowsInPiece - 1) / rowsInPiece }

    /// Appends the points of some rows.
    package func append(piece index: Int, to cloud: inout PointCloud) {
        let rows = index * rowsInPiece..<min((index + 1) * rowsInPiece, depth.height)
        appendPositions(rows, to: &cloud.positions)
        if !colors.isEmpty { appendSelected(of: colors, rows, to: &cloud.colors) }
        if !confidences.isEmpty { appendSelected(of: confidences, rows, to: &cloud.confidences) }
        if let texture { appendTextureCoordinates(rows, in: texture, to: &cloud.textureCoordinates) }
        if hasNormals { normals.append(rows, selected, to: &cloud.normals) }
    }

    private func appendPositions(_ rows: Range<Int>, to positions: inout [SIMD3<Float>]) {
        let width = depth.width
        var (x, y) = ([Float](repeating: 0, count: width), [Float](repeating: 0, count: width))
        var line = [SIMD3<Float>](repeating: .zero, count: width)
        let signs = unprojection.axes.signs
        for row in rows where selected.rowCounts[row] > 0 {
            unprojection.rays.load(row: row, x: &x, y: &y)
            // SAFETY: `x`, `y` and `line` have a row's samples, and a vector of three numbers has space for four.
            unsafe depth.meters.withUnsafeBufferPointer { meters in
                unsafe line.withUnsafeMutableBytes { line in
                    guard let meters = meters.baseAddress else { return }
                    unsafe Self.place(
                        meters + row * width, along: x, y, signs, into: line.bindMemory(to: Float.self),
                        count: width)
                }
            }
            appendSelected(of: line, from: 0, row, to: &positions)
        }
    }

    /// Computes positions of samples: four numbers for each, the last one unused.
    ///
    /// Compilers vectorize this loop if the function is separate.
    @inline(never)
    private static func place(
        _ meters: UnsafePointer<Float>, along x: UnsafePointer<Float>, _ y: UnsafePointer<Float>,
        _ signs: SIMD3<Float>,
        into output: UnsafeMutableBufferPointer<Float>, count: Int
    ) {
        guard let output = output.baseAddress else { return }
        for column in 0..<count {
            let z = unsafe meters[column]
            unsafe output[4 &* column] = x[column] * z * signs.x
            unsafe output[4 &* column &+ 1] = y[column] * z * signs.y
            unsafe output[4 &* column &+ 2] = z * signs.z
            unsafe output[4 &* column &+ 3] = 0
        }
    }

    /// The center of each selected sample in the texture: its position in the photo, before lens correction.
    private func appendTextureCoordinates(
        _ rows: Range<Int>, in texture: TextureArea, to places: inout [SIMD2<Float>]
    ) {
        let scale = texture.size / SIMD2(Float(depth.width), Float(depth.height))
        let mask = selected.mask.span
        for row in rows where selected.rowCounts[row] > 0 {
            for column in 0..<depth.width where mask[row * depth.width + column] != 0 {
                places.append((SIMD2(Float(column), Float(row)) + 0.5) * scale + texture.origin)
            }
        }
    }

    /// Appends the elements of the selected samples of some rows.
    private func appendSelected<Element: BitwiseCopyable>(
        of elements: [Element], _ rows: Range<Int>, to chosen: inout [Element]
    ) {
        for row in rows { appendSelected(of: elements, from: row * depth.width, row, to: &chosen) }
    }

    /// Appends the elements of the selected samples of a row, starting at `start`.
    private func appendSelected<Element: BitwiseCopyable>(
        of elements: [Element], from start: Int, _ row: Int, to chosen: inout [Element]
    ) {
        let (width, count) = (depth.width, selected.rowCounts[row])
        guard count < width else {
            chosen += elements[start..<start + width]
            return
        }
        let mask = selected.mask.span.extracting(row * width..<(row + 1) * width)
        for column in mask.indices where mask[column] != 0 { chosen.append(elements[start + column]) }
    }

    private static func bounds(
        _ depth: DepthMap, _ unprojection: Unprojection, _ selected: SelectedSamples
    ) -> CloudBounds {
        let bands: [CloudBounds] = parallelMapRows(width: 1, height: depth.height) { rows, output in
            let width = depth.width
            var (x, y) = ([Float](repeating: 0, count: width), [Float](repeating: 0, count: width))
            var z = x
            for row in rows {
                output[row - rows.lowerBound] = CloudBounds()
                guard selected.rowCounts[row] > 0 else { continue }
                unprojection.rays.load(row: row, x: &x, y: &y)
                let meters = depth.meters.span.extracting(row * width..<(row + 1) * width)
                let mask = selected.mask.span.extracting(row * width..<(row + 1) * width)
                var distances = z.mutableSpan
                // SAFETY: all three have a row's samples.
                for column in 0..<width {
                    let meters = unsafe meters[unchecked: column]
                    unsafe distances[unchecked: column] = unsafe mask[unchecked: column] == 0 ? .nan : meters
                }
                output[row - rows.lowerBound] = CloudBounds(ofRow: x, y, z, unprojection.axes.signs)
            }
        }
        return bands.reduce(into: CloudBounds()) { $0.add($1) }
    }
}
