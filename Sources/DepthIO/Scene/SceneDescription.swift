public import Compositing
public import DepthModel

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
        /// The codes of values, in the quantity that is stored; `nil` where values are not codes.
        package var coding: Coding?
        /// Whether nothing says which side is near, so that the usual one was taken.
        package var isNearSideAssumed = false
        /// Whether values are heights of a terrain, which make no cloud.
        package var isHeight = false

        /// The depth of a source.
        public init(size: PixelSize, quantity: DepthQuantity, scale: DepthScale) {
            self.size = size
            self.quantity = quantity
            self.scale = scale
        }
    }

    /// Codes on a straight line.
    package struct Coding: Hashable, Sendable {
        /// The difference between the values of successive codes.
        package var step: Float
        /// How many codes there are.
        package var codeCount: Int
        /// Whether the map was treated, so that its values are between codes.
        package var isSmoothed = false
        /// Whether the steps show: 8 bits or fewer.
        package var isCoarse: Bool { codeCount <= 256 && !isSmoothed }
    }

    /// The picture's size, in pixels; `nil` where there is no picture.
    public var colorSize: PixelSize?
    /// The size of the picture before the camera rendered an effect into it; `nil` where there is none.
    public var originalSize: PixelSize?
    /// Whether the picture has an alpha channel that is not kept: it is laid over white.
    package var isLaidOverWhite = false
    /// The depth; `nil` where there is none.
    public var depth: Depth?
    /// The planes that can be read, in file order.
    public var planes: [PlaneKind] = []
    /// Whether the portrait matte knows where the subject is, and its edges only roughly: one that a network gave.
    package var hasCoarseMatte = false
    /// Intrinsics that the source holds, upright; `nil` where there are none.
    public var calibration: CameraCalibration? {
        get { cameras.file }
        set { cameras.file = newValue }
    }
    /// The 35 mm equivalent focal length, in millimeters; `nil` where it is unknown.
    public var focalLength35mm: Int? {
        get { cameras.focalLength35mm }
        set { cameras.focalLength35mm = newValue }
    }
    /// What is known of the camera.
    package var cameras = CameraCandidates()
    /// Where the camera was focused, as it says itself, best first.
    public var focusMarks: [NormalizedPoint] = []
    /// Faces that the camera marked, the largest first.
    public var faces: [NormalizedPoint] = []
    /// Where the camera says that its subject is (Exif `SubjectArea`).
    public var subjectMark: NormalizedPoint?
    /// How far away the camera says that its subject is, in meters (Exif `SubjectDistance`).
    public var subjectDistance: Float?
    /// When the picture was taken, as `2026-11-22T15:49:17`, in the time of its place; `nil` where that is not said.
    package var captureTime: String?
    /// Whether the camera has blurred the photo already, by Exif or because the file holds the original, too.
    package var isBlurredByCamera = false
    /// The f-number of the portrait effect that the file asks for.
    public var simulatedAperture: Float?
    /// The maker of the camera (Exif); `nil` where it is unknown.
    package var cameraMake: String?
    /// The model of the camera (Exif); `nil` where it is unknown.
    package var cameraModel: String?
    /// Which frame of its recording the scene is, from 0; `nil` for a photo.
    public var index: Int?
    /// Seconds since the recording's first frame; `nil` for a photo.
    public var time: Double?
    /// The camera's position and rotation in the recording's world; `nil` where that is unknown, and where tracking was lost.
    public var pose: CameraPose?
    /// The code of full confidence; `nil` for the largest code of the plane.
    package var highestConfidence: Int?

    /// Nothing is known.
    public init() {}
}
