package import DepthTypes

/// Why a frame cannot be rendered by a view.
package enum SequenceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It has no depth.
    case noDepth
    /// It has no picture.
    case noColor
    /// It has no picture of the right eye.
    case noRightEye
    /// No frame of the movie can be decoded.
    case noFrame
    /// It has no matte, and others have.
    case noMatte
    /// Distances have no unit, and meters were given.
    case noUnit
    /// The depth at a point does not separate an object from its surroundings.
    case noObject
    /// The box of an object is outside of a picture of this size, or more than four times as large.
    case boxOutside(PixelSize)
    /// The size of frames changes.
    case sizeChanged(from: PixelSize, to: PixelSize)

    package var description: String {
        switch self {
        case .noDepth: "the frame has no depth"
        case .noColor: "the frame has no picture"
        case .noRightEye: "the frame has no picture of the right eye"
        case .noFrame: "no frame of it can be decoded"
        case .noMatte: "the frame has no matte"
        case .noUnit: "the depth has no unit, so that distances in meters cannot be found in it"
        case .noObject: "no object stands out of the depth at this point"
        case .boxOutside(let size):
            "the object's box must overlap the picture of \(size) and be at most four times as large"
        case .sizeChanged(let old, let new): "frames change their size from \(old) to \(new)"
        }
    }
}
