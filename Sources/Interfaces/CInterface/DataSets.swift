public import CIsobath
internal import Embedded
internal import Reconstruction
internal import Recordings
internal import Scenes

/// `isobath_recording_write_data_set`
@_cdecl("isobath_recording_write_data_set")
public func writeDataSet(
    _ recording: OpaquePointer?, _ form: UnsafePointer<CChar>?, _ folder: UnsafePointer<CChar>?,
    _ options: UnsafePointer<isobath_data_set_options>?,
    _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ error: ErrorPlace?
) -> isobath_status {
    unsafe answer(json, error) {
        let recording = try unsafe RecordingHandle.at(recording).recording
        let form = try unsafe dataSetForm(form)
        guard let path = unsafe path(folder) else { throw InvalidArgument("the path is NULL") }
        let given = try unsafe CInterface.options(options, else: isobath_data_set_options())
        try given.check()
        let set = try recording.writeDataSet(
            form, to: path, replacingExisting: given.flags.has(ISOBATH_DATA_SET_REPLACE), from: given.start,
            to: given.flags.has(ISOBATH_DATA_SET_HAS_END) ? given.end : .infinity,
            every: max(1, Int(given.step)),
            maximumFrames: given.maximum_frames > 0 ? Int(given.maximum_frames) : nil,
            takingSharpest: given.flags.has(ISOBATH_DATA_SET_SHARPEST),
            quality: given.quality > 0 ? Int(given.quality) : nil)
        return try unsafe handedOut(set.record)
    }
}

private func dataSetForm(_ given: UnsafePointer<CChar>?) throws(InvalidArgument) -> DataSetForm {
    let name = try unsafe requiredText(given, "form of the data set")
    guard let form = DataSetForm(rawValue: name) else {
        let names = DataSetForm.allCases.map(\.rawValue).joined(separator: ", ")
        throw InvalidArgument("the form of the data set is '\(name)'; it must be one of \(names)")
    }
    return form
}

extension isobath_data_set_options {
    fileprivate func check() throws(InvalidArgument) {
        try CInterface.check(
            flags, known: ISOBATH_DATA_SET_REPLACE | ISOBATH_DATA_SET_SHARPEST | ISOBATH_DATA_SET_HAS_END)
        guard step >= 0, maximum_frames >= 0, start >= 0, end >= 0 else {
            throw InvalidArgument("step, maximum_frames and times must not be negative")
        }
        guard flags.has(ISOBATH_DATA_SET_HAS_END) || end == 0 else {
            throw InvalidArgument("end has no effect without ISOBATH_DATA_SET_HAS_END")
        }
        guard (0...100).contains(quality) else {
            throw InvalidArgument("quality is \(quality); it must be 1 to 100, or 0 for the default")
        }
        guard !flags.has(ISOBATH_DATA_SET_SHARPEST) || step > 1 || maximum_frames > 0 else {
            throw InvalidArgument("ISOBATH_DATA_SET_SHARPEST has no effect without step or maximum_frames")
        }
    }
}

extension DataSet {
    fileprivate var record: JSONValue {
        .object([
            ("frames", .integer(frameCount)), ("pictures", .integer(pictureCount)),
            ("poses", .integer(poseCount)), ("points", .optional(pointCount)),
            (
                "damagedFrames",
                .array(
                    damagedFrames.map {
                        .object([("index", .integer($0.index)), ("error", errorRecord($0.error))])
                    })
            ),
            ("diagnostics", .array(diagnostics.map(\.record))),
        ])
    }
}
