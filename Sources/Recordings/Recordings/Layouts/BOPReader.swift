internal import Bytes
internal import DepthTypes
internal import Embedded
internal import Scenes

/// A scene of BOP, the benchmark of object poses: `scene_camera.json`, `depth/NNNNNN.png`, `rgb/` or `gray/`, and masks of objects.
/// `scene_camera.json` has an object for each frame, by its number: `cam_K`, row by row, `depth_scale`, millimeters per unit,
/// and in some sets `cam_R_w2c`, row by row, and `cam_t_w2c` in millimeters, the transform from world to camera with axes as
/// in OpenCV.
enum BOPReader: RecordingLayoutReader {
    private static let name = "scene_camera.json"

    static func recognizes(_ folder: RecordingFolder) -> Bool {
        folder.holds(name) && folder.folders.contains("depth")
    }

    static func read(
        _ folder: RecordingFolder, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        let json: JSONValue
        do throws(ContainerError) {
            json = try folder.json(name, limits)
        } catch {
            throw error.inFile(name)
        }
        guard case .object(let fields) = json else {
            throw ContainerError(
                .malformed(rule: "scene_camera.json is not an object with a field for each frame")
            )
            .inFile(name)
        }
        var draft = RecordingDraft(.bop)
        draft.isListed = true
        let (depth, color) = (folder.folder("depth"), folder.folder(anyOf: ["rgb", "gray"]))
        let masks = Masks(folder.folder("mask_visib"))
        var scales: [Double] = []
        for (key, camera) in fields {
            guard let number = Int(key), number >= 0 else { continue }
            var frame = RecordedFrame(number: number)
            let stem = padded(number, to: 6)
            frame.depth = depth?.part(stem, anyOf: ["png", "tif", "tiff"])
            frame.color = color?.part(stem, anyOf: ["png", "jpg", "jpeg", "tif"])
            frame.matte = masks?.part(of: stem)
            frame.intrinsics = Intrinsics(matrix: camera["cam_K"]?.numbers, from: .center)
            frame.pose = pose(camera)
            if let scale = camera["depth_scale"]?.double, scale > 1e-6, scale < 1e6 { scales.append(scale) }
            try draft.append(frame, limits)
        }
        draft.frames.sort { $0.number < $1.number }
        if draft.frames.contains(where: { $0.pose != nil }) { draft.convention = .worldToCameraOpenCV }
        describeUnit(scales, &draft)
        if let count = masks?.ambiguousCount, count > 0 {
            draft.note(
                .unusedParts,
                "\(count == 1 ? "1 frame has" : "\(count) frames have") masks of several objects, which are not read as mattes"
            )
        }
        return draft
    }

    private static func describeUnit(_ scales: [Double], _ draft: inout RecordingDraft) {
        guard let first = scales.first else { return draft.coding.depth.isUnitCertain = false }
        draft.coding.depth.unitsPerMeter = 1000 / first
        draft.coding.depth.hasUnitOfAllForms = true
        guard scales.contains(where: { $0 != first }) else { return }
        draft.coding.depth.isUnitCertain = false
        draft.warn(
            .unusedParts,
            "depth_scale differs from frame to frame in \(name): \(first) is used for all of them")
    }

    private static func pose(_ camera: JSONValue) -> CameraPose? {
        guard let turn = camera["cam_R_w2c"]?.numbers, turn.count == 9,
            let way = camera["cam_t_w2c"]?.numbers, way.count == 3
        else { return nil }
        let columns = (0..<3).map { SIMD3(turn[$0], turn[$0 + 3], turn[$0 + 6]) }
        let meters = SIMD3(way[0], way[1], way[2]) / 1000
        return CameraPose(columns: columns, translation: meters, .worldToCameraOpenCV)
    }

    /// Masks `FRAME_OBJECT.png`. In a frame with several objects, the subject is unknown.
    private struct Masks {
        private let folder: RecordingFolder
        private var names: [String: [String]] = [:]

        /// How many frames have several objects.
        var ambiguousCount: Int { names.count { $0.value.count > 1 } }

        init?(_ folder: RecordingFolder?) {
            guard let folder else { return nil }
            self.folder = folder
            for name in folder.files where name.pathExtension == "png" {
                names[String(name.prefix(while: { $0 != "_" })), default: []].append(name)
            }
        }

        func part(of stem: String) -> (any FramePart)? {
            guard let found = names[stem], found.count == 1 else { return nil }
            return folder.part(found[0])
        }
    }
}
