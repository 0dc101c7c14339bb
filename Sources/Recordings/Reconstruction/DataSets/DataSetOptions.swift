package import Scenes

/// Which frames of a recording a data set holds, and how.
package struct DataSetOptions: Hashable, Sendable {
    /// Frames by time, and every n-th of them.
    package var selection = FrameSelection()
    /// The largest number of frames, evenly chosen; `nil` for all.
    package var maximumFrames: Int?
    /// Whether the sharpest picture of each group of frames is used, instead of every n-th or the one in the middle.
    package var takesSharpest = false
    /// The quality of JPEG pictures that are not copied from the recording, 1…100.
    package var quality = 92

    /// All frames.
    package init() {}
}
