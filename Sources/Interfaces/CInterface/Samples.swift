public import CIsobath
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import PhotoFormats
internal import Scenes

/// The pointer for a function's array.
public typealias ArrayPlace = UnsafeMutablePointer<UnsafeMutablePointer<isobath_array>?>

/// `isobath_photo_depth`
@_cdecl("isobath_photo_depth")
public func depth(
    _ photo: OpaquePointer?, _ flags: UInt32, _ depth: ArrayPlace?, _ error: ErrorPlace?
) -> isobath_status {
    unsafe answer(photo, depth, error) { photo in
        try check(flags, known: ISOBATH_COMPUTE_STEREO | ISOBATH_UPSAMPLE)
        var map = try flags.has(ISOBATH_COMPUTE_STEREO) ? photo.scene.depth() : photo.stored.depth()
        if flags.has(ISOBATH_UPSAMPLE) { map = try map.upsampled(guidedBy: photo.guide(of: map)) }
        let (size, scale) = (PixelSize(width: map.width, height: map.height), map.scale)
        return unsafe handedOut(consume map, size, scale)
    }
}

/// `isobath_photo_disparity`
@_cdecl("isobath_photo_disparity")
public func disparity(
    _ photo: OpaquePointer?, _ flags: UInt32, _ disparity: ArrayPlace?, _ error: ErrorPlace?
) -> isobath_status {
    unsafe answer(photo, disparity, error) { photo in
        try check(flags, known: ISOBATH_COMPUTE_STEREO | ISOBATH_UPSAMPLE)
        var map = try flags.has(ISOBATH_COMPUTE_STEREO) ? photo.scene.disparity() : photo.stored.disparity()
        if flags.has(ISOBATH_UPSAMPLE) { map = try map.upsampled(guidedBy: photo.guide(of: map)) }
        let (size, scale) = (PixelSize(width: map.width, height: map.height), map.scale)
        return unsafe handedOut(consume map, size, scale)
    }
}

/// `isobath_photo_matte`
@_cdecl("isobath_photo_matte")
public func matte(
    _ photo: OpaquePointer?, _ kind: UnsafePointer<CChar>?, _ matte: ArrayPlace?, _ error: ErrorPlace?
) -> isobath_status {
    unsafe answer(photo, matte, error) { photo in
        let kind = try unsafe planeKind(kind)
        guard kind.isCoverage else { throw InvalidArgument("'\(kind.rawValue)' is not a kind of matte") }
        guard let found = try photo.stored.matte(kind) else {
            throw photo.stored.description.absence(of: kind)
        }
        return unsafe ArrayShape(PixelSize(width: found.width, height: found.height), bitDepth: 8)
            .handedOut(found.coverage, ISOBATH_UINT8)
    }
}

/// `isobath_photo_samples`
@_cdecl("isobath_photo_samples")
public func samples(
    _ photo: OpaquePointer?, _ kind: UnsafePointer<CChar>?, _ samples: ArrayPlace?, _ error: ErrorPlace?
) -> isobath_status {
    unsafe answer(photo, samples, error) { photo in
        let kind = try unsafe planeKind(kind)
        guard let plane = try photo.stored.samples(of: kind) else {
            throw photo.stored.description.absence(of: kind)
        }
        let shape = ArrayShape(
            PixelSize(width: plane.width, height: plane.height), bitDepth: plane.bitDepth)
        return unsafe shape.handedOut(plane.codes)
    }
}

/// `isobath_photo_image`
@_cdecl("isobath_photo_image")
public func image(
    _ photo: OpaquePointer?, _ flags: UInt32, _ image: ArrayPlace?, _ error: ErrorPlace?
) -> isobath_status {
    unsafe answer(photo, image, error) { photo in
        try check(flags, known: ISOBATH_NATIVE_COLOR | ISOBATH_ORIGINAL)
        let picture = try photo.picture(isOriginal: flags.has(ISOBATH_ORIGINAL))
        return try unsafe handedOut(
            flags.has(ISOBATH_NATIVE_COLOR) ? picture : picture.converted(toProfile: []))
    }
}

/// `isobath_photo_treated`
@_cdecl("isobath_photo_treated")
public func treated(
    _ photo: OpaquePointer?, _ options: UnsafePointer<isobath_treatment_options>?,
    _ treated: UnsafeMutablePointer<OpaquePointer?>?, _ error: ErrorPlace?
) -> isobath_status {
    unsafe answer(photo, treated, error) { photo in
        let given = try unsafe CInterface.options(options, else: isobath_treatment_options())
        try check(given.flags, known: (ISOBATH_TREATMENT_SMOOTH << 1) - 1)
        guard given.minimum_confidence >= 0 else {
            throw InvalidArgument("minimum_confidence must not be negative")
        }
        let scene = photo.scene.treated(
            minimumConfidence: given.minimum_confidence > 0 ? Int(given.minimum_confidence) : nil,
            dequantizing: given.flags.has(ISOBATH_TREATMENT_DEQUANTIZE),
            fillingHoles: given.flags.has(ISOBATH_TREATMENT_FILL_HOLES),
            smoothing: given.flags.has(ISOBATH_TREATMENT_SMOOTH))
        return unsafe PhotoHandle(
            .treated(scene, of: photo), name: photo.name, isReadByCaller: photo.isReadByCaller
        ).handedOut
    }
}

/// `isobath_array_free`
@_cdecl("isobath_array_free")
public func freeArray(_ array: UnsafeMutablePointer<isobath_array>?) { unsafe ResultMemory.release(array) }

extension PhotoHandle {
    fileprivate func picture(isOriginal: Bool) throws -> ColorImage {
        if isOriginal {
            guard let original = try stored.plane(.plane(.original, 0)).image else {
                throw stored.description.absence(of: .original)
            }
            return original
        }
        guard let picture = try picture() else { throw SceneError.noPicture }
        return picture
    }

    /// The picture at full size; `nil` for depth without a picture.
    private func picture() throws -> ColorImage? {
        switch content {
        case .file: try stored.plane(.picture, as: PlaneRequest(.ignored)).image
        case .frame, .treated: try stored.picture(atLeast: nil)
        }
    }

    /// The picture to scale a map to. Throws without one, and if it shows another view.
    fileprivate func guide(of map: some FloatPlane) throws -> ColorImage {
        try checkedGuide(try picture(), width: map.width, height: map.height)
    }
}

extension UInt32 {
    /// Whether a flag of the interface is set.
    func has(_ flag: Int) -> Bool { self & UInt32(flag) != 0 }
}

/// Throws if a flag is set that the function does not have.
func check(_ flags: UInt32, known: Int) throws(InvalidArgument) {
    guard flags & ~UInt32(known) == 0 else {
        throw InvalidArgument("unknown flags: \(flags & ~UInt32(known))")
    }
}

/// The metadata of an array.
struct ArrayShape {
    var size: PixelSize
    /// Samples of a pixel.
    var channels = 1
    var bitDepth: Int
    var scale: DepthScale?
    var colorProfile: [UInt8] = []

    init(_ size: PixelSize, bitDepth: Int) {
        self.size = size
        self.bitDepth = bitDepth
    }

    /// The samples of `type` in memory that the caller frees.
    func handedOut<Element: BitwiseCopyable>(
        _ elements: consuming [Element], _ type: Int
    ) -> UnsafeMutablePointer<isobath_array> {
        let memory = ResultMemory()
        var array = unsafe isobath_array()
        unsafe array.data = memory.keep(elements).map { UnsafeMutableRawPointer($0) }
        unsafe array.type = isobath_sample_type(type)
        unsafe array.dimension_count = channels > 1 ? 3 : 2
        unsafe array.shape = (Int64(size.height), Int64(size.width), Int64(channels))
        unsafe array.bit_depth = Int32(bitDepth)
        unsafe array.scale = scale.flatMap { unsafe memory.keep($0.rawValue) }
        if !colorProfile.isEmpty {
            unsafe array.color_profile_size = colorProfile.count
            unsafe array.color_profile = UnsafePointer(memory.keep(colorProfile))
        }
        return unsafe memory.handOut(array)
    }

    /// The pixels of either depth.
    func handedOut<Eight, Sixteen>(
        _ pixels: PixelArray<Eight, Sixteen>
    ) -> UnsafeMutablePointer<isobath_array> {
        switch pixels {
        case .uint8(let pixels): unsafe handedOut(pixels, ISOBATH_UINT8)
        case .uint16(let pixels): unsafe handedOut(pixels, ISOBATH_UINT16)
        }
    }
}

/// The values of an unshared map, which are not copied.
private func handedOut(
    _ map: consuming some FloatPlane, _ size: PixelSize, _ scale: DepthScale
) -> UnsafeMutablePointer<isobath_array> {
    var shape = ArrayShape(size, bitDepth: 32)
    shape.scale = scale
    return unsafe shape.handedOut(samples(of: map), ISOBATH_FLOAT32)
}

/// The values of a map that is consumed, so that the array is unshared.
private func samples(of map: consuming some FloatPlane) -> [Float] { map.samples }

/// A picture as RGB.
func handedOut(_ image: consuming ColorImage) -> UnsafeMutablePointer<isobath_array> {
    var shape = ArrayShape(
        PixelSize(width: image.width, height: image.height), bitDepth: image.is16Bit ? 16 : 8)
    shape.channels = 3
    shape.colorProfile = image.colorProfile
    return unsafe shape.handedOut(image.pixels)
}
