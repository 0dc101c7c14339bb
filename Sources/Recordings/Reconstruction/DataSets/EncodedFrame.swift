internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Recordings
internal import Scenes

/// A picture as a file that every program shows in the same way.
struct PlainPicture: Sendable {
    let bytes: [UInt8]
    let fileExtension: String
    let size: PixelSize
    /// Whether it is the recording's or photo's own file.
    let isCopied: Bool

    /// A copy of a picture's file; `nil` unless it is plain.
    init?(copying bytes: [UInt8], _ limits: DecodingLimits) throws(ContainerError) {
        guard let file = try openPicture(MemorySource(bytes), limits: limits).describe().file, file.isPlain,
            let format = PictureFormat(rawValue: file.format)
        else { return nil }
        size = file.size
        (self.bytes, fileExtension, isCopied) = (bytes, format.fileExtension, true)
    }

    /// A picture in sRGB as a new JPEG file.
    init(coding raster: Raster, quality: Int) throws(WriteError) {
        bytes = try bytesWritten { (descriptor) throws(WriteError) in
            try raster.write(as: .jpeg, quality: quality, to: descriptor)
        }
        (fileExtension, isCopied) = (PictureFormat.jpeg.fileExtension, false)
        size = PixelSize(width: raster.width, height: raster.height)
    }
}

/// A frame of a data set with its files.
struct EncodedFrame: Sendable {
    var frame: DataSetFrame
    var files: [DataSetFile]
    /// Whether the picture was coded again.
    let isPictureCoded: Bool
    /// Known distances that the form cannot hold.
    let lostCount: Int
    /// The size of the recording's depth, if it has another size in the data set.
    let resizedFrom: PixelSize?

    /// The longest side of a frame's depth that is kept for tracks: 200 KB a frame.
    private static let seenSide = 256

    /// Encodes a frame: depth in meters, `nan` where unknown; its camera, in any frame; the time in seconds. `usualSize` is the
    /// size of other frames' pictures, for TUM's depth of a frame without a picture. The matte becomes a mask, which has the size of the
    /// picture.
    init(
        _ form: DataSetForm, name: String, time: Double, depth: FramePlane<Float>, picture: PlainPicture?,
        matte: FramePlane<UInt8>? = nil, usualSize: PixelSize? = nil, camera: CameraCalibration,
        pose: CameraPose?
    ) throws(WriteError) {
        let fileName = picture.map { "\(name).\($0.fileExtension)" }
        let size = picture?.size ?? (form == .tum ? usualSize : nil) ?? depth.size
        let camera = camera.scaled(toWidth: size.width, height: size.height)
        let file = try DepthFile(depth, for: form, stem: name, picture: fileName, size: size, camera)
        let path = fileName.map { "\(form.pictureFolder)/\($0)" }
        frame = DataSetFrame(
            time: time, picture: path, depth: file.files[0].path, camera: camera, pose: pose)
        if form == .colmap { frame.seen = depth.nearest(depth.size.within(Self.seenSide)) }
        files = file.files
        if let picture, let path { files.append(DataSetFile(path, picture.bytes)) }
        if let matte, let fileName {
            let mask = matte.nearest(size).samples.map { $0 < 128 ? 0 : 255 } as [UInt8]
            let raster = Raster(width: size.width, height: size.height, samples: .gray8(mask))
            let bytes = try bytesWritten { (descriptor) throws(WriteError) in
                try raster.write(as: RasterFormat.png, to: descriptor)
            }
            // COLMAP's name of a mask; transforms.json has the path.
            let maskPath = "masks/\(fileName).png"
            frame.mask = maskPath
            files.append(DataSetFile(maskPath, bytes))
        }
        isPictureCoded = picture.map { !$0.isCopied } ?? false
        lostCount = file.lostCount
        resizedFrom = form == .tum && size != depth.size ? depth.size : nil
    }
}
