internal import DepthModel
internal import Sequences

/// Sums over adjacent samples of a row in the same voxel. Its memory is reused from row to row.
///
/// SAFETY of all access: columns are below the width, because the key after the last one belongs to no voxel and ends a run,
/// and there are no more runs than columns. Each loop is preceded by a check that keys, values and runs have the same
/// count.
struct SampleRuns: Sendable {
    /// The runs of the last row are the first ``count`` of these.
    private(set) var samples: [VoxelSamples] = []
    private(set) var count = 0

    private static let empty = VoxelSamples(key: .none, offsets: .zero, colors: .zero)

    /// Adds the samples of a row of `frame`, by their voxels.
    mutating func add(_ placed: PlacedRow, row: Int, of work: FusionWork) {
        let width = placed.width
        if samples.count < width { samples = [VoxelSamples](repeating: Self.empty, count: width) }
        // Four bytes are read per pixel: see below.
        if work.frame.color.samples.count < 2 {
            addPlaces(placed)
        } else {
            addColored(placed, row, work)
        }
        if work.hasConfidence { addConfidence(placed, row, work.frame.confidence) }
    }

    private mutating func addPlaces(_ placed: PlacedRow) {
        let (width, keys) = (placed.width, placed.keys.span)
        let values = unsafe placed.values.span.bytes
        precondition(keys.count > width && values.byteCount == 16 * width && samples.count >= width)
        var runs = samples.mutableSpan
        var (column, count) = (0, 0)
        while column < width {
            let key = unsafe keys[unchecked: column]
            guard key != VoxelKey.none.packed else {
                column &+= 1
                continue
            }
            var offsets = SIMD4<Float>.zero
            repeat {
                offsets += unsafe values.unsafeLoadUnaligned(
                    fromUncheckedByteOffset: 16 &* column, as: SIMD4<Float>.self)
                column &+= 1
            } while unsafe keys[unchecked: column] == key
            unsafe runs[unchecked: count] = VoxelSamples(
                key: VoxelKey(packed: key), offsets: offsets, colors: .zero)
            count &+= 1
        }
        self.count = count
    }

    private mutating func addColored(_ placed: PlacedRow, _ row: Int, _ work: FusionWork) {
        let (width, keys) = (placed.width, placed.keys.span)
        let values = unsafe placed.values.span.bytes
        let (color, depth) = (work.frame.color, work.frame.depth)
        let pixels = unsafe color.samples.span.bytes
        let colorRow = min((2 * row + 1) * color.height / (2 * depth.height), color.height - 1)
        // Four bytes are read of a pixel's three, except at the end.
        let lastWhole = pixels.byteCount - 4
        let offset = colorRow * color.width * 3
        let places = work.colorPlaces.span
        precondition(keys.count > width && values.byteCount == 16 * width)
        precondition(samples.count >= width && places.count >= width)
        precondition(lastWhole > 0)
        var runs = samples.mutableSpan
        var (column, count) = (0, 0)
        while column < width {
            let key = unsafe keys[unchecked: column]
            guard key != VoxelKey.none.packed else {
                column &+= 1
                continue
            }
            var offsets = SIMD4<Float>.zero
            var colors = SIMD4<Float>.zero
            repeat {
                let value = unsafe values.unsafeLoadUnaligned(
                    fromUncheckedByteOffset: 16 &* column, as: SIMD4<Float>.self)
                let place = unsafe offset &+ Int(places[unchecked: column])
                let bits =
                    place <= lastWhole
                    ? unsafe pixels.unsafeLoadUnaligned(fromUncheckedByteOffset: place, as: UInt32.self)
                    : unsafe pixels.unsafeLoadUnaligned(fromUncheckedByteOffset: lastWhole, as: UInt32.self)
                        >> 8
                let bytes = unsafe unsafeBitCast(bits, to: SIMD4<UInt8>.self)
                offsets += value
                colors += SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: bytes)) * value.w
                column &+= 1
            } while unsafe keys[unchecked: column] == key
            colors.w = offsets.w
            unsafe runs[unchecked: count] = VoxelSamples(
                key: VoxelKey(packed: key), offsets: offsets, colors: colors)
            count &+= 1
        }
        self.count = count
    }

    /// Adds up the confidence levels of the samples of each run.
    private mutating func addConfidence(_ placed: PlacedRow, _ row: Int, _ confidence: FramePlane<UInt8>) {
        let start = row * confidence.width
        var (column, run) = (0, 0)
        while column < placed.width {
            let key = placed.keys[column]
            guard key != VoxelKey.none.packed else {
                column += 1
                continue
            }
            var sum: Float = 0
            repeat {
                sum += Float(min(confidence.samples[start + column], 2)) * placed.values[4 * column + 3]
                column += 1
            } while placed.keys[column] == key
            samples[run].confidence = sum
            run += 1
        }
    }
}
