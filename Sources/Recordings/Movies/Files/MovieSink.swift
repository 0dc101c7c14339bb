internal import Bytes
internal import CMovieShims
internal import DepthMaps
internal import DepthTypes
internal import Glibc
package import Scenes

/// Writes a movie to a seekable descriptor: pictures, or distances as 16-bit gray without loss.
@safe package final class MovieSink: FrameSink {
    /// The most threads of an encoder. Its output depends on their number, so it does not depend on this machine's cores.
    @TaskLocal package static var mostThreads = Int.max
    private static let usualThreads = 4

    private let threads = min(usualThreads, mostThreads)
    private let descriptor: Int32
    private let format: MovieFormat
    private let codec: MovieCodec?
    private let rate: Double
    private let sound: () -> SequenceSound?
    private var soundDescriptor: Int32 = -1
    private var soundBytes: UnsafeMutableBufferPointer<UInt8>?
    private var writer: OpaquePointer?
    private var size = PixelSize(width: 0, height: 0)
    private var start = 0.0
    private var cropped: [RGB<UInt8>] = []
    private var codes: [UInt16] = []

    /// Writes to a descriptor that stays open. `codec` is for MPEG-4 and Matroska; the default is H.264. `rate` is the
    /// nominal rate; frames have their own times. `sound` is called at the first frame and returns the sound, which
    /// MPEG-4 and Matroska can hold.
    package init(
        descriptor: Int32, format: MovieFormat, codec: MovieCodec?, rate: Double,
        sound: @escaping () -> SequenceSound? = { nil }
    ) {
        (self.descriptor, self.format, self.codec) = (descriptor, format, codec)
        self.rate = FrameTimes.nearest(rate)
        self.sound = sound
    }

    deinit {
        if let writer = unsafe writer { unsafe isobath_movie_discard(writer) }
        if soundDescriptor >= 0 { close(soundDescriptor) }
        unsafe soundBytes?.deallocate()
    }

    /// Why a movie lacks the sound of its source.
    package enum MissingSound: Sendable {
        /// The format cannot hold sound in this codec.
        case codec(String)
        /// The sound cannot be read, for this reason.
        case unreadable(String)
    }

    /// Why the movie lacks the source's sound; `nil` if it has it. Known once a frame is written.
    package private(set) var missingSound: MissingSound?

    package func write(_ frame: inout RenderedFrame) throws {
        let frameSize = frame.picture.isEmpty ? frame.depth.size : frame.picture.size
        if unsafe writer == nil { try begin(frame, frameSize) }
        guard frameSize == size else { throw SequenceError.sizeChanged(from: size, to: frameSize) }
        if frame.picture.isEmpty {
            Self.encode(frame.depth, frame.codesPerUnit, into: &codes)
            try unsafe codes.withUnsafeBytes { try unsafe add($0, at: frame.time) }
        } else if isCropped {
            Self.crop(frame.picture, to: codedSize, into: &cropped)
            try unsafe cropped.withUnsafeBytes { try unsafe add($0, at: frame.time) }
        } else {
            try unsafe frame.picture.samples.withUnsafeBytes { try unsafe add($0, at: frame.time) }
        }
    }

    /// Completes the movie. Throws if there is no frame.
    package func finish() throws(MovieError) {
        guard let writer = unsafe writer else { throw .noFrame }
        try unsafe MovieError.unlessNil { unsafe isobath_movie_finish(writer, $0) == 0 ? () : nil }
    }

    /// Chroma has half the size, so an odd row or column is cropped.
    private var isCropped: Bool {
        (format == .mp4 || format == .mkv || format == .webp) && codec != .ffv1
            && (size.width % 2 == 1 || size.height % 2 == 1)
    }

    private var codedSize: PixelSize {
        isCropped ? PixelSize(width: size.width & ~1, height: size.height & ~1) : size
    }

    private func begin(_ frame: borrowing RenderedFrame, _ frameSize: PixelSize) throws(MovieError) {
        size = frameSize
        start = frame.time
        let isDepth = frame.picture.isEmpty
        let coded = isDepth ? size : codedSize
        guard coded.width > 0, coded.height > 0 else {
            throw .unsuitableSize(size, format: "movie")
        }
        let encoders =
            switch format {
            case .webp: "libwebp_anim"
            case .apng: "apng"
            case .mp4, .mkv: (codec ?? (isDepth ? .ffv1 : .h264)).encoders
            }
        let heard = format == .mp4 || format == .mkv ? sound() : nil
        open(heard)
        let tag = isDepth ? (frame.codesPerUnit == 1000 ? "millimeters" : "codes") : ""
        // Not optional, because `nil` would be a valid value of it.
        let created: OpaquePointer = try unsafe MovieError.unlessNil { message in
            unsafe format.muxer.withCString { muxer in
                unsafe encoders.withCString { encoders in
                    unsafe tag.withCString { tag in
                        var settings = unsafe isobath_movie_settings()
                        unsafe settings.format = unsafe muxer
                        unsafe settings.encoders = unsafe encoders
                        unsafe settings.width = Int32(coded.width)
                        unsafe settings.height = Int32(coded.height)
                        unsafe settings.is_gray16 = isDepth ? 1 : 0
                        unsafe settings.quality = (codec ?? .h264).quality
                        unsafe settings.threads = Int32(threads)
                        unsafe settings.rate = rate
                        unsafe settings.depth_tag = isDepth ? tag : nil
                        unsafe settings.sound = soundDescriptor
                        unsafe settings.sound_bytes = UnsafePointer(soundBytes?.baseAddress)
                        unsafe settings.sound_size = soundBytes?.count ?? 0
                        unsafe settings.sound_start = (heard?.start ?? 0) + frame.time
                        return unsafe isobath_movie_create(descriptor, &settings, message)
                    }
                }
            }
        }
        unsafe writer = unsafe created
        noteSound()
    }

    /// Opens the movie with the sound.
    private func open(_ sound: SequenceSound?) {
        switch sound?.place {
        case .file(let path):
            soundDescriptor = unsafe path.withFileName {
                unsafe Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            }
        case .bytes(let bytes):
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
            _ = unsafe copy.initialize(from: bytes)
            unsafe soundBytes = copy
        case nil: break
        }
    }

    private func noteSound() {
        guard let writer = unsafe writer else { return }
        var detail = [CChar](repeating: 0, count: Int(ISOBATH_MOVIE_MESSAGE))
        let state = unsafe isobath_movie_sound(writer, &detail)
        let text = String(decoding: detail.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if state == Int32(ISOBATH_SOUND_REFUSED) { missingSound = .codec(text) }
        if state == Int32(ISOBATH_SOUND_UNREADABLE) { missingSound = .unreadable(text) }
    }

    private func add(_ bytes: UnsafeRawBufferPointer, at time: Double) throws(MovieError) {
        guard let writer = unsafe writer, let pixels = bytes.baseAddress else { return }
        try unsafe MovieError.unlessNil {
            unsafe isobath_movie_write(writer, pixels, time - start, $0) == 0 ? () : nil
        }
    }

    private static func encode(
        _ depth: borrowing FramePlane<Float>, _ factor: Float, into codes: inout [UInt16]
    ) {
        if codes.count != depth.samples.count { codes = [UInt16](repeating: 0, count: depth.samples.count) }
        let samples = depth.samples.span
        var output = codes.mutableSpan
        for index in samples.indices { output[index] = samples[index].depthCode(factor) }
    }

    private static func crop(
        _ picture: borrowing FramePlane<RGB<UInt8>>, to size: PixelSize, into cropped: inout [RGB<UInt8>]
    ) {
        if cropped.count != size.width * size.height {
            cropped = [RGB<UInt8>](repeating: .black, count: size.width * size.height)
        }
        let pixels = picture.samples.span
        let width = picture.width
        var output = cropped.mutableSpan
        for row in 0..<size.height {
            for column in 0..<size.width {
                output[row * size.width + column] = pixels[row * width + column]
            }
        }
    }
}
