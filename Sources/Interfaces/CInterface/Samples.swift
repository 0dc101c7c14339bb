public import CIsobath
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import PhotoFormats
internal import Scenes

/// The pointer for a function's array.
public typealias ArrayPlace = UnsafeMutablePointer<UnsafeMutablePointer<isobath_array>?>

/// `isobath_photo_array`
@_cdecl("isobath_photo_array")
public func array(
    _ photo: OpaquePointer?, _ kind: UnsafePointer<CChar>?, _ flags: UInt32, _ array: ArrayPlace?,
    _ error: ErrorPlace?
) -> isobath_status {
    unsafe answer(photo, array, error) { photo in
        try unsafe photo.samples(of: requiredText(kind, "kind of a plane"), flags)
    }
}

extension PhotoHandle {
    fileprivate func samples(
        of kind: String, _ flags: UInt32
    ) throws -> UnsafeMutablePointer<isobath_array> {
        guard !flags.has(ISOBATH_STORED_FRAME) || isFile else {
            throw InvalidArgument("only a photo as it was opened has samples in the stored frame")
        }
        if flags.has(ISOBATH_STORED_VALUES) { return try unsafe codes(planeKind(named: kind), flags) }
        switch kind {
        case "depth":
            return try unsafe map(flags, DepthScene.depth) { (plane) throws in try plane.depthMap() }
        case "disparity":
            return try unsafe map(flags, DepthScene.disparity) { (plane) throws in try plane.disparityMap() }
        case "image": return try unsafe picture(flags)
        default: return try unsafe coverage(planeKind(named: kind), flags)
        }
    }

    private var isFile: Bool { if case .file = content { true } else { false } }

    private func map<Map: FloatPlane>(
        _ flags: UInt32, _ upright: (DepthScene) -> () throws -> Map, _ stored: (DecodedPlane) throws -> Map
    ) throws -> UnsafeMutablePointer<isobath_array> {
        try check(flags, known: ISOBATH_COMPUTE_STEREO | ISOBATH_UPSAMPLE | ISOBATH_STORED_FRAME)
        let scene = flags.has(ISOBATH_COMPUTE_STEREO) ? self.scene : self.stored
        var map: Map
        if flags.has(ISOBATH_STORED_FRAME) {
            guard !flags.has(ISOBATH_UPSAMPLE) else {
                throw InvalidArgument("ISOBATH_STORED_FRAME and ISOBATH_UPSAMPLE exclude each other")
            }
            let id = try scene.description.requirePlane(nil).id
            map = try stored(scene.plane(id, as: PlaneRequest(frame: .stored)))
            try map.samples.requireKnown()
        } else {
            map = try upright(scene)()
        }
        if flags.has(ISOBATH_UPSAMPLE) { map = try map.upsampled(guidedBy: guide(of: map)) }
        let (size, scale) = (PixelSize(width: map.width, height: map.height), map.scale)
        return unsafe CInterface.handedOut(consume map, size, scale)
    }

    private func coverage(_ kind: PlaneKind, _ flags: UInt32) throws -> UnsafeMutablePointer<isobath_array> {
        try check(flags, known: ISOBATH_STORED_FRAME)
        guard kind.isCoverage else {
            throw InvalidArgument("'\(kind.rawValue)' is not a kind of matte; it has stored values only")
        }
        let matte =
            if flags.has(ISOBATH_STORED_FRAME) {
                try plane(kind, flags).map { Matte($0) }
            } else {
                try stored.matte(kind)
            }
        guard let matte else { throw stored.description.absence(of: kind) }
        return unsafe ArrayShape(PixelSize(width: matte.width, height: matte.height), bitDepth: 8)
            .handedOut(matte.coverage, ISOBATH_UINT8)
    }

    private func codes(_ kind: PlaneKind, _ flags: UInt32) throws -> UnsafeMutablePointer<isobath_array> {
        try check(flags, known: ISOBATH_STORED_VALUES | ISOBATH_STORED_FRAME)
        guard let plane = try plane(kind, flags) else { throw stored.description.absence(of: kind) }
        let shape = ArrayShape(
            PixelSize(width: plane.width, height: plane.height), bitDepth: plane.bitDepth)
        return unsafe shape.handedOut(plane.codes)
    }

    /// The stored values of a plane.
    private func plane(_ kind: PlaneKind, _ flags: UInt32) throws -> SamplePlane? {
        var request = PlaneRequest(frame: flags.frame)
        request.codesOnly = true
        return try stored.plane(.plane(kind, 0), as: request).codes
    }

    private func picture(_ flags: UInt32) throws -> UnsafeMutablePointer<isobath_array> {
        try check(flags, known: ISOBATH_NATIVE_COLOR | ISOBATH_ORIGINAL | ISOBATH_STORED_FRAME)
        let isOriginal = flags.has(ISOBATH_ORIGINAL)
        let found =
            isOriginal
            ? try stored.plane(.plane(.original, 0), as: PlaneRequest(frame: flags.frame)).image
            : try picture(in: flags.frame)
        guard let found else {
            throw isOriginal ? stored.description.absence(of: .original) : SceneError.noPicture
        }
        return try unsafe CInterface.handedOut(
            flags.has(ISOBATH_NATIVE_COLOR) ? found : found.converted(toProfile: []))
    }

    /// The picture at full size; `nil` for depth without a picture.
    private func picture(in frame: PixelOrientation) throws -> ColorImage? {
        switch content {
        case .file: try stored.plane(.picture, as: PlaneRequest(frame: frame, .ignored)).image
        case .frame, .derived: try stored.picture(atLeast: nil)
        }
    }

    /// The picture to scale a map to. Throws without one, and if it shows another view.
    private func guide(of map: some FloatPlane) throws -> ColorImage {
        try checkedGuide(try picture(in: .upright), width: map.width, height: map.height)
    }
}

/// `isobath_array_free`
@_cdecl("isobath_array_free")
public func freeArray(_ array: UnsafeMutablePointer<isobath_array>?) { unsafe ResultMemory.release(array) }

extension UInt32 {
    /// Whether a flag of the interface is set.
    func has(_ flag: Int) -> Bool { self & UInt32(flag) != 0 }

    /// The frame of an array with these flags.
    fileprivate var frame: PixelOrientation { has(ISOBATH_STORED_FRAME) ? .stored : .upright }
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
