internal import ByteParsing
internal import DepthModel
internal import ImageCodecs
internal import RasterContainers
internal import Sequences

/// One depth image and its picture, alone in a folder. Only a folder that is named as a recording is taken for one: elsewhere they
/// are two files.
enum PairReader: RecordingLayoutReader {
    static func recognizes(_ folder: RecordingFolder) -> Bool { ImageGroups(pairIn: folder) != nil }

    static func read(
        _ folder: RecordingFolder, _ reading: RecordingReading, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        guard let groups = ImageGroups(pairIn: folder) else { throw ListedRecording.unrecognized }
        return try groups.draft(of: folder, .pair, reading, limits)
    }
}

/// Numbered depth images, with numbered pictures where there are some.
///
/// Files belong together whose names differ in the last number only. A group is depth where its images have one channel of 16 bits
/// or more, or of floating-point numbers.
enum NumberedReader: RecordingLayoutReader {
    static func recognizes(_ folder: RecordingFolder) -> Bool { ImageGroups(numberedIn: folder) != nil }

    static func read(
        _ folder: RecordingFolder, _ reading: RecordingReading, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        guard let groups = ImageGroups(numberedIn: folder) else { throw ListedRecording.unrecognized }
        let layout: RecordingLayout = groups.color == nil ? .numberedDepth : .numberedPairs
        return try groups.draft(of: folder, layout, reading, limits)
    }
}
