internal import DepthTypes
internal import Recordings

/// A frame in the lists of a data set.
struct DataSetFrame: Sendable {
    /// Seconds, on the recording's clock.
    var time: Double
    /// The path of the picture in the data set; `nil` without a picture.
    var picture: String?
    /// The path of the depth in the data set.
    var depth: String
    /// The camera of the picture, or of the depth without a picture, with its lens, in its pixels.
    var camera: CameraCalibration
    /// The camera's pose; `nil` if unknown.
    var pose: CameraPose?
}

/// A file of a data set.
struct DataSetFile: Sendable {
    /// Its path in the data set.
    var path: String
    var bytes: [UInt8]

    init(_ path: String, _ bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }

    init(_ path: String, text: String) { self.init(path, Array(text.utf8)) }
}
