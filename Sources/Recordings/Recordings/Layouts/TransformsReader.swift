internal import Bytes
internal import DepthMaps
internal import DepthTypes
internal import Embedded
internal import Scenes

/// `transforms.json` of nerfstudio and Instant-NGP, which NeRFCapture and SplaTAM also use.
///
/// `transform_matrix` is camera-to-world with axes as in OpenGL. Sizes, intrinsics and lens of a frame override those of the file.
/// Depth is `depth_file_path` in units of `depth_unit_scale_factor` meters in every form (default: integers are
/// millimeters, and floating point meters), or `depth_path` in units of `integer_depth_scale` meters. `mask_path` is black for
/// background pixels. Pixel coordinates start at a corner, as in COLMAP.
enum TransformsReader: RecordingLayoutReader {
    private static let name = "transforms.json"

    static func recognizes(_ folder: RecordingFolder) -> Bool { folder.holds(name) }

    static func read(
        _ folder: RecordingFolder, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        let json: JSONValue
        do throws(ContainerError) {
            json = try folder.json(name, limits)
        } catch {
            throw error.inFile(name)
        }
        guard case .array(let frames)? = json["frames"] else {
            throw ContainerError(.malformed(rule: "transforms.json has no array 'frames'")).inFile(name)
        }
        let isCapture = frames.contains { $0["depth_path"] != nil }
        var draft = RecordingDraft(isCapture ? .nerfCapture : .nerfstudio)
        draft.convention = .cameraToWorldOpenGL
        draft.isListed = true
        draft.intrinsics = intrinsics(json)
        draft.cameraFrame = PixelSize(json["w"]?.integer, json["h"]?.integer)
        draft.coding.depth.unitsPerMeter = unitsPerMeter(json, isCapture)
        draft.coding.depth.isUnitCertain = scaleNames.contains { json[$0] != nil }
        draft.coding.depth.hasUnitOfAllForms = !isCapture && draft.coding.depth.isUnitCertain
        let folders = Subfolders(folder)
        for (index, item) in frames.enumerated() {
            var frame = RecordedFrame(number: index)
            frame.time = item["timestamp"]?.double ?? item["time"]?.double
            frame.pose = matrix(item["transform_matrix"]).flatMap {
                CameraPose(rows: $0, .cameraToWorldOpenGL)
            }
            frame.intrinsics = intrinsics(item, else: json)
            if let path = item["file_path"]?.text {
                frame.color =
                    folders.part(path)
                    ?? ["png", "jpg", "jpeg"].lazy.compactMap { folders.part("\(path).\($0)") }
                    .first
                if frame.color == nil { draft.missingColor += 1 }
            }
            if let path = (item["depth_file_path"] ?? item["depth_path"])?.text {
                frame.depth = folders.part(path)
                if frame.depth == nil { draft.missingDepth += 1 }
            }
            if let path = item["mask_path"]?.text { frame.matte = folders.part(path) }
            try draft.append(frame, limits)
        }
        if let model = json["camera_model"]?.text, !models.contains(model) {
            draft.warn(
                .invalidCamera, "the lens is of the model '\(model.prefix(40))', and treated as a pinhole")
        }
        return draft
    }

    /// The models of lenses that are read.
    private static let models = [
        "SIMPLE_PINHOLE", "PINHOLE", "SIMPLE_RADIAL", "RADIAL", "OPENCV", "FULL_OPENCV", "OPENCV_FISHEYE",
    ]

    private static let scaleNames = [
        "depth_unit_scale_factor", "integer_depth_scale", "depth_integer_scale",
    ]

    private static func unitsPerMeter(_ json: JSONValue, _ isCapture: Bool) -> Double? {
        let factor = scaleNames.lazy.compactMap { json[$0]?.double }.first { $0 > 0 && $0.isFinite }
        // NeRFCapture writes a scale of 1 for pictures of 8 bits, which have no unit.
        guard let factor else { return isCapture ? nil : 1000 }
        return isCapture && factor == 1 ? nil : 1 / factor
    }

    private static func intrinsics(_ item: JSONValue, else shared: JSONValue? = nil) -> Intrinsics? {
        let names = ["fl_x", "fl_y", "cx", "cy", "camera_angle_x", "w", "h", "k1"]
        guard shared == nil || names.contains(where: { item[$0] != nil }) else { return nil }
        func number(_ name: String) -> Double? { (item[name] ?? shared?[name])?.double }
        /// The focal length of a field of view, in radians.
        func focalLength(_ angle: String, _ size: String) -> Double? {
            guard let angle = number(angle), let size = number(size), angle > 0, angle < .pi else {
                return nil
            }
            return size / 2 / Math.tangent(angle / 2)
        }
        let fx = number("fl_x") ?? focalLength("camera_angle_x", "w")
        let fy = number("fl_y") ?? focalLength("camera_angle_y", "h") ?? fx
        let (cx, cy) = (
            number("cx") ?? number("w").map { $0 / 2 }, number("cy") ?? number("h").map { $0 / 2 }
        )
        var camera = Intrinsics(fx: fx, fy: fy, cx: cx, cy: cy, from: .corner)
        func integer(_ name: String) -> Int? { (item[name] ?? shared?[name])?.integer }
        camera?.size = PixelSize(integer("w"), integer("h"))
        camera?.lens = LensCoefficients(
            model: (item["camera_model"] ?? shared?["camera_model"])?.text, number)
        return camera
    }

    /// The numbers of a matrix of four or three rows of four, row by row.
    static func matrix(_ value: JSONValue?) -> [Double]? {
        let rows = value?.elements.compactMap(\.numbers).joined().map(\.self)
        return rows?.count == 16 || rows?.count == 12 ? rows : nil
    }
}
