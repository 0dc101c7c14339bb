/// The camera of the scene: a pinhole behind a lens with slight barrel distortion. Lengths are pixels of the upright
/// photo, continuous: pixel 0 spans 0…1.
enum Camera {
    static let width = reduced(960)
    static let height = reduced(720)
    static let focalLength = 1200.0 / scale
    static let principalPoint = (x: 486.0 / scale, y: 356.0 / scale)
    static let distortionCenter = (x: 482.0 / scale, y: 358.0 / scale)
    /// Millimeters per pixel; with the focal length above, a 6 mm lens.
    static let pixelSize = 0.005 * scale

    private static let scale = 960.0 / Double(width)

    /// Percent by power of the radius in millimeters: from the stored picture to the rectified one. This is the
    /// definition; the other direction is fitted to it, and returns to the start within 0.01 pixels.
    static let inverseLensDistortion: [Double] = [0, 0, 0.06, 0.01, 0.001, 0, 0, 0]
    static let lensDistortion: [Double] = [
        0, -0.000002, -0.059985, -0.010038, -0.000846, 0.000013, 0.000018, -0.000001,
    ]

    /// The ray through the point (x, y) of the photo.
    static func ray(_ x: Double, _ y: Double) -> Ray {
        let vx = x - distortionCenter.x
        let vy = y - distortionCenter.y
        let radius = (vx * vx + vy * vy).squareRoot() * pixelSize
        let percent = inverseLensDistortion.reversed().reduce(0) { $0 * radius + $1 }
        let stretch = 1 + percent * 0.01
        return Ray(
            x: (distortionCenter.x + vx * stretch - principalPoint.x) / focalLength,
            y: (distortionCenter.y + vy * stretch - principalPoint.y) / focalLength)
    }
}

/// All points (x·Z, y·Z, Z): x to the right, y down, Z away from the camera, in meters.
struct Ray {
    var x: Double
    var y: Double
}

/// How many times smaller every picture is rendered, the second argument: files for fuzzing need few pixels.
private let reduction = CommandLine.arguments.dropFirst(2).first.flatMap { Double($0) } ?? 1

/// A side of a picture. Reduced ones are multiples of 8 and 64 at least, because libheif pads others.
func reduced<Side: BinaryInteger>(_ side: Side) -> Side {
    reduction == 1 ? side : Side(max(64, (Double(side) / reduction / 8).rounded(.up) * 8))
}
