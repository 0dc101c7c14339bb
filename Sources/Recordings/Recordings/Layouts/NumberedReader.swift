internal import Bytes
internal import Codecs
internal import DepthTypes
internal import RasterFormats
internal import Scenes

/// One depth image and its picture, alone in a folder. Only a folder that the caller names as a recording is read this way;
/// elsewhere these are two separate files.
enum PairReader: RecordingLayoutReader {
    static func recognizes(_ folder: RecordingFolder) -> Bool { ImageGroups(pairIn: folder) != nil }

    static func read(
        _ folder: RecordingFolder, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        guard let groups = ImageGroups(pairIn: folder) else { throw Recording.unrecognized }
        return try groups.draft(of: folder, .pair, reading, limits)
    }
}

/// Numbered depth images, with numbered pictures if there are any.
///
/// Files whose names differ only in the last number form a group. A group is depth if its images have one channel of at least
/// 16 bits or of floating point.
enum NumberedReader: RecordingLayoutReader {
    static func recognizes(_ folder: RecordingFolder) -> Bool { ImageGroups(numberedIn: folder) != nil }

    static func read(
        _ folder: RecordingFolder, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        guard let groups = ImageGroups(numberedIn: folder) else { throw Recording.unrecognized }
        let layout: RecordingLayout = groups.color == nil ? .numberedDepth : .numberedPairs
        return try groups.draft(of: folder, layout, reading, limits)
    }
}
