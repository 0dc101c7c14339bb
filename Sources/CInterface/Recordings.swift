public import CIsobath
internal import DepthIO
internal import EmbeddedFormats
internal import Recordings

/// What `isobath_recording` is: the lists and headers of a recording.
private final class RecordingHandle: Sendable {
    let recording: Recording
    let name: String

    init(_ recording: Recording, name: String) {
        self.recording = recording
        self.name = name
    }

    static func at(_ handle: OpaquePointer?) throws(InvalidArgument) -> RecordingHandle {
        guard let handle = unsafe handle else { throw InvalidArgument("the recording is NULL") }
        // SAFETY: the caller has the handle from a function below, and has not freed it.
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
        let opening = try unsafe Opening(options)
        guard let path = unsafe path(file) else { throw InvalidArgument("the path is NULL") }
        let recording = try Recording(contentsOf: path, reading: opening.reading, limits: opening.limits)
        return unsafe RecordingHandle(recording, name: path).handedOut
    }
}

/// `isobath_recording_free`
@_cdecl("isobath_recording_free")
public func freeRecording(_ recording: OpaquePointer?) {
    guard let recording = unsafe recording else { return }
    // SAFETY: the caller has the handle from a function above.
    unsafe Unmanaged<RecordingHandle>.fromOpaque(UnsafeRawPointer(recording)).release()
}

/// `isobath_recording_info`
@_cdecl("isobath_recording_info")
public func recordingInfo(
    _ recording: OpaquePointer?, _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ error: ErrorPlace?
) -> isobath_status {
    unsafe answer(json, error) {
        let handle = try unsafe RecordingHandle.at(recording)
        return try unsafe handedOut(handle.recording.content.record(path: handle.name))
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
            return unsafe PhotoHandle(.frame(scene.source, handle.recording), name: handle.name).handedOut
        } catch let error as RecordingError {
            throw InvalidArgument(error.description)
        }
    }
}
