internal import Bytes
public import CIsobath
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import Scenes

/// `isobath_color`
@_cdecl("isobath_color")
public func color(_ name: UnsafePointer<CChar>?, _ color: UnsafeMutablePointer<UInt8>?) -> Int32 {
    guard let found = unsafe text(name).flatMap({ RGB(named: $0) }), let color = unsafe color else {
        return 0
    }
    unsafe (color[0], color[1], color[2]) = (found.red, found.green, found.blue)
    return 1
}

/// `isobath_photo_composite`
@_cdecl("isobath_photo_composite")
public func composite(
    _ photo: OpaquePointer?, _ options: UnsafePointer<isobath_composite_options>?, _ image: ArrayPlace?,
    _ error: ErrorPlace?
) -> isobath_status {
    unsafe answer(photo, image, error) { photo in
        let given = try unsafe CInterface.options(options, else: isobath_composite_options())
        try unsafe check(
            given.flags,
            known: ISOBATH_COMPOSITE_NO_REFINEMENT | ISOBATH_COMPOSITE_SOFTNESS)
        let (matte, background) = try unsafe (matteSelection(given), SceneBackground(given))
        let subject = try unsafe photo.scene.cutOut(
            matte, refines: !given.flags.has(ISOBATH_COMPOSITE_NO_REFINEMENT), keepsHDR: false)
        let made = try subject.composite(over: background, in16Bits: true).picture
        let raster = made.raster(with16Bits: true)
        guard case .translucent(let pixels) = raster.samples else {
            return try unsafe handedOut(made.color.converted(toProfile: []))
        }
        let translucent = RGBAImage(
            width: raster.width, height: raster.height, pixels: pixels, colorProfile: raster.colorProfile)
        return try unsafe handedOut(translucent.converted(toProfile: []))
    }
}

private func handedOut(_ image: RGBAImage) -> UnsafeMutablePointer<isobath_array> {
    var shape = ArrayShape(
        PixelSize(width: image.width, height: image.height), bitDepth: image.pixels.is16Bit ? 16 : 8)
    shape.channels = 4
    return unsafe shape.handedOut(image.pixels)
}

private func matteSelection(_ given: isobath_composite_options) throws(InvalidArgument) -> MatteSelection? {
    let name = unsafe text(given.matte)
    let near = try unsafe meters(given.near_distance)
    let far = try unsafe meters(given.far_distance)
    let isHard = unsafe given.flags.has(ISOBATH_COMPOSITE_SOFTNESS) && given.softness == 0
    let softness = try isHard ? 0 : unsafe meters(given.softness)
    guard softness == nil || near != nil || far != nil else {
        throw InvalidArgument("softness needs a near or a far distance")
    }
    let isCut = near != nil || far != nil || softness != nil
    guard name == nil || name == "depth" || !isCut else {
        throw InvalidArgument("distances and softness need the matte 'depth'")
    }
    if near != nil || far != nil { return .depth(.meters(near: near, far: far, softness: softness)) }
    if name == "depth" || isCut { return .depth(.automatic) }
    guard let name else { return nil }
    let names = name.split(separator: "+", omittingEmptySubsequences: false)
    return .kinds(
        try names.map { name throws(InvalidArgument) in
            let kind = try planeKind(named: String(name))
            guard kind.isCoverage else { throw InvalidArgument("'\(name)' is not a kind of matte") }
            return kind
        })
}

/// A number of a structure; 0 means that it is not set.
private func meters(_ given: Float) throws(InvalidArgument) -> Float? {
    guard given >= 0, given.isFinite else {
        throw InvalidArgument("distances and softness must be numbers that are not negative")
    }
    return given > 0 ? given : nil
}

extension SceneBackground {
    fileprivate init(_ given: isobath_composite_options) throws(InvalidArgument) {
        let fit = try unsafe fit(given.fit)
        switch unsafe Int(given.background) {
        case ISOBATH_BACKGROUND_NONE: self = .none
        case ISOBATH_BACKGROUND_COLOR:
            let color = unsafe given.color
            self = .color(RGB(red: color.0, green: color.1, blue: color.2))
        case ISOBATH_BACKGROUND_IMAGE: self = try unsafe .image(picture(given), fit: fit)
        case let other: throw InvalidArgument("there is no kind of background \(other)")
        }
    }
}

private func fit(_ given: UnsafePointer<CChar>?) throws(InvalidArgument) -> BackgroundFit {
    guard let name = unsafe text(given) else { return .cover }
    guard let fit = BackgroundFit(rawValue: name) else {
        throw InvalidArgument("fit is '\(name)'; it must be 'cover', 'contain' or 'stretch'")
    }
    return fit
}

private func picture(_ given: isobath_composite_options) throws(InvalidArgument) -> ColorImage {
    let (width, height) = unsafe (Int(given.width), Int(given.height))
    let limit = DecodingLimits()[.pixels]
    guard width > 0, height > 0, width <= limit, height <= limit, width * height <= limit,
        let start = unsafe given.pixels
    else {
        throw InvalidArgument("a background picture needs pixels, a positive width and a positive height")
    }
    let profile = try unsafe colorProfile(given.color_profile, given.color_profile_size)
    let pixels: ColorImage.Pixels =
        switch unsafe Int(given.pixel_type) {
        case ISOBATH_UINT8: unsafe .uint8(copied(start, count: width * height))
        case ISOBATH_UINT16: unsafe .uint16(copied(start, count: width * height))
        default: throw InvalidArgument("pixel_type of a background picture must be uint8 or uint16")
        }
    return ColorImage(width: width, height: height, pixels: pixels, colorProfile: profile)
}
