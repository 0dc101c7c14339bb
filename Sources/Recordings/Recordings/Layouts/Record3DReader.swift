internal import Bytes
internal import Codecs
internal import DepthTypes
internal import Embedded
internal import RasterFormats
internal import Scenes

/// Record3D's `metadata`, in its archives and folders.
///
/// `poses` are quaternions and positions, camera-to-world with axes as in OpenGL, for the stored (portrait) pictures.
/// Intrinsics are in pixels of the color picture, of size `w` × `h`; `K` is column by column.
struct Record3DMetadata {
    var frames: [RecordedFrame] = []
    var intrinsics: Intrinsics?
    var colorSize: PixelSize?
    var depthSize: PixelSize?
    var hasTimes = false

    static let convention = PoseConvention.cameraToWorldOpenGL

    /// `nil` for other JSON.
    init?(_ json: JSONValue, _ limits: DecodingLimits) throws(ContainerError) {
        guard let poses = json["poses"]?.elements, json["K"] != nil else { return nil }
        intrinsics = Intrinsics(columnMajor: json["K"]?.numbers, from: .corner)
        colorSize = PixelSize(json["w"]?.integer, json["h"]?.integer)
        depthSize = PixelSize(json["dw"]?.integer, json["dh"]?.integer)
        let times = json["frameTimestamps"]?.numbers
        let cameras = json["perFrameIntrinsicCoeffs"]?.elements ?? []
        let rate = json["fps"]?.double.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        hasTimes = times != nil || rate != nil
        try limits.check(.frames, poses.count)
        for (index, pose) in poses.enumerated() {
            var frame = RecordedFrame(number: index)
            if let times {
                frame.time = index < times.count ? times[index] : nil
            } else if let rate {
                frame.time = Double(index) / rate
            }
            if let values = pose.numbers, values.count == 7 {
                frame.pose = CameraPose(
                    quaternion: SIMD4(values[0], values[1], values[2], values[3]),
                    translation: SIMD3(values[4], values[5], values[6]), Self.convention)
            }
            if index < cameras.count, let values = cameras[index].numbers, values.count >= 4 {
                frame.intrinsics = Intrinsics(
                    fx: values[0], fy: values[1], cx: values[2], cy: values[3], from: .corner)
            }
            frames.append(frame)
        }
    }

    /// A draft without parts of frames.
    func draft(_ layout: RecordingLayout) -> RecordingDraft {
        var draft = RecordingDraft(layout)
        draft.convention = Self.convention
        draft.intrinsics = intrinsics
        (draft.colorSize, draft.depthSize, draft.cameraFrame) = (colorSize, depthSize, colorSize)
        return draft
    }
}

/// Record3D's export of EXR and JPEG files: `metadata.json`, `rgb/N.jpg`, `depth/N.exr`.
enum Record3DFolderReader: RecordingLayoutReader {
    static func recognizes(_ folder: RecordingFolder) -> Bool {
        let inner = folder.folders.contains("EXR_RGBD") ? folder.folder("EXR_RGBD") ?? folder : folder
        return (folder.holds("metadata.json") || folder.holds("metadata"))
            && inner.folders.contains("depth") && inner.folders.contains("rgb")
    }

    static func read(
        _ folder: RecordingFolder, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        let name = folder.holds("metadata.json") ? "metadata.json" : "metadata"
        let metadata: Record3DMetadata?
        do throws(ContainerError) {
            metadata = try Record3DMetadata(try folder.json(name, limits), limits)
        } catch {
            throw error.inFile(name)
        }
        guard let metadata else {
            throw ContainerError(
                .malformed(rule: "metadata lacks 'poses' or 'K'")
            ).inFile(name)
        }
        var draft = metadata.draft(.record3DFolder)
        draft.coding.depth.unitsPerMeter = 1000
        draft.isListed = true
        let inner = folder.folder("EXR_RGBD") ?? folder
        draft.sound = folder.part("sound.m4a")
        let (color, depth) = (inner.folder("rgb"), inner.folder("depth"))
        let confidence = inner.folder(anyOf: ["conf", "confidence"])
        for var frame in metadata.frames {
            let stem = String(frame.number)
            frame.color = color?.part(stem, anyOf: ["jpg", "jpeg", "png"])
            frame.depth = depth?.part(stem, anyOf: ["exr", "png", "tiff", "tif"])
            frame.confidence = confidence?.part(stem, anyOf: ["png"])
            try draft.append(frame, limits)
        }
        return draft
    }
}
