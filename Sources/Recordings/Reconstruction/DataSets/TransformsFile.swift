internal import DepthTypes
internal import Embedded
internal import Geometry
internal import Recordings
internal import Scenes

/// nerfstudio's `transforms.json`.
///
/// Intrinsics are those of the file if all frames have the same, otherwise of each frame: nerfstudio ignores a frame's if the
/// file has any. Depth is in millimeters, which nerfstudio assumes.
struct TransformsFile {
    private let frames: [DataSetFrame]

    init(_ frames: [DataSetFrame]) { self.frames = frames }

    /// The description, and the cloud that it names.
    func files(_ cloud: (any CloudSource)?) throws -> [DataSetFile] {
        let name = "sparse_pc.ply"
        let points = try cloud.map { DataSetFile(name, try $0.encodedFile(as: .ply, asText: false)) }
        let text = json(cloud: points?.path).serialized
        return [DataSetFile("transforms.json", text: text + "\n")] + [points].compactMap(\.self)
    }

    private func json(cloud: String?) -> JSONValue {
        let cameras = frames.map { $0.camera.transformsFields }
        let isShared = Set(frames.map(\.camera)).count == 1
        let lens = frames.lazy.compactMap(\.camera.lens).first
        var fields: [(String, JSONValue)] = [("camera_model", LensCoefficients.transformsModel(of: lens))]
        if isShared { fields += cameras[0] }
        fields.append(("depth_unit_scale_factor", .number(0.001)))
        let split = frames.split
        let lists = [("train", split.training), ("val", split.testing), ("test", split.testing)]
        fields += lists.map { ("\($0)_filenames", .array($1.map(JSONValue.text))) }
        if let cloud { fields.append(("ply_file_path", .text(cloud))) }
        // nerfstudio refuses masks unless all frames have one.
        let hasMasks = frames.allSatisfy { $0.mask != nil }
        let list = zip(frames, cameras).map { frame, camera in
            JSONValue.object(
                [
                    ("file_path", .optional(frame.picture)), ("depth_file_path", .text(frame.depth)),
                    ("timestamp", .number(frame.time)),
                ] + (hasMasks ? [("mask_path", .optional(frame.mask))] : []) + (isShared ? [] : camera)
                    + (frame.pose.map { [("transform_matrix", $0.transformMatrix)] } ?? []))
        }
        return .object(fields + [("frames", .array(list))])
    }
}
