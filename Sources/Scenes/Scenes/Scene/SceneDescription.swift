package import Bytes
public import DepthTypes
public import Effects
package import PhotoFormats

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
        /// Stored units per meter, such as 1000 or 5000, of the integers of frames; `nil` if they have no unit, and for others.
        package var unitsPerMeter: Double?
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
    /// The subject's position, as recorded by the camera (Exif `SubjectArea`). A second one is in the frame before the photo was
    /// turned: editors turn the samples of photos, and leave the mark.
    public var subjectMarks: [NormalizedPoint] = []
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
    /// The pose of the camera that measured the depth, in the axes of the pictures' camera, which ``pose`` is of; `nil` if depth is in
    /// the view of the pictures. Otherwise the picture shows the color of each sample, and gray where it is unknown.
    package var depthPose: CameraPose?
    /// The eyes that the frame of a spatial video shows; `nil` for all other scenes.
    package var eyes: RecordedEyes?
    /// The lens that a movie states for the frame; `nil` for all other scenes.
    package var lens: RecordedLens?
    /// The sample value of full confidence; `nil` for the highest of the plane.
    package var highestConfidence: Int?
    /// Every plane beside the picture, in file order, readable or not; empty for scenes that are not a file's.
    package var storedPlanes: [PlaneDescription] = []
    /// The plane that depth and disparity are read from: of several, the one that was chosen, or one that is computed.
    package var chosenDepth: PlaneDescription?
    /// Whether the picture has a gain map, so that it is shown in HDR.
    package var hasGainMap = false
    /// The two pictures of a stereo photo; `nil` for others.
    package var stereo: StereoPair?
    /// The file as it is stored; `nil` for scenes that are not a file's.
    package var file: StoredFile?
    /// Why planes are missing.
    package var absence = Absence.listed

    /// Nothing is known.
    public init() {}
}

extension SceneDescription {
    /// A file as it is stored.
    package struct StoredFile: Sendable {
        /// The kinds of files.
        package enum Kind: Sendable {
            case photo, raster
            /// Two files that are a stereo pair.
            case pictures
        }

        package var kind: Kind
        /// The name of its format, as in `info --json`.
        package var format: String
        /// The size of its picture or plane, as stored.
        package var size: PixelSize
        /// How stored pixels are turned upright.
        package var orientation: Orientation
        /// The type of a raster's samples; `nil` for others.
        package var sampleType: String?
        /// The limits of decoding it.
        package var limits: DecodingLimits
        /// Data that is not an image and is not interpreted.
        package var trailers: [FileTrailer] = []
        /// Whether a ``ReadingOptions`` applies to it.
        package var usesReading = false
        /// Whether Isobath wrote it, with a record of what its samples mean.
        package var hasRecord = false
        /// Whether it is a photo without depth, and without a plane that could be depth.
        package var isWithoutDepth = false
        /// Whether its picture is the left one of its stereo pair, and not another crop or another picture.
        package var isLeftPicture = true
        /// Whether every program shows its pixels in the same way: JPEG or PNG, 8-bit sRGB, upright and opaque.
        package var isPlain = false
    }

    /// Why planes are missing.
    package enum Absence: Sendable {
        /// The source has the planes that it lists, and no others.
        case listed
        /// A plane could not be described; it may be any.
        case lost(any Error)
        /// A plane of an unknown type may be the missing one; the file has this defect.
        case defective(any Error)
        /// It is a color image.
        case notDepth
        /// Each pixel is a vector of two numbers.
        case vectorGrid
    }

    /// The plane that depth and disparity are read from; `nil` without depth.
    package var depthPlane: PlaneDescription? {
        chosenDepth
            ?? depth.map { depth in
                var plane = PlaneDescription(
                    computed: depth.quantity == .depth ? .depth : .disparity, width: depth.size.width,
                    height: depth.size.height, bitDepth: 32, source: "scene", type: "scene",
                    scale: depth.scale)
                plane.calibration = cameras.file?.scaled(toWidth: depth.size.width, height: depth.size.height)
                return plane
            }
    }

    /// The stored plane of a kind, preferring the photo's planes to those of its thumbnails; `nil` if missing.
    package func storedPlane(_ kind: PlaneKind) -> PlaneDescription? {
        storedPlanes.first { $0.kind == kind && $0.index == 0 }
    }

    /// The plane of a kind, stored or computed; of depth if `kind` is `nil`. Throws as ``absence(of:)`` describes.
    package func requirePlane(_ kind: PlaneKind?) throws -> PlaneDescription {
        guard let kind else {
            guard let depthPlane else { throw absence(of: nil) }
            return depthPlane
        }
        if let stored = storedPlane(kind) { return stored }
        guard file == nil, planes.contains(kind) else { throw absence(of: kind) }
        if let depthPlane, kind.isDepth { return depthPlane }
        // The size of a computed matte is known once it is decoded.
        return PlaneDescription(
            computed: kind, width: 0, height: 0, bitDepth: 8, source: "scene", type: "scene")
    }

    /// The error for a missing plane of a kind; `nil` for neither depth nor disparity.
    package func absence(of kind: PlaneKind?) -> any Error {
        switch absence {
        case .lost(let error), .defective(let error): error
        case .notDepth: SceneError.notDepth(kind)
        case .vectorGrid: SceneError.vectorGrid(kind)
        case .listed: SceneError.noPlane(kind, available: file == nil ? planes : storedPlanes.map(\.kind))
        }
    }

    /// Takes the camera's metadata on a picture in a separate file: faces, the point of focus, the subject, the time.
    mutating func takeMarks(of picture: SceneDescription) {
        guard picture.file?.kind == .photo else { return }
        faces = picture.faces
        focusMarks += picture.focusMarks
        (subjectMarks, subjectDistance) = (picture.subjectMarks, picture.subjectDistance)
        isCutFromFrame = picture.isCutFromFrame
        isBlurredByCamera = isBlurredByCamera || picture.isBlurredByCamera
        captureTime = picture.captureTime
    }

    /// Whether depth is computed from both pictures of a stereo photo, because none is stored.
    package var isMatchable: Bool {
        if case .lost = absence { return false }
        return chosenDepth == nil && stereo?.isComputable == true
    }

    /// What the planes of a file declare. Set the properties of the file and of its depth afterwards.
    init(
        planes: [PlaneDescription], depth plane: PlaneDescription?, colorSize: PixelSize?,
        isLaidOverWhite: Bool
    ) {
        self.init()
        (storedPlanes, chosenDepth, self.colorSize) = (planes, plane, colorSize)
        self.isLaidOverWhite = isLaidOverWhite
        depth = plane.map { plane in
            Depth(size: plane.uprightSize, quantity: plane.quantity, scale: plane.scale)
        }
        self.planes = planes.filter { $0.index == 0 && $0.readError == nil }.map(\.kind)
        // Of a separate picture file, only the alpha is used, not its planes.
        if isLaidOverWhite, !self.planes.contains(.alpha) { self.planes.append(.alpha) }
        originalSize = storedPlane(.original).flatMap { $0.readError == nil ? $0.uprightSize : nil }
        effectLens = plane?.blur?.lens
        isBlurredByCamera = originalSize != nil || effectLens != nil
        cameras.file = plane?.calibration(in: .upright)
        focusMarks = plane?.focalPoint.map { [$0] } ?? []
        simulatedAperture = plane?.blur?.simulatedAperture.map { Float($0) }
    }
}

extension BlurParameters {
    /// The lens of Lens Blur; `nil` if it is not declared, or if nothing was blurred.
    fileprivate var lens: RenderedLens? {
        guard let focalDistance, let blurAtInfinity else { return nil }
        return RenderedLens(focus: Float(1 / focalDistance), blurAtInfinity: Float(blurAtInfinity))
    }
}

extension PlaneDescription {
    /// The quantity that a plane of depth or disparity stores.
    var quantity: DepthQuantity { mapping?.quantity ?? (kind == .disparity ? .disparity : .depth) }

    /// The size of the plane once it is turned upright.
    var uprightSize: PixelSize {
        let size = orientation.size(width: width, height: height)
        return PixelSize(width: size.width, height: size.height)
    }

    /// The camera in a frame.
    package func calibration(in frame: PixelOrientation) -> CameraCalibration? {
        frame == .upright ? calibration?.oriented(by: orientation) : calibration
    }

    /// The focal point of the portrait effect, upright; `nil` if the plane does not declare it.
    fileprivate var focalPoint: NormalizedPoint? {
        guard let point = blur?.focalPoint, (0...1).contains(point.x), (0...1).contains(point.y) else {
            return nil
        }
        let upright = orientation.point(point.x, point.y, width: 1, height: 1)
        return NormalizedPoint(x: upright.x, y: upright.y)
    }
}
