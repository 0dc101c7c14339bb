public import Bytes
public import DepthTypes

/// Why a scene, plane or cloud cannot be made this way, although its file is intact.
public enum SceneError: Error, Hashable, Sendable {
    /// The plane is missing; `nil` for depth or disparity. `available` lists the existing planes in file order.
    case noPlane(PlaneKind?, available: [PlaneKind])
    /// A matte is needed, and planes of this kind are not coverage.
    case notCoverage(PlaneKind)
    /// Depth is needed, and the file is a color image.
    case notDepth(PlaneKind?)
    /// Depth is needed, and each pixel of the file is a vector of two numbers.
    case vectorGrid(PlaneKind?)
    /// Distances from a camera are needed, and the file holds heights of a terrain.
    case heights
    /// The file is not a stereo pair, so it lacks this part of one.
    case notStereo(String)
    /// A picture is needed, and the scene is a raster without one.
    case noPicture
    /// A minimum confidence is given, but the confidence plane is missing.
    case noConfidencePlane
    /// Dequantizing is requested, and the samples have no step.
    case noQuantizationStep
    /// Millimeters are requested, and the depth has no unit.
    case noUnit
    /// The picture and the depth have different shapes, so they cannot show the same view.
    case differentView(picture: PixelSize, depth: PixelSize)
    /// The size of the inserted picture would be out of range.
    case layerSize(distance: Float)
    /// The camera's focal length, in pixels, is not positive and finite.
    case focalLength(Double)
    /// A number of a ``ReadingOptions`` is not positive.
    case notPositive(name: String, Double)
    /// A coordinate of the principal point is not finite.
    case invalidPrincipalPoint
    /// A baseline is given for depth.
    case baselineForDepth
    /// A baseline is given without a camera.
    case baselineWithoutCamera
    /// Distances along the rays are converted with the camera, and there is none.
    case distanceWithoutCamera
    /// A photo is declared to hold distances along the rays.
    case distanceInPhoto
    /// No sample of a plane of this many has a value.
    case noKnownSample(Int)
    /// A range of distances is given for samples of this type, which are not integers of 8 or 16 bits.
    case rangeWithoutCodes(String)
    /// A range that is linear in depth ends at infinity.
    case infiniteRange
    /// A range of distances is not two positive numbers in order.
    case invalidRange
    /// A range of distances is given with another flag that says what the samples are.
    case rangeWith(name: String)
    /// A value for rasters is given for a stereo pair.
    case notForPairs(name: String)
    /// A right picture is given, and the left one's file is a stereo pair by itself.
    case pairOfItsOwn
    /// The picture given for a raster, or as the right one of a pair, cannot be read.
    case unreadablePicture(path: String, ContainerError)
    /// The given picture has another aspect ratio than the depth.
    case differentShape(path: String, picture: PixelSize, depth: PixelSize)
    /// The given calibration cannot be read.
    case unreadableCalibration(path: String, ContainerError)
    /// Disparities are in other pixels than the calibration.
    case calibrationOfOtherSize(PixelSize, raster: PixelSize)
    /// The calibration is for another aspect ratio.
    case calibrationOfOtherShape(PixelSize, raster: PixelSize)
}

extension SceneError: CustomStringConvertible {
    /// What is wrong.
    public var description: String {
        switch self {
        case .noPlane(let kind, let available):
            "no \(Self.name(kind)); the file has "
                + (available.isEmpty
                    ? "no auxiliary planes at all" : available.map(\.rawValue).joined(separator: ", "))
        case .notCoverage(let kind): "\(kind.rawValue) is not a matte: its samples are not coverage"
        case .notDepth(let kind): "no \(Self.name(kind)); it is a color image, not a depth raster"
        case .vectorGrid(let kind):
            "no \(Self.name(kind)); it is a disparity grid (row and column of the match), not a depth raster"
        case .heights:
            "these are heights (GeoTIFF), not distances from a camera: they have no disparity and make no cloud"
        case .notStereo(let part): "no \(part); the file is not a stereo pair"
        case .noPicture: "this raster has no photo"
        case .noConfidencePlane: "there is no confidence plane"
        case .noKnownSample(let count): "no sample is known: all \(count) are unknown"
        case .rangeWithoutCodes(let type):
            "a range is for integers of 8 or 16 bits, and these samples are \(type)"
        case .infiniteRange:
            "a range that is linear in depth must end before infinity; that of disparity may end there"
        case .invalidRange: "the range must be two positive distances, the nearer one first"
        case .rangeWith(let name): "a range and a \(name) both say what the samples mean"
        case .noQuantizationStep: "the samples are not codes with a step, so there is no staircase to remove"
        case .noUnit: "the plane has no unit, so it cannot be written in millimeters"
        case .differentView(let picture, let depth):
            "the photo is \(picture) and the plane \(depth): they do not show the same view"
        case .layerSize(let distance): "at \(distance) m the default width is out of range"
        case .focalLength(let pixels): "invalid focal length: \(pixels) px"
        case .notPositive(let name, let value): "the \(name) must be a positive number, not \(value)"
        case .invalidPrincipalPoint: "the principal point must be two finite numbers"
        case .baselineForDepth: "a baseline is for disparity in pixels, not for depth"
        case .distanceWithoutCamera: "distances along the rays need a camera"
        case .distanceInPhoto: "distances along the rays are read in rasters, and not in photos"
        case .baselineWithoutCamera: "a baseline needs a camera"
        case .notForPairs(let name): "the \(name) is for rasters, and a right picture makes a stereo pair"
        case .pairOfItsOwn: "the file is a stereo pair by itself, and a right picture is for one picture"
        case .unreadablePicture(let path, let error): "the picture '\(path)': \(error)"
        case .differentShape(let path, let picture, let depth):
            "the color image '\(path)' has \(picture) pixels, another shape than the depth's \(depth)"
        case .unreadableCalibration(let path, let error): "the calibration '\(path)': \(error)"
        case .calibrationOfOtherSize(let size, let raster):
            "the calibration is for \(size) pixels, the raster has \(raster)"
        case .calibrationOfOtherShape(let size, let raster):
            "the calibration is for \(size) pixels, another shape than the raster's \(raster)"
        }
    }

    private static func name(_ kind: PlaneKind?) -> String {
        "\(kind?.rawValue ?? "depth or disparity") plane"
    }

    /// Whether the file lacks a requested part.
    package var isAbsence: Bool {
        switch self {
        case .noPlane, .notDepth, .vectorGrid, .notStereo, .noPicture: true
        default: false
        }
    }
}
