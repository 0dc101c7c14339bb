internal import Compositing
internal import DepthCore
package import DepthIO
internal import DepthModel
internal import EmbeddedFormats
package import ImageCodecs

/// A picture with its depth beside it in one frame (RGB-D), as used by displays and players of depth photos.
package struct SideBySide: Hashable, Codable, Sendable {
    /// Whether the depth is to the left of the picture.
    package var depthIsLeft = false
    /// Whether black is near; white is near otherwise.
    package var blackIsNear = false
    /// Whether both are squeezed to half their width, so that the frame has the picture's size.
    package var isHalf = false

    /// The picture on the left, white near, full width.
    package init() {}

    /// The suffix of a file name: `_rgbd`, and deviations from ``init()``.
    package var suffix: String {
        "_rgbd" + (depthIsLeft ? "_left" : "") + (blackIsNear ? "_black-near" : "") + (isHalf ? "_half" : "")
    }

    /// The frame of a scene, upright, in 8 bits: depth is shown as disparity over its range, unknown samples as far.
    ///
    /// Throws ``SceneError`` without depth or a picture, or if they show different views.
    package func frame(of scene: DepthScene) throws -> Raster {
        let picture = try scene.color().in8Bits
        var disparity = try scene.disparity()
        _ = try checkedGuide(picture, width: disparity.width, height: disparity.height)
        if disparity.width < picture.width, disparity.height < picture.height {
            disparity = disparity.enlarged(guidedBy: picture)
        } else {
            disparity = disparity.resampled(toWidth: picture.width, height: picture.height, by: .area)
        }
        let known = disparity.reciprocalMeters.filter(\.isFinite)
        let range = (known.min() ?? 0, known.max() ?? 0)
        let shares = disparity.normalized()
        let codes = shares.codes(bitDepth: 8)
        guard case .uint8(let samples) = codes.codes, case .uint8(let pixels) = picture.pixels else {
            throw SceneError.noPicture
        }
        let gray = samples.map { code in
            let shade = blackIsNear ? 255 - code : code
            return RGB<UInt8>(red: shade, green: shade, blue: shade)
        }
        let (first, second) = depthIsLeft ? (gray, pixels) : (pixels, gray)
        let (width, height) = (picture.width, picture.height)
        let part = isHalf ? max(1, width / 2) : width
        var frame: [RGB<UInt8>] = []
        frame.reserveCapacity(2 * part * height)
        for row in 0..<height {
            for source in [first, second] {
                let line = source[row * width..<(row + 1) * width]
                if isHalf { frame += Self.halved(line, to: part) } else { frame += line }
            }
        }
        var raster = Raster(
            width: 2 * part, height: height, samples: .color(.uint8(frame)),
            colorProfile: picture.colorProfile, record: record(scene, range).serialized)
        raster.metadata.exif = scene.metadata().blocks.exif
        return raster
    }

    /// The mean of every two pixels of a line.
    private static func halved(_ line: ArraySlice<RGB<UInt8>>, to count: Int) -> [RGB<UInt8>] {
        guard line.count > 1 else { return Array(line) }
        func mean(_ a: UInt8, _ b: UInt8) -> UInt8 { UInt8((Int(a) + Int(b) + 1) / 2) }
        return (0..<count).map { index in
            let (a, b) = (line[line.startIndex + 2 * index], line[line.startIndex + 2 * index + 1])
            return RGB(red: mean(a.red, b.red), green: mean(a.green, b.green), blue: mean(a.blue, b.blue))
        }
    }

    /// How the frame was made, to be stored in PNG files.
    private func record(_ scene: DepthScene, _ range: (Float, Float)) -> JSONValue {
        let scale = scene.description.depth?.scale ?? .unitless
        return .object([
            ("layout", .text("rgbd")), ("depth", .text(depthIsLeft ? "left" : "right")),
            ("near", .text(blackIsNear ? "black" : "white")), ("half", .bool(isHalf)),
            ("quantity", .text(DepthQuantity.disparity.rawValue)),
            ("unit", .optional(scale.isMetric ? DepthQuantity.disparity.unit : nil)),
            ("minimum", .number(Double(range.0))), ("maximum", .number(Double(range.1))),
            ("accuracy", .text(scale.accuracy.rawValue)),
        ])
    }
}
