internal import Bytes
internal import DepthMaps
internal import DepthTypes
internal import PhotoFormats
internal import Synchronization

extension ImageDecoder {
    /// The luma of a picture made of tiles; a single picture is a grid of one.
    ///
    /// With `expandsRange`, luma coded in limited range is expanded to the full range.
    func lumaPlane(of grid: GridImage, expandsRange: Bool) throws(ContainerError) -> SamplePlane {
        let bitDepth = grid.tiles.first?.configuration.bitDepth ?? 8
        func luma<Sample: PictureSample>() throws(ContainerError) -> [Sample] {
            try assemble(grid) { picture, target in
                picture.copyLuma(to: target, expandsRange: expandsRange)
            }
        }
        return SamplePlane(
            width: grid.width, height: grid.height, bitDepth: bitDepth,
            codes: try SamplePlane.Codes(in16Bits: bitDepth > 8, luma, luma))
    }

    /// The colors of a picture made of tiles. Tiles are converted as they are decoded, so the luma and chroma of all tiles
    /// are never in memory together.
    ///
    /// With `isReduced`, block edges are not smoothed if the coding allows that, because it hardly shows in a picture of half
    /// the size or less. And if the sides of the tiles are even, the picture has half its width and height, rounded up. The
    /// last pixel of an odd side is then the mean of pixels inside and outside the grid.
    func color(
        of grid: GridImage, isReduced: Bool, colorProfile: [UInt8]
    ) throws(ContainerError) -> ColorImage {
        let halves =
            isReduced && grid.tiles.allSatisfy { $0.width.isMultiple(of: 2) && $0.height.isMultiple(of: 2) }
        let step = halves ? 2 : 1
        let coded = Mutex<CodedColor?>(nil)
        func colors<Sample: ScalableSample>() throws(ContainerError) -> [RGB<Sample>] {
            try assemble(grid, step: step, skipsFilters: isReduced) {
                (picture, target) throws(ContainerError) in
                if target.isFirst { coded.withLock { $0 = picture.color } }
                try picture.convert(to: target, halved: halves)
            }
        }
        let isDeep = (grid.tiles.first?.configuration.bitDepth ?? 8) > 8
        let pixels = try ColorImage.Pixels(in16Bits: isDeep, colors, colors)
        let size = grid.size(step: step)
        let image = ColorImage(
            width: size.width, height: size.height, pixels: pixels, colorProfile: colorProfile)
        return coded.withLock { $0 }.map { image.described(by: $0, keepingHDR: keepsHDR) } ?? image
    }

    /// Decodes one picture with the decoder of its coding.
    private func withPicture(
        _ image: CodedPicture, data: [UInt8], threads: Int, skipsFilters: Bool,
        _ body: (DecodedPicture) throws(ContainerError) -> Void
    ) throws(ContainerError) {
        switch image.configuration {
        case .hevc(let configuration):
            try withHEVCPicture(
                image, configuration, data: data, threads: threads, skipsFilters: skipsFilters,
                limits: limits,
                body)
        case .av1: try withAV1Picture(image, data: data, threads: threads, limits: limits, body)
        }
    }

    /// Samples, and a second copy if they are turned; and the decoders' luma and chroma, with a second copy for the filters.
    /// A tile may be larger than the grid.
    private func checkMemory(
        _ grid: GridImage, pixels: Int, sampleBytes: Int
    ) throws(ContainerError) {
        guard let tile = grid.tiles.first else { return }
        let largest = try max(pixels, limits.pixelCount(width: tile.width, height: tile.height))
        try limits.checkMemory(
            pixels: largest, bytesPerPixel: 2 * sampleBytes + (tile.configuration.bitDepth > 8 ? 12 : 6),
            other: grid.tiles.reduce(0) { $0 + $1.extents.reduce(0) { $0 + $1.count } },
            at: tile.extents.first?.lowerBound ?? 0)
    }

    /// Decodes tiles on all cores; `write` writes each to a separate part of the result. The result has the grid's size
    /// divided by `step`.
    private func assemble<Element: BitwiseCopyable & Sendable>(
        _ grid: GridImage, step: Int = 1, skipsFilters: Bool = false,
        _ write: @Sendable (DecodedPicture, TileTarget<Element>) throws(ContainerError) -> Void
    ) throws(ContainerError) -> [Element] {
        _ = try limits.pixelCount(width: grid.width, height: grid.height)
        let size = grid.size(step: step)
        let count = size.width * size.height
        try checkMemory(grid, pixels: count, sampleBytes: MemoryLayout<Element>.stride)
        let failure = Mutex<ContainerError?>(nil)
        let elements = unsafe [Element](unsafeUninitializedCapacity: count) { output, filled in
            nonisolated(unsafe) let output = unsafe output
            unsafe adviseHugePages(UnsafeMutableRawBufferPointer(output))
            parallelFor(count: grid.tiles.count, minimum: 1) { tiles in
                for index in tiles where failure.withLock({ $0 == nil }) {
                    do throws(ContainerError) {
                        let target = unsafe TileTarget(grid, tile: index, step: step, output: output)
                        guard !target.isEmpty else { continue }
                        let data = try bytes(of: grid.tiles[index].extents)
                        // The cores divide the tiles among them, or the rows of a single picture.
                        let threads = grid.tiles.count == 1 ? min(2, threadLimit) : 1
                        try withPicture(
                            grid.tiles[index], data: data, threads: threads, skipsFilters: skipsFilters
                        ) {
                            (picture) throws(ContainerError) in
                            try write(picture, target)
                        }
                    } catch {
                        failure.withLock { $0 = $0 ?? error }
                    }
                }
            }
            filled = failure.withLock { $0 == nil } ? count : 0
        }
        if let error = failure.withLock({ $0 }) { throw error }
        return elements
    }
}

extension GridImage {
    /// Its width and height divided by `step`, rounded up.
    fileprivate func size(step: Int) -> (width: Int, height: Int) {
        ((width + step - 1) / step, (height + step - 1) / step)
    }
}

/// The part of a result that one tile fills; pixels of the last tiles beyond the right and bottom edge are cut off.
@safe
struct TileTarget<Element>: @unchecked Sendable {
    let width: Int
    let height: Int
    /// Whether the tile is the first of the grid.
    let isFirst: Bool
    private let stride: Int
    private let start: UnsafeMutablePointer<Element>?

    /// The part of a result with the grid's size divided by `step`. The sides of the tiles must be multiples of `step`.
    init(_ grid: GridImage, tile index: Int, step: Int, output: UnsafeMutableBufferPointer<Element>) {
        let tile = grid.tiles[index]
        let (tileWidth, tileHeight) = (tile.width / step, tile.height / step)
        let size = grid.size(step: step)
        let left = index % grid.columns * tileWidth
        let top = index / grid.columns * tileHeight
        width = max(0, min(tileWidth, size.width - left))
        height = max(0, min(tileHeight, size.height - top))
        stride = size.width
        isFirst = index == 0
        // SAFETY: a part that is not empty is inside the output, which has the grid's size divided by `step`.
        unsafe start =
            unsafe width > 0 && height > 0
            ? output.baseAddress.map { unsafe $0 + top * size.width + left } : nil
    }

    /// Whether no pixel of the tile is kept.
    var isEmpty: Bool { unsafe start == nil }

    /// Calls `body` with every row's index and first element, of ``width`` elements.
    func forEachRow(_ body: (Int, UnsafeMutablePointer<Element>) -> Void) {
        guard let start = unsafe start else { return }
        for row in 0..<height { unsafe body(row, start + row * stride) }
    }
}

extension DecodedPicture {
    /// Copies luma samples; both decoders hold samples of up to 8 bits in one byte, deeper ones in two.
    func copyLuma<Sample: FixedWidthInteger & BitwiseCopyable>(
        to target: TileTarget<Sample>, expandsRange: Bool
    ) {
        if expandsRange, !color.isFullRange {
            let table: [Sample] = fullRangeTable()
            // SAFETY: as below.
            unsafe target.forEachRow { row, output in
                let samples = unsafe luma.row(row, as: Sample.self)
                for column in 0..<target.width {
                    unsafe output[column] = table[min(Int(samples[column]), table.count - 1)]
                }
            }
            return
        }
        // SAFETY: the target is no larger than the picture, whose size was checked.
        unsafe target.forEachRow { row, output in
            unsafe output.update(from: luma.row(row, as: Sample.self), count: target.width)
        }
    }

    /// The full-range value of each limited-range value: 16…235 of 8 bits, or in proportion, become the full range (ITU-T
    /// H.273 §8.3).
    func fullRangeTable<Sample: FixedWidthInteger>() -> [Sample] {
        let top = (1 << lumaBitDepth) - 1
        let (black, span) = (16 << (lumaBitDepth - 8), 219 << (lumaBitDepth - 8))
        return (0...top).map { code in
            Sample(truncatingIfNeeded: min(max(((code - black) * top + span / 2) / span, 0), top))
        }
    }
}
