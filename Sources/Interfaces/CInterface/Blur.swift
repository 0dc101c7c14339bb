public import CIsobath
internal import Codecs
internal import Effects
internal import Scenes

/// `isobath_photo_blur`
@_cdecl("isobath_photo_blur")
public func blur(
    _ photo: OpaquePointer?, _ options: UnsafePointer<isobath_blur_options>?, _ image: ArrayPlace?,
    _ error: ErrorPlace?
) -> isobath_status {
    unsafe answer(photo, image, error) { photo in
        let given = try unsafe CInterface.options(options, else: isobath_blur_options())
        let blurred = try photo.scene.blurredScene(BlurOptions(given), keepsHDR: false)
        return try unsafe handedOut(blurred.picture.color.converted(toProfile: []))
    }
}

extension BlurOptions {
    fileprivate init(_ given: isobath_blur_options) throws(InvalidArgument) {
        self.init()
        try check(given.flags, known: ISOBATH_BLUR_PHOTO | ISOBATH_BLUR_FOCUS)
        guard given.f_number >= 0, given.f_number.isFinite, given.focus_distance >= 0,
            given.focus_distance.isFinite
        else { throw InvalidArgument("f_number and focus_distance must be numbers that are not negative") }
        if given.flags.has(ISOBATH_BLUR_FOCUS) {
            guard (0...1).contains(given.focus_x), (0...1).contains(given.focus_y) else {
                throw InvalidArgument(
                    "focus_x and focus_y must be 0 to 1, not \(given.focus_x) and \(given.focus_y)")
            }
            focus = NormalizedPoint(x: given.focus_x, y: given.focus_y)
        }
        focusDistance = given.focus_distance > 0 ? given.focus_distance : nil
        fNumber = given.f_number > 0 ? given.f_number : nil
        usesOriginal = !given.flags.has(ISOBATH_BLUR_PHOTO)
    }
}
