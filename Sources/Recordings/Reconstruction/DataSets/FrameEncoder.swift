internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Recordings
internal import Sequences

/// Encodes frames of a recording as files of a data set.
struct FrameEncoder: Sendable {
    let recording: Recording
    let form: DataSetForm
    /// The quality of pictures that cannot be copied, and become JPEG.
    let quality: Int
    /// Upright frames need these clockwise quarter turns.
    let quarters: Int

    /// The upright size of the recording's pictures; `nil` if unknown.
    private var pictureSize: PixelSize? {
        guard let size = recording.colorSize, quarters % 2 == 1 else { return recording.colorSize }
        return PixelSize(width: size.height, height: size.width)
    }

    /// The files of a decoded frame. A copied picture was decoded, too, because its file may be damaged.
    func encoded(
        _ frame: SequenceFrame, at index: Int, name: String, _ decoder: inout FrameDecoder
    ) throws -> EncodedFrame {
        guard let camera = frame.calibration else { throw FusionError.noCamera }
        return try EncodedFrame(
            form, name: name, time: recording.timeOrigin + frame.time, depth: frame.depth.turned(quarters),
            picture: copied(index, &decoder) ?? coded(frame.color), usualSize: pictureSize,
            camera: camera.oriented(by: Orientation(quarterTurnsAnticlockwise: 4 - quarters)),
            lens: recording.lens?.turned(quarters: quarters), pose: frame.pose?.turned(quarters: quarters))
    }

    /// The recording's file of a picture; `nil` if it cannot be copied.
    private func copied(_ index: Int, _ decoder: inout FrameDecoder) throws -> PlainPicture? {
        guard quarters == 0, let bytes = try decoder.pictureBytes(ofFrameAt: index) else { return nil }
        return try PlainPicture(copying: bytes, recording.limits)
    }

    /// A new file of a picture; `nil` without one.
    private func coded(_ plane: FramePlane<RGB<UInt8>>) throws -> PlainPicture? {
        let color = plane.turned(quarters)
        guard !color.isEmpty else { return nil }
        let raster = Raster(
            width: color.width, height: color.height, samples: .color(.uint8(color.samples)))
        return try PlainPicture(coding: raster, quality: quality)
    }
}

extension FramePlane {
    fileprivate func turned(_ quarters: Int) -> FramePlane {
        guard quarters > 0 else { return self }
        var output = FramePlane()
        turned(quarters: quarters, into: &output)
        return output
    }
}
