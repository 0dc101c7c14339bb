import Bytes
import Codecs

@testable import RasterFormats
@testable import Scenes

extension Target {
    /// Plain rasters, recognized by their bytes: what our parsers read, and what goes to a C library.
    static let rasters: [Target] = [
        rasters("samples", [.pfm, .npy, .npz, .pgm, .ppm]), rasters("coded", [.png, .tiff, .exr]),
    ]

    private static func rasters(_ name: String, _ formats: [RasterFileFormat]) -> Target {
        Target(name: name) { bytes in
            guard let format = RasterFileFormat(recognizing: Array(bytes.prefix(16))),
                formats.contains(format)
            else { return }
            read(bytes, as: format)
        } seeds: { file in
            formats.contains { file.name.hasSuffix("." + $0.rawValue) } ? [file.bytes] : []
        }
    }
}

private let limits = {
    var limits = DecodingLimits()
    limits[.pixels] = 1 << 14
    return limits
}()

private func read(_ bytes: [UInt8], as format: RasterFileFormat) {
    let decoder = RasterDecoder(MemorySource(bytes), limits: limits)
    do throws(ContainerError) {
        let raster = try decoder.describe(format)
        promise(raster.readError != nil || raster.width > 0 && raster.height > 0, "a raster has samples")
        promise(
            raster.width.multipliedReportingOverflow(by: raster.height).partialValue <= 1 << 14,
            "limits count")
        let texts = [raster.name, raster.record, raster.camera].compactMap(\.self)
        for text in raster.diagnostics.map({ "\($0)" }) + texts {
            examine(.text(text))
        }
        if case .bytes(let range, _) = raster.location {
            promise(range.lowerBound >= 0 && range.upperBound <= bytes.count, "samples are inside the file")
        }
        if raster.channels == 1 {
            let samples = try decoder.samples(of: raster)
            promise(samples.count == raster.width * raster.height, "a raster has the size that was announced")
        } else {
            _ = try decoder.translucent(of: raster)
        }
    } catch {
        examine(error)
    }
}

extension RasterSamples {
    fileprivate var count: Int {
        switch self {
        case .uint8(let codes): codes.count
        case .uint16(let codes): codes.count
        case .float(let values): values.count
        }
    }
}
