public import Compositing
public import DepthModel
public import PointClouds

/// What is known of a scene before anything is decoded. Upright.
public struct SceneDescription: Sendable {
    /// The depth or disparity of a scene.
    public struct Depth: Sendable {
        /// Its size, in samples.
        public var size: PixelSize
        /// What is stored.
        public var quantity: DepthQuantity
        /// What values mean.
        public var scale: DepthScale

        /// The depth of a source.
        public init(size: PixelSize, quantity: DepthQuantity, scale: DepthScale) {
            self.size = size
            self.quantity = quantity
            self.scale = scale
        }
    }

    /// The picture's size, in pixels; `nil` where there is no picture.
    public var colorSize: PixelSize?
    /// The depth; `nil` where there is none.
    public var depth: Depth?
    /// The mattes that are there.
    public var mattes: [PlaneKind] = []
    /// Whether the depth has a plane of confidence.
    public var hasConfidence = false
    /// What is known of the camera.
    public var cameras = CameraCandidates()
    /// Where the camera was focused, as it says itself, best first.
    public var focusMarks: [NormalizedPoint] = []
    /// Faces that the camera marked, the largest first.
    public var faces: [NormalizedPoint] = []
    /// The f-number of the portrait effect that the file asks for.
    public var simulatedAperture: Float?

    /// Nothing is known.
    public init() {}
}

/// What is known of a camera, best first: ``camera(for:)`` takes the first that there is.
public struct CameraCandidates: Hashable, Sendable {
    /// Intrinsics that were given by hand.
    public var given: CameraCalibration?
    /// Intrinsics in the file.
    public var file: CameraCalibration?
    /// The 35 mm equivalent focal length in Exif, in millimeters.
    public var focalLength35mm: Int?

    /// Nothing is known.
    public init() {}

    /// The camera of a picture or a map of this size, and where it is known from. Intrinsics keep the frame that they were made for:
    /// scale them to the size. Without any candidate, a usual field of view is assumed.
    public func camera(for size: PixelSize) -> ResolvedCamera {
        let best = CameraCalibration.best(
            given: given, file: file, focalLength35mm: focalLength35mm, width: size.width, height: size.height
        )
        return ResolvedCamera(calibration: best.calibration, source: best.source)
    }
}

/// A camera, and where it is known from.
public struct ResolvedCamera: Hashable, Sendable {
    /// The camera.
    public var calibration: CameraCalibration
    /// Where it is known from.
    public var source: CameraSource
}
