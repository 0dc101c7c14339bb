public import DepthTypes
public import Effects
package import Sequences

/// The description of a scene, from metadata only. Upright.
public struct SceneDescription: Sendable {
    /// The depth or disparity of a scene.
    public struct Depth: Sendable {
        /// Its size, in samples.
        public var size: PixelSize
        /// The stored quantity.
        public var quantity: DepthQuantity
        /// The scale of the values.
        public var scale: DepthScale
        /// The integer coding of the stored quantity; `nil` if values are not integers.
        package var coding: Coding?
        /// Whether the near side is unknown, so that the usual one was assumed.
        package var isNearSideAssumed = false
        /// Whether it is computed by matching the pictures of a stereo pair.
        package var isMatched = false
        /// Whether values are heights of a terrain. They make no cloud.
        package var isHeight = false

        /// The depth of a source.
        public init(size: PixelSize, quantity: DepthQuantity, scale: DepthScale) {
            self.size = size
            self.quantity = quantity
            self.scale = scale
        }
    }

    /// Integer codes that are linear in the stored quantity.
    package struct Coding: Hashable, Sendable {
        /// The difference between the values of successive codes.
        package var step: Float
        /// The number of codes.
        package var codeCount: Int
        /// Whether the map was treated, so that values lie between codes.
        package var isSmoothed = false
        /// Whether the steps are visible: 8 bits or fewer.
        package var isCoarse: Bool { codeCount <= 256 && !isSmoothed }
    }

    /// The picture's size, in pixels; `nil` without a picture.
    public var colorSize: PixelSize?
    /// The size of the picture from before the camera rendered an effect into it; `nil` if missing.
    public var originalSize: PixelSize?
    /// Whether the picture has an alpha channel that is dropped: the picture is composited over white.
    package var isLaidOverWhite = false
    /// The depth; `nil` if missing.
    public var depth: Depth?
    /// The planes that can be read, in file order.
    public var planes: [PlaneKind] = []
    /// Whether the edges of the portrait matte are approximate, as a network's are.
    package var hasCoarseMatte = false
    /// Intrinsics in the source, upright; `nil` if missing.
    public var calibration: CameraCalibration? {
        get { cameras.file }
        set { cameras.file = newValue }
    }
    /// The 35 mm equivalent focal length, in millimeters; `nil` if unknown.
    public var focalLength35mm: Int? {
        get { cameras.focalLength35mm }
        set { cameras.focalLength35mm = newValue }
    }
    /// The known facts about the camera.
    package var cameras = CameraCandidates()
    /// The points of focus that the camera recorded, best first.
    public var focusMarks: [NormalizedPoint] = []
    /// Faces that the camera marked, the largest first.
    public var faces: [NormalizedPoint] = []
    /// The subject's position, as recorded by the camera (Exif `SubjectArea`).
    public var subjectMark: NormalizedPoint?
    /// The subject's distance in meters, as recorded by the camera (Exif `SubjectDistance`).
    public var subjectDistance: Float?
    /// Whether the photo is smaller than the frame of the camera's marks, so that they are moved as if it was cut from the
    /// middle.
    package var isCutFromFrame = false
    /// When the picture was taken, in local time, as `2026-11-22T15:49:17`; `nil` if not recorded.
    package var captureTime: String?
    /// Whether the camera has blurred the photo already, by Exif or because the file holds the original, too.
    package var isBlurredByCamera = false
    /// The lens that the file declares for its blur, in the unit of its disparity.
    package var effectLens: RenderedLens?
    /// The f-number that the file stores for its portrait effect.
    public var simulatedAperture: Float?
    /// The maker of the camera (Exif); `nil` if unknown.
    package var cameraMake: String?
    /// The model of the camera (Exif); `nil` if unknown.
    package var cameraModel: String?
    /// The index of the frame in its recording, from 0; `nil` for a photo.
    public var index: Int?
    /// Seconds since the recording's first frame; `nil` for a photo.
    public var time: Double?
    /// The camera's position and rotation in the recording's world; `nil` if unknown, or if tracking was lost.
    public var pose: CameraPose?
    /// The eyes that the frame of a spatial video shows; `nil` for all other scenes.
    package var eyes: RecordedEyes?
    /// The lens that a movie states for the frame; `nil` for all other scenes.
    package var lens: RecordedLens?
    /// The sample value of full confidence; `nil` for the highest of the plane.
    package var highestConfidence: Int?

    /// Nothing is known.
    public init() {}
}
