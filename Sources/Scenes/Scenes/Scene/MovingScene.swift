package import DepthMaps
package import DepthTypes
package import Effects

/// A scene, prepared at a given size, to be rendered from other viewpoints or with a moving focus.
package struct MovingScene: Sendable {
    /// Pixels of its pictures.
    package let size: PixelSize
    /// Renders it from other viewpoints.
    package let renderer: ViewRenderer
    private let full: FullSizeScene
    private let photo: ColorImage
    /// The subject of the file's matte, with colors estimated once for all pictures.
    private let subject: SoftSubject?
    /// The disparities that nearly all of the scene lies between.
    private let ends: (far: Float, near: Float)
    private let fNumber: Float

    /// The fraction of samples beyond each of ``ends``.
    private static let beyondEnds = 0.04

    /// The strength that a pair of eyes is rendered with.
    package static let usualStrength: Float = 0.03

    /// Decodes the scene. The point of the camera's focus does not move, otherwise a face or the subject. `strength` is the
    /// parallax between the nearest and the farthest objects, as a fraction of the width. The f-number is the given one, else
    /// the file's, else 2. Without `longestSide`, the picture keeps its size. `origin` as in ``DepthScene/showing(_:)``.
    ///
    /// Throws ``SceneError`` without depth or a picture, and errors of decoding.
    package init(
        _ scene: DepthScene, longestSide: Int?, strength: Float = usualStrength, fNumber: Float? = nil,
        showing origin: PictureOrigin? = nil
    ) throws {
        _ = try scene.requireDepth()
        let full = try FullSizeScene(scene.reduced(toLongestSide: longestSide, showing: origin))
        let photo = full.image
        (self.full, self.photo) = (full, photo)
        size = PixelSize(width: photo.width, height: photo.height)
        let pivot =
            scene.description.focus(in: full.disparity, hasMatte: full.matte != nil)?.disparity
            ?? full.disparity.focusDisparity(of: full.matte) ?? 0
        subject = full.matte.flatMap { SoftSubject($0, of: photo.in8Bits, curve: full.curve) }
        renderer = ViewRenderer(
            photo.eightBitPixels, full.disparity, subject: subject, pivot: pivot, strength: strength)
        let ends = full.disparity.percentiles([Self.beyondEnds, 1 - Self.beyondEnds]) ?? [0, 1]
        self.ends = (ends[0], ends[1])
        let stored = scene.description.simulatedAperture.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        self.fNumber = fNumber ?? stored ?? 2
    }

    /// The picture at a fraction of a movement, 0 ..< 1.
    package func picture(_ move: CameraMove, at phase: Float) -> [RGB<UInt8>] {
        guard move == .focus else {
            return renderer.picture(
                from: move.view(at: phase, of: renderer), width: size.width, height: size.height)
        }
        let focus = ends.far + (ends.near - ends.far) * CameraMove.focus(at: phase)
        let aperture = SyntheticAperture(
            focusDisparity: focus, fNumber: fNumber, focalLength: full.focalLength)
        return photo.blurred(
            by: aperture, disparity: full.disparity, subject: subject, transferFunction: full.curve
        ).eightBitPixels
    }

    /// The picture that an eye sees, in sRGB. The camera is in the middle between both eyes.
    package func picture(of eye: Eye) -> ColorImage {
        let side: Float = eye == .left ? -0.5 : 0.5
        let view = ViewPoint(shift: SIMD2(side * renderer.fullShift, 0))
        let pixels = renderer.picture(from: view, width: size.width, height: size.height)
        return ColorImage(
            width: size.width, height: size.height, pixels: .uint8(pixels), colorProfile: photo.colorProfile)
    }
}
