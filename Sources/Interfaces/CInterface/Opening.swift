internal import Bytes
public import CIsobath
internal import DepthTypes
internal import Networks
internal import Recordings
internal import Scenes

/// The object behind `isobath_photo`: the structure of a file, or a frame of a recording. Immutable.
final class PhotoHandle: Sendable {
    /// The source of the planes.
    enum Content: Sendable {
        /// A file.
        case file(any SceneSource)
        /// A frame of a recording.
        case frame(any SceneSource, Recording)
        /// A photo with other depth or another matte; with the depth if it is computed.
        case derived(DepthScene, of: PhotoHandle, ComputedDepth?)
    }

    let content: Content
    /// The path or name, for `info`.
    let name: String
    let limits: DecodingLimits
    /// Whether a function of the caller reads the bytes.
    let isReadByCaller: Bool

    init(_ content: Content, name: String, limits: DecodingLimits, isReadByCaller: Bool = false) {
        self.content = content
        self.name = name
        self.limits = limits
        self.isReadByCaller = isReadByCaller
    }

    /// The scene as opened, with the planes that the file stores. It is a new one each time, because its planes are returned
    /// to the caller and not kept.
    var stored: DepthScene {
        switch content {
        case .file(let source), .frame(let source, _): DepthScene(source)
        case .derived(let scene, _, _): scene
        }
    }

    /// The scene, with computed depth if it is a stereo pair without stored depth.
    var scene: DepthScene { stored.matched }

    static func at(_ handle: OpaquePointer?) -> PhotoHandle? {
        // SAFETY: the handle comes from a function below and is not freed yet.
        unsafe handle.map {
            unsafe Unmanaged<PhotoHandle>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue()
        }
    }

    var handedOut: OpaquePointer { unsafe OpaquePointer(Unmanaged.passRetained(self).toOpaque()) }
}

/// `isobath_open`
@_cdecl("isobath_open")
public func open(
    _ file: UnsafePointer<CChar>?, _ options: UnsafePointer<isobath_open_options>?,
    _ photo: UnsafeMutablePointer<OpaquePointer?>?, _ error: ErrorPlace?
) -> isobath_status {
    let given = unsafe Result { try unsafe CInterface.options(options, else: isobath_open_options()) }
    let isReadByCaller = unsafe (try? given.get())?.source != nil
    return unsafe answer(photo, error, isForkAwaited: !isReadByCaller) {
        let given = try unsafe given.get()
        // From here on, the source is released in any case.
        let caller = try unsafe CallerSource(given.source)
        let opening = try unsafe Opening(given)
        let path = unsafe path(file)
        let count = unsafe [path != nil, given.bytes != nil, caller != nil].count(where: \.self)
        guard count > 0 else {
            throw InvalidArgument("the path is NULL, and the options have neither bytes nor a source")
        }
        guard count == 1 else { throw InvalidArgument("a path, bytes and a source exclude each other") }
        if let path {
            let scene = try DepthScene(storedIn: path, reading: opening.reading, limits: opening.limits)
            return unsafe PhotoHandle(.file(scene.source), name: path, limits: opening.limits).handedOut
        }
        if let caller { return try unsafe opening.photo(of: caller).handedOut }
        // The copy is limited like the bytes of a file.
        try unsafe opening.limits.check(.inputBytes, given.byte_count)
        let bytes = unsafe UnsafeRawBufferPointer(start: given.bytes, count: given.byte_count)
        return try unsafe opening.photo(of: MemorySource(Array(bytes))).handedOut
    }
}

/// `isobath_photo_free`
@_cdecl("isobath_photo_free")
public func freePhoto(_ photo: OpaquePointer?) {
    guard let photo = unsafe photo else { return }
    // SAFETY: the handle comes from a function above.
    unsafe Unmanaged<PhotoHandle>.fromOpaque(UnsafeRawPointer(photo)).release()
}

/// The options of opening, as types of the library.
struct Opening {
    let limits: DecodingLimits
    let name: String?
    let reading: ReadingOptions

    /// Throws for values out of range, and for options of recordings that are given for a photo.
    init(_ options: isobath_open_options, ofRecording isRecording: Bool = false) throws {
        var limits = try unsafe DecodingLimits(text(options.limits))
        limits.changesProcess = unsafe options.keeps_process == 0
        self.limits = limits
        name = unsafe path(options.name)
        var reading = ReadingOptions()
        reading.quantity = try unsafe text(options.quantity).map { name throws(InvalidArgument) in
            guard let quantity = ReadingOptions.Quantity(rawValue: name) else {
                throw InvalidArgument("quantity must be 'depth', 'disparity' or 'distance', not '\(name)'")
            }
            return quantity
        }
        reading.scale = unsafe Self.given(options.scale)
        let (near, far) = unsafe (options.range_near, options.range_far)
        if near != 0 || far != 0 {
            guard near > 0, near < far else {
                throw InvalidArgument(
                    "range_near and range_far must be positive and in order, not \(near) and \(far)")
            }
            reading.range = near...far
        }
        reading.camera = try unsafe path(options.camera).map { text throws(InvalidArgument) in
            guard let camera = ReadingOptions.Camera(text) else {
                throw InvalidArgument("camera must be F, F,CX,CY, FX,FY,CX,CY or a path, not '\(text)'")
            }
            return camera
        }
        reading.baseline = unsafe Self.given(options.baseline)
        reading.colorPath = unsafe path(options.color_path)
        reading.rightPath = unsafe path(options.right_path)
        reading.isRectified = unsafe options.is_rectified != 0
        reading.arrayName = unsafe text(options.array_name)
        reading.noData = try unsafe text(options.no_data).map { text throws(InvalidArgument) in
            guard let noData = ReadingOptions.NoData(text) else {
                throw InvalidArgument("no_data must be a number or 'none', not '\(text)'")
            }
            return noData
        }
        reading.posesPath = unsafe path(options.poses_path)
        reading.poseConvention = try unsafe text(options.pose_convention).map {
            name throws(InvalidArgument) in
            guard let convention = PoseConvention(rawValue: name) else {
                let names = PoseConvention.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
                throw InvalidArgument("pose_convention must be one of \(names), not '\(name)'")
            }
            return convention
        }
        reading.topics = try unsafe Self.topics(options)
        try reading.validate()
        self.reading = reading
        guard !isRecording else { return }
        guard reading.topics.isEmpty else { throw InvalidArgument("topics have no effect on a photo") }
        guard reading.posesPath == nil, reading.poseConvention == nil else {
            throw InvalidArgument("poses have no effect on a photo")
        }
    }

    func photo(of caller: CallerSource) throws -> PhotoHandle {
        let bytes = CachingSource(byteCount: caller.byteCount, limits: limits) {
            (ranges) throws(ContainerError) in try caller.fetch(ranges)
        }
        return try photo(of: bytes, isReadByCaller: true)
    }

    func photo(of bytes: any ByteSource, isReadByCaller: Bool = false) throws -> PhotoHandle {
        let scene = try DepthScene(storedIn: bytes, named: name, reading: reading, limits: limits)
        return PhotoHandle(
            .file(scene.source), name: name ?? "", limits: limits, isReadByCaller: isReadByCaller)
    }

    private static func topics(_ options: isobath_open_options) throws(InvalidArgument) -> [String] {
        guard unsafe options.topic_count > 0 else { return [] }
        guard let names = unsafe options.topics else { throw InvalidArgument("topics is NULL") }
        var topics: [String] = []
        for index in unsafe 0..<options.topic_count {
            // SAFETY: the caller declares the number of names.
            topics.append(try unsafe requiredText(names[index], "name of topic \(index)"))
        }
        return topics
    }

    private static func given(_ number: Double) -> Double? { number == 0 ? nil : number }
}
