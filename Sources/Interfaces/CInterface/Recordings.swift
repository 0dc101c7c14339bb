internal import Bytes
public import CIsobath
internal import DepthTypes
internal import Embedded
internal import Geometry
internal import Reconstruction
internal import Recordings
internal import Scenes

/// The object behind `isobath_recording`: the lists and headers of a recording.
final class RecordingHandle: Sendable {
    let recording: Recording
    let name: String
    let limits: DecodingLimits
    /// What is known of the recording's path besides its own diagnostics.
    let remarks: [Diagnostic]

    init(_ recording: Recording, name: String, limits: DecodingLimits, remarks: [Diagnostic] = []) {
        (self.recording, self.name, self.limits, self.remarks) = (recording, name, limits, remarks)
    }

    static func at(_ handle: OpaquePointer?) throws(InvalidArgument) -> RecordingHandle {
        guard let handle = unsafe handle else { throw InvalidArgument("the recording is NULL") }
        // SAFETY: the handle comes from a function below and is not freed yet.
        return unsafe Unmanaged<RecordingHandle>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
    }

    var handedOut: OpaquePointer { unsafe OpaquePointer(Unmanaged.passRetained(self).toOpaque()) }
}

/// `isobath_open_recording`
@_cdecl("isobath_open_recording")
public func openRecording(
    _ file: UnsafePointer<CChar>?, _ options: UnsafePointer<isobath_open_options>?,
    _ recording: UnsafeMutablePointer<OpaquePointer?>?, _ error: ErrorPlace?
) -> isobath_status {
    unsafe answer(recording, error) {
        let given = try unsafe CInterface.options(options, else: isobath_open_options())
        guard unsafe given.bytes == nil, unsafe given.source == nil else {
            throw InvalidArgument("a recording is opened by its path")
        }
        let opening = try unsafe Opening(given, ofRecording: true)
        guard let path = unsafe path(file) else { throw InvalidArgument("the path is NULL") }
        do {
            let recording = try Recording(
                contentsOf: path, reading: opening.reading, limits: opening.limits)
            return unsafe RecordingHandle(recording, name: path, limits: opening.limits).handedOut
        } catch RecordingError.noTopics {
            throw InvalidArgument("topics have no effect: \(RecordingError.noTopics)")
        }
    }
}

/// `isobath_recording_free`
@_cdecl("isobath_recording_free")
public func freeRecording(_ recording: OpaquePointer?) {
    guard let recording = unsafe recording else { return }
    // SAFETY: the handle comes from a function above.
    unsafe Unmanaged<RecordingHandle>.fromOpaque(UnsafeRawPointer(recording)).release()
}

/// `isobath_recording_json`
@_cdecl("isobath_recording_json")
public func recordingJSON(
    _ recording: OpaquePointer?, _ what: UnsafePointer<CChar>?,
    _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ error: ErrorPlace?
) -> isobath_status {
    unsafe answer(json, error) {
        let handle = try unsafe RecordingHandle.at(recording)
        let what = try unsafe requiredText(what, "name of a description")
        switch what {
        case "info": return try unsafe handedOut(handle.recording.record(path: handle.name))
        case "track": return try unsafe handedOut(handle.track)
        default: throw InvalidArgument("a recording is described by 'info' and 'track', not '\(what)'")
        }
    }
}

extension RecordingHandle {
    fileprivate var track: JSONValue {
        .object([
            ("times", .numbers(recording.times)),
            ("poses", .array(recording.poses.map { $0?.record ?? .null })),
            ("diagnostics", .array((recording.diagnostics + remarks).map(\.record))),
        ])
    }
}

/// `isobath_recording_frame`
@_cdecl("isobath_recording_frame")
public func recordingFrame(
    _ recording: OpaquePointer?, _ index: Int64, _ frame: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: ErrorPlace?
) -> isobath_status {
    unsafe answer(frame, error) {
        let handle = try unsafe RecordingHandle.at(recording)
        do {
            let scene = try handle.recording.scene(at: Int(index))
            return unsafe PhotoHandle(
                .frame(scene.source, handle.recording), name: handle.name, limits: handle.limits
            ).handedOut
        } catch let error as RecordingError {
            throw InvalidArgument(error.description)
        }
    }
}

/// `isobath_recording_follow`
@_cdecl("isobath_recording_follow")
public func followRecording(
    _ recording: OpaquePointer?, _ flags: UInt32, _ followed: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: ErrorPlace?
) -> isobath_status {
    unsafe answer(followed, error) {
        let handle = try unsafe RecordingHandle.at(recording)
        try check(flags, known: ISOBATH_FUSION_LEVEL | ISOBATH_FUSION_OPENCV_AXES)
        let path = try FollowedRecording(
            handle.recording, FrameSelection(), uprightIn: uprightAxes(flags))
        return unsafe RecordingHandle(
            path.recording, name: handle.name, limits: handle.limits,
            remarks: handle.remarks + path.diagnostics
        ).handedOut
    }
}

/// The axes of a level world; `nil` for the world of the poses.
private func uprightAxes(_ flags: UInt32) throws(InvalidArgument) -> CloudAxes? {
    let isOpenCV = flags.has(ISOBATH_FUSION_OPENCV_AXES)
    guard flags.has(ISOBATH_FUSION_LEVEL) else {
        guard !isOpenCV else {
            throw InvalidArgument("ISOBATH_FUSION_OPENCV_AXES has no effect without ISOBATH_FUSION_LEVEL")
        }
        return nil
    }
    return isOpenCV ? .opencv : .opengl
}

/// `isobath_recording_fuse`
@_cdecl("isobath_recording_fuse")
public func fuseRecording(
    _ recording: OpaquePointer?, _ options: UnsafePointer<isobath_fusion_options>?,
    _ cloud: UnsafeMutablePointer<UnsafeMutablePointer<isobath_cloud>?>?, _ error: ErrorPlace?
) -> isobath_status {
    unsafe answer(cloud, error) {
        let recording = try unsafe RecordingHandle.at(recording).recording
        let given = try unsafe CInterface.options(options, else: isobath_fusion_options())
        guard given.near_distance >= 0, given.far_distance >= 0, given.near_distance.isFinite,
            given.voxel_size >= 0, given.step >= 0, given.start >= 0, given.end >= 0
        else { throw InvalidArgument("distances, voxel_size, step and times must not be negative") }
        try check(
            given.flags,
            known: (ISOBATH_FUSION_MESH << 1) - 1)
        let axes = try uprightAxes(given.flags)
        let hasEnd = given.flags.has(ISOBATH_FUSION_HAS_END)
        guard hasEnd || given.end == 0 else {
            throw InvalidArgument("end has no effect without ISOBATH_FUSION_HAS_END")
        }
        var fusion = FusionOptions()
        if given.voxel_size > 0 { fusion.voxelSize = given.voxel_size }
        fusion.near = given.near_distance
        if given.far_distance > 0 { fusion.far = given.far_distance }
        let isMesh = given.flags.has(ISOBATH_FUSION_MESH)
        try check(maximumTriangles: given.maximum_triangles, ofMesh: isMesh)
        let fused = try recording.fused(
            fusion, from: given.start, to: hasEnd ? given.end : .infinity,
            every: max(1, Int(given.step)), uprightIn: axes)
        let most = given.maximum_triangles > 0 ? Int(given.maximum_triangles) : nil
        let mesh =
            try isMesh ? fused.mesh(maximumTriangles: most) : TriangleMesh(vertices: fused.points())
        let scale = try recording.scene(at: 0).description.depth?.scale ?? .unitless
        return unsafe handedOut(mesh, scale.rawValue)
    }
}
