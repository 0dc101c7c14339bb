internal import DepthTypes

/// The cameras and sizes for registering depth to the view of pictures.
struct CameraRegistration: Sendable {
    var cameras: CameraPair
    /// The size of the measured depth.
    var depth: PixelSize
    /// The size of the pictures.
    var color: PixelSize
}

/// A camera that measures distances, and one beside it that takes pictures.
struct CameraPair: Sendable {
    /// The camera that measures distances.
    let depth: LensCamera
    /// The camera of pictures.
    let color: LensCamera
}
