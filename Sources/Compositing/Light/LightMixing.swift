internal import DepthCore

/// Mixes sRGB pixels in linear light, by tables.
struct LightMixing {
    private let table = TransferFunctionTable<UInt8>(.sRGB)

    /// `share` of the first, the rest of the second.
    @inline(__always)
    func mix(_ first: RGB<UInt8>, _ second: RGB<UInt8>, share: Float) -> RGB<UInt8> {
        RGB(
            red: channel(first.red, second.red, share), green: channel(first.green, second.green, share),
            blue: channel(first.blue, second.blue, share))
    }

    @inline(__always)
    private func channel(_ first: UInt8, _ second: UInt8, _ share: Float) -> UInt8 {
        let (from, to) = (table.light[Int(second)], table.light[Int(first)])
        let light = from + (to - from) * share
        return table.starts[Int(light * Float(table.starts.count - 1) + 0.5)]
    }
}
