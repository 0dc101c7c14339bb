internal import Bytes
internal import DepthTypes

extension ListedRecording {
    /// How many frames may be decoded at once: up to `most`, as long as they need less than a quarter of the limit of memory.
    package func framesAtOnce(_ most: Int) -> Int {
        // Decoding takes about 16 bytes for a sample of depth, and 8 for a pixel.
        let depth = depthSize.map { 16 * $0.width * $0.height } ?? 0
        let color = colorSize.map { 8 * $0.width * $0.height } ?? 0
        return max(1, min(most, limits[.memoryBytes] / 4 / max(1, depth + color)))
    }
}
