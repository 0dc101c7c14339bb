internal import ByteParsing
internal import DepthCore
internal import ImageContainers
internal import Synchronization

extension ImageDecoder {
    /// The luma of a picture made of tiles; a single picture is a grid of one.
    ///
    /// With `expandsRange`, luma that is coded in limited range is stretched over all codes.
    func lumaPlane(of grid: GridImage, expandsRange: Bool) throws(ContainerError) -> SamplePlane {
        let bitDepth = grid.tiles.first?.configuration.bitDepth ?? 8
        if bitDepth <= 8 {
            let samples: [UInt8] = try assemble(grid) { picture, target in
                picture.copyLuma(to: target, expandsRange: expandsRange)
            }
            return SamplePlane(
                width: grid.width, height: grid.height, bitDepth: bitDepth, codes: .uint8(samples))
        }
        let samples: [UInt16] = try assemble(grid) { picture, target in
            picture.copyLuma(to: target, expandsRange: expandsRange)
        }
        return SamplePlane(
            width: grid.width, height: grid.height, bitDepth: bitDepth, codes: .uint16(samples))
    }

    /// The colors of a picture made of tiles. Tiles are converted as they are decoded, so that luma and chroma of
    /// the whole are never held.
    ///
    /// With `skipsFilters`, the smoothing of block edges is left out where the coding allows it: for pictures that are
    /// reduced to half their size or less, where it hardly shows.
    func colorPixels(
        of grid: GridImage, skipsFilters: Bool = false
    ) throws(ContainerError) -> ColorImage.Pixels {
        if (grid.tiles.first?.configuration.bitDepth ?? 8) <= 8 {
            return .uint8(
                try assemble(grid, skipsFilters: skipsFilters) { (picture, target) throws(ContainerError) in
                    try picture.convert(to: target)
                })
        }
        return .uint16(
            try assemble(grid, skipsFilters: skipsFilters) { (picture, target) throws(ContainerError) in
                try picture.convert(to: target)
            })
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

    /// Samples, and once more when they are turned; and what the decoders hold: luma and chroma, once more for their
    /// filters. A tile may be larger than the grid.
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

    /// Decodes tiles on all cores; each is written to its own part of the result by `write`.
    private func assemble<Element: BitwiseCopyable & Sendable>(
        _ grid: GridImage, skipsFilters: Bool = false,
        _ write: @Sendable (DecodedPicture, TileTarget<Element>) throws(ContainerError) -> Void
    ) throws(ContainerError) -> [Element] {
        let count = try limits.pixelCount(width: grid.width, height: grid.height)
        try checkMemory(grid, pixels: count, sampleBytes: MemoryLayout<Element>.stride)
        let failure = Mutex<ContainerError?>(nil)
        let elements = unsafe [Element](unsafeUninitializedCapacity: count) { output, filled in
            nonisolated(unsafe) let output = unsafe output
            unsafe adviseHugePages(UnsafeMutableRawBufferPointer(output))
            parallelForRows(of: grid.tiles.count, minimum: 1) { tiles in
                for index in tiles where failure.withLock({ $0 == nil }) {
                    do throws(ContainerError) {
                        let target = unsafe TileTarget(grid, tile: index, output: output)
                        guard !target.isEmpty else { continue }
                        let data = try bytes(of: grid.tiles[index].extents)
                        // Tiles are shared out among the cores; a single picture shares its rows out.
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

/// The part of a result that one tile fills: right and bottom excess of the last tiles is cut off.
@safe
struct TileTarget<Element>: @unchecked Sendable {
    let width: Int
    let height: Int
    private let stride: Int
    private let start: UnsafeMutablePointer<Element>?

    init(_ grid: GridImage, tile index: Int, output: UnsafeMutableBufferPointer<Element>) {
        let tile = grid.tiles[index]
        let left = index % grid.columns * tile.width
        let top = index / grid.columns * tile.height
        width = max(0, min(tile.width, grid.width - left))
        height = max(0, min(tile.height, grid.height - top))
        stride = grid.width
        // SAFETY: a part that is not empty lies inside the output, which has the grid's size.
        unsafe start =
            unsafe width > 0 && height > 0
            ? output.baseAddress.map { unsafe $0 + top * grid.width + left } : nil
    }

    /// Whether nothing of the tile is kept.
    var isEmpty: Bool { unsafe start == nil }

    /// Calls `body` with every row's index and first element, of ``width`` elements.
    func forEachRow(_ body: (Int, UnsafeMutablePointer<Element>) -> Void) {
        guard let start = unsafe start else { return }
        for row in 0..<height { unsafe body(row, start + row * stride) }
    }
}

extension DecodedPicture {
    /// Copies luma samples; both decoders hold those of up to 8 bits in one byte, deeper ones in two.
    func copyLuma<Sample: FixedWidthInteger & BitwiseCopyable>(
        to target: TileTarget<Sample>, expandsRange: Bool
    ) {
        guard let luma else { return }
        if expandsRange, !isFullRange {
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

    /// What each code of limited range is in full range: 16…235 of 8 bits, and in proportion, become all codes
    /// (ITU-T H.273 §8.3).
    func fullRangeTable<Sample: FixedWidthInteger>() -> [Sample] {
        let top = 1 << lumaBitDepth - 1
        let (black, span) = (16 << (lumaBitDepth - 8), 219 << (lumaBitDepth - 8))
        return (0...top).map { code in
            Sample(truncatingIfNeeded: min(max(((code - black) * top + span / 2) / span, 0), top))
        }
    }
}
