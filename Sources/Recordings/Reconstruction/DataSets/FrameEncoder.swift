internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Recordings
internal import Scenes

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

    /// The files of a decoded frame. `file` is the recording's file of its picture, which is copied if it is plain and upright. The
    /// picture was decoded all the same, because its file may be damaged.
    func encoded(_ frame: DepthScene, name: String, file: [UInt8]?) throws -> EncodedFrame {
        let depth = try frame.depth()
        guard let camera = depth.calibration else { throw FusionError.noCamera }
        let copied = quarters == 0 ? file : nil
        return try EncodedFrame(
            form, name: name, time: recording.timeOrigin + (frame.description.time ?? 0),
            depth: FramePlane(depth).turned(quarters),
            picture: copied.flatMap { try PlainPicture(copying: $0, recording.limits) } ?? coded(frame),
            matte: matte(frame), usualSize: pictureSize,
            camera: camera.oriented(by: Orientation(quarterTurnsAnticlockwise: 4 - quarters)),
            pose: frame.description.pose?.turned(quarters: quarters))
    }

    /// The matte of a frame; `nil` without one, and in forms without masks.
    private func matte(_ frame: DepthScene) throws -> FramePlane<UInt8>? {
        guard form.needsPictureAndPose, frame.description.planes.contains(.matte) else { return nil }
        return try frame.matte().map { matte in
            FramePlane(width: matte.width, height: matte.height, samples: matte.coverage).turned(quarters)
        }
    }

    /// A new file of a picture; `nil` without one.
    private func coded(_ frame: DepthScene) throws -> PlainPicture? {
        guard frame.description.colorSize != nil else { return nil }
        let color = FramePlane(try frame.color()).turned(quarters)
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
