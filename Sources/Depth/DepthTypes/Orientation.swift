/// How stored pixels are turned to be seen upright: the eight values of Exif tag 0x0112.
///
/// The names are those of `CGImagePropertyOrientation`: the side of the stored frame that shows the top of the scene.
public enum Orientation: Int, CaseIterable, Hashable, Sendable {
    /// Stored upright.
    case up = 1
    /// Flip left to right.
    case upMirrored = 2
    /// Turn by 180°.
    case down = 3
    /// Flip top to bottom.
    case downMirrored = 4
    /// Transpose.
    case leftMirrored = 5
    /// Turn by 90° clockwise.
    case right = 6
    /// Transverse: transpose along the other diagonal.
    case rightMirrored = 7
    /// Turn by 90° counterclockwise.
    case left = 8

    /// The display transform as a matrix on coordinates about the center, x right and y down:
    /// x′ = a·x + b·y, y′ = c·x + d·y (Exif 2.3 §4.6.5, and the point maps that follow from it).
    public var matrix: (a: Int, b: Int, c: Int, d: Int) {
        switch self {
        case .up: (1, 0, 0, 1)
        case .upMirrored: (-1, 0, 0, 1)
        case .down: (-1, 0, 0, -1)
        case .downMirrored: (1, 0, 0, -1)
        case .leftMirrored: (0, 1, 1, 0)
        case .right: (0, -1, 1, 0)
        case .rightMirrored: (0, -1, -1, 0)
        case .left: (0, 1, -1, 0)
        }
    }

    /// Whether width and height are swapped.
    public var swapsAxes: Bool { rawValue >= 5 }

    /// This transform followed by another.
    public func followed(by next: Orientation) -> Orientation {
        let (first, second) = (matrix, next.matrix)
        let product = (
            a: second.a * first.a + second.b * first.c, b: second.a * first.b + second.b * first.d,
            c: second.c * first.a + second.d * first.c, d: second.c * first.b + second.d * first.d
        )
        return Self.allCases.first { $0.matrix == product } ?? .up
    }

    /// The inverse transform.
    public var inverse: Orientation {
        switch self {
        case .right: .left
        case .left: .right
        default: self
        }
    }

    /// The item property `irot`: quarter turns *anticlockwise* (ISO/IEC 23008-12 §6.5.10).
    public init(quarterTurnsAnticlockwise turns: Int) {
        self = [.up, .left, .down, .right][turns & 3]
    }

    /// The upright size of an image of `width` × `height` stored pixels.
    public func size(width: Int, height: Int) -> (width: Int, height: Int) {
        swapsAxes ? (height, width) : (width, height)
    }

    /// The upright position of a point of a stored frame of `width` × `height`, in continuous coordinates (the frame spans
    /// 0…width, 0…height).
    public func point(_ x: Double, _ y: Double, width: Double, height: Double) -> (x: Double, y: Double) {
        let (dx, dy) = (x - width / 2, y - height / 2)
        let (newWidth, newHeight) = swapsAxes ? (height, width) : (width, height)
        let turn = matrix
        return (
            Double(turn.a) * dx + Double(turn.b) * dy + newWidth / 2,
            Double(turn.c) * dx + Double(turn.d) * dy + newHeight / 2
        )
    }
}
