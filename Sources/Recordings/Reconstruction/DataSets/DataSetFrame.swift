internal import DepthMaps
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
    /// The path of the mask, black for pixels to ignore; `nil` without a matte.
    var mask: String?
    /// The camera of the picture, or of the depth without a picture, with its lens, in its pixels.
    var camera: CameraCalibration
    /// The camera's pose; `nil` if unknown.
    var pose: CameraPose?
    /// Depth in meters, at a small size, for finding the points that the frame shows; empty in forms without tracks.
    var seen = FramePlane<Float>()
}

extension [DataSetFrame] {
    /// The pictures for training and those for testing: every eighth, as 3D Gaussian splatting and Mip-NeRF 360 take them. A single
    /// frame is for both.
    var split: (training: [String], testing: [String]) {
        let names = compactMap(\.picture)
        guard names.count > 1 else { return (names, names) }
        let testing = names.indices.filter { $0 % 8 == 0 }
        return (names.indices.filter { $0 % 8 != 0 }.map { names[$0] }, testing.map { names[$0] })
    }
}

/// A file of a data set.
struct DataSetFile: Sendable {
    /// Its path in the data set.
    var path: String
    var bytes: [UInt8]

    init(_ path: String, _ bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }

    init(_ path: String, text: String) { self.init(path, Array(text.utf8)) }
}
