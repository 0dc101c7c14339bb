internal import DepthMaps
internal import DepthTypes

/// A layer at its size and position in frames, reused from frame to frame.
struct PlacedLayer: Sendable {
    /// The frame's columns and rows that the layer covers.
    private(set) var columns = 0..<0
    private(set) var rows = 0..<0
    /// Light times opacity, and opacity, of each pixel of ``columns`` and ``rows``.
    private(set) var light: [SIMD4<Float>] = []
    /// The stored values of that light.
    private(set) var codes: [RGB<UInt8>] = []
    private let layer: RGBAImage
    private var (width, size) = (0.0, PixelSize(width: 0, height: 0))

    /// A layer in sRGB, not yet scaled.
    init(_ layer: RGBAImage) { self.layer = layer }

    /// Scales the layer to a width in pixels, around a point of a frame. A change of size by less than half a percent, as by
    /// focus breathing, is ignored.
    mutating func place(width newWidth: Double, around center: NormalizedPoint, in newSize: PixelSize) {
        guard size != newSize || abs(newWidth - width) >= max(1, newWidth * 0.005) else { return }
        (width, size) = (newWidth, newSize)
        let frame = LayerPlacement.frame(
            width: width, around: center, layerWidth: layer.width, layerHeight: layer.height,
            photoWidth: size.width, photoHeight: size.height)
        let across = ResamplingAxis(layer.width, from: frame.left, length: frame.width, within: size.width)
        let down = ResamplingAxis(layer.height, from: frame.top, length: frame.height, within: size.height)
        (columns, rows) = (across.samples, down.samples)
        light = layer.light(columns: across, rows: down)
        let tones = TransferFunctionTable<UInt8>(.sRGB)
        codes = light.map { tones.pixel(ofLight: $0) }
    }
}

extension RGBAImage {
    /// The light of all pixels that the picture covers.
    fileprivate func light(columns: ResamplingAxis, rows: ResamplingAxis) -> [SIMD4<Float>] {
        switch pixels {
        case .uint8(let pixels): LayerLight(pixels, width, columns, rows, .sRGB).all
        case .uint16(let pixels): LayerLight(pixels, width, columns, rows, .sRGB).all
        }
    }
}
