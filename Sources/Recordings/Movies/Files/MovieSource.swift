package import Bytes
internal import CMovieShims
internal import DepthMaps
internal import DepthTypes
internal import Glibc
package import Scenes

/// Frames of a movie: a color track, a 16-bit gray track with depth, or both; with the mattes of Live Photos.
///
/// If a movie has both, the depth of a frame is the nearest in time, within 20 ms. A matte holds until the next one, for
/// 0.5 s at most.
@safe package final class MovieSource: SceneSequence, @unchecked Sendable {
    package let description: SceneDescription
    package private(set) var extent: SequenceExtent
    package private(set) var diagnostics: [Diagnostic] = []
    private let path: String
    private let hasSound: Bool
    private let fileExtent: MovieExtent
    private var hasEnded = false
    private let descriptor: Int32
    private let movie: OpaquePointer
    private let color: isobath_track
    private let depth: isobath_track
    private let right: isobath_track
    private let structure: MovieStructure
    private var lensMetadata: LensMetadata?
    /// Stored units per meter of its depth; `nil` if unknown.
    package let unitsPerMeter: Double?
    private var index = -1
    /// The time of the first frame, which is set once.
    private var first: Double?
    private var time = 0.0
    private var depthTime: Double?
    private var hasRight = false
    private var unturned = FramePlane<RGB<UInt8>>()
    private var mattes: [MovieMatte] = []
    private var codes: [UInt16] = []

    /// Frames within this many seconds of each other show the same moment.
    package static let tolerance = 0.02

    /// Opens a movie. `unitsPerMeter` is the unit of its depth; by default the file's, or unknown.
    ///
    /// Throws ``ContainerError`` if the file cannot be read, ``MovieError`` if it is not a readable movie, and if FFmpeg's
    /// libraries cannot be loaded.
    package init(contentsOf path: String, unitsPerMeter: Double? = nil, limits: DecodingLimits) throws {
        // Only a regular file is accepted, and it is opened by its name only once.
        let file = try FileSource(path: path, limits: limits)
        let descriptor = try file.duplicate()
        var info = isobath_movie_info()
        do throws(ContainerError) {
            structure = try MovieStructure(of: file, limits: limits)
        } catch {
            structure = MovieStructure()
            diagnostics.append(Diagnostic(error))
        }
        do throws(ContainerError) {
            if structure.depthTrack != nil {
                lensMetadata = try LensMetadata(structure, in: file, limits: limits)
            }
        } catch {
            diagnostics.append(Diagnostic(error))
        }
        var request = isobath_movie_request(structure)
        let auxiliary = structure.auxiliaryNumbers.map { Int32(clamping: $0) }
        do {
            let threads = Int32(min(4, coreCount, threadLimit))
            unsafe movie = try MovieError.unlessNil {
                unsafe isobath_movie_open(
                    descriptor, Int64(limits[.pixels]), threads, &request, auxiliary,
                    Int32(clamping: auxiliary.count), &info, $0)
            }
        } catch {
            close(descriptor)
            throw error
        }
        self.path = path
        self.descriptor = descriptor
        fileExtent = MovieExtent(of: file)
        hasSound = info.has_sound != 0
        comment = Self.text(of: info.comment)
        (color, depth, right) = (info.tracks.0, info.tracks.1, info.tracks.2)
        var units = unitsPerMeter
        if units == nil, info.is_azure_kinect != 0 || Self.text(of: info.depth_tag) == "millimeters" {
            units = 1000
        }
        self.unitsPerMeter = units
        var extent = SequenceExtent(Self.layout(of: info))
        let main = color.is_present != 0 ? color : depth
        extent.rate = FrameTimes.rate(main.rate)
        extent.frameCount = main.frames > 0 ? Int(main.frames) : fileExtent.frames
        extent.seconds = info.seconds > 0 ? info.seconds : nil
        self.extent = extent
        var description = SceneDescription()
        if color.is_present != 0 {
            let size = PixelSize(width: Int(color.width), height: Int(color.height))
            description.colorSize =
                color.turns % 2 == 1 ? PixelSize(width: size.height, height: size.width) : size
        }
        if depth.is_present != 0 {
            let size = PixelSize(width: Int(depth.width), height: Int(depth.height))
            description.setFrameDepth(size, units == nil ? .unitless : .absolute, unitsPerMeter: units)
            codes = [UInt16](repeating: 0, count: size.width * size.height)
        }
        description.eyes = structure.spatialTrack?.eyes
        description.eyes?.areBothRead = right.is_present != 0
        mattes = MovieMatte.all(in: info, turns: Int(color.turns))
        description.planes += mattes.map(\.kind)
        self.description = description
        isAzureKinect = info.is_azure_kinect != 0
        diagnostics += structure.remarks(hasDepth: depth.is_present != 0, mattes: mattes.map(\.kind))
        if info.is_azure_kinect != 0, color.is_present != 0, depth.is_present != 0 {
            diagnostics.append(
                Diagnostic(
                    .warning, Self.differentViewCode,
                    "Azure Kinect's depth is not registered to its picture, and no calibration in the file says how: they show different views"
                ))
        }
    }

    deinit {
        unsafe isobath_movie_close(movie)
        close(descriptor)
    }

    private static func layout(of info: isobath_movie_info) -> String {
        let codecs = [info.tracks.0, info.tracks.1].filter { $0.is_present != 0 }.map { text(of: $0.codec) }
        let name = info.is_azure_kinect != 0 ? "Azure Kinect" : text(of: info.format)
        return "\(name) (\(codecs.joined(separator: ", ")))"
    }

    /// The text in an array of C characters.
    private static func text<Characters>(of characters: Characters) -> String {
        unsafe withUnsafeBytes(of: characters) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// The movie's comment; empty without one.
    package let comment: String

    package var sound: SequenceSound? {
        hasSound ? SequenceSound(in: .file(path), start: first ?? 0) : nil
    }

    /// Depth and pictures show different views.
    package static let differentViewCode: Diagnostic.Code = "different-view"

    /// The bytes of a file attached to the movie; `nil` without one of this name, or if it has more bytes.
    package func attachment(_ name: String, atMost most: Int) -> [UInt8]? {
        var bytes: UnsafePointer<UInt8>?
        let count = unsafe isobath_movie_attachment(movie, name, &bytes)
        guard count > 0, count <= most, let bytes = unsafe bytes else { return nil }
        // SAFETY: the bytes belong to the movie, which lives as long as this object.
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// Whether Azure Kinect recorded it.
    package let isAzureKinect: Bool

    /// Lists the times of all frames. Reads the movie to its end without decoding; no frame can be read afterwards.
    ///
    /// Throws ``ContainerError`` if there are more frames than the limit, and ``MovieError/noMemory(frames:)``.
    package func list(_ limits: DecodingLimits) throws -> MovieTimes {
        var frames = Int64(0)
        var stored: UnsafeMutablePointer<Double>?
        unsafe isobath_movie_scan(movie, mainTrack, &frames, &stored)
        defer { unsafe free(stored) }
        let count = Int(clamping: frames)
        noteEnd(after: count)
        try limits.check(.frames, count)
        guard count > 0 else { return MovieTimes([], rate: extent.rate) }
        guard let stored = unsafe stored else { throw MovieError.noMemory(frames: count) }
        // SAFETY: the array has as many numbers as there are frames.
        return MovieTimes(
            unsafe Array(UnsafeBufferPointer(start: stored, count: count)), rate: extent.rate)
    }

    /// The time of the first frame on the movie's own clock, in seconds; 0 before it is read.
    package var start: Double { first ?? 0 }

    /// The track that determines the movie's frames.
    private var mainTrack: Int32 {
        Int32(color.is_present != 0 ? ISOBATH_TRACK_COLOR : ISOBATH_TRACK_GRAY16)
    }

    package func advance() throws -> Double? {
        var seconds = 0.0
        guard unsafe isobath_movie_advance(movie, mainTrack, &seconds) == 1 else {
            noteEnd(after: index + 1)
            return nil
        }
        index += 1
        // Frames without a time follow at the nominal rate.
        let isTimed = abs(seconds - (first ?? seconds)) <= FrameTimes.longest
        if !isTimed || seconds < 0 && !(first.map { seconds >= $0 } ?? false) {
            seconds = (first ?? 0) + Double(index) / (extent.rate ?? 30)
        }
        let start = first ?? seconds
        if first == nil { first = start }
        time = max(0, seconds - start)
        if color.is_present != 0, depth.is_present != 0 { findDepth(near: seconds) }
        if right.is_present != 0 { findRight(at: seconds) }
        for place in mattes.indices { unsafe mattes[place].find(at: seconds, in: movie) }
        return time
    }

    /// Advances to the right eye's frame of a time. Earlier frames are dropped, so that none wait for a reader.
    private func findRight(at seconds: Double) {
        var next = 0.0
        hasRight = false
        while unsafe isobath_movie_peek(movie, Int32(ISOBATH_TRACK_RIGHT), &next) == 1,
            next <= seconds + Self.tolerance
        {
            _ = unsafe isobath_movie_advance(movie, Int32(ISOBATH_TRACK_RIGHT), &next)
            hasRight = abs(next - seconds) <= Self.tolerance
            if hasRight { return }
        }
    }

    /// Advances to the depth frame that is nearest in time.
    private func findDepth(near seconds: Double) {
        var next = 0.0
        while unsafe isobath_movie_peek(movie, Int32(ISOBATH_TRACK_GRAY16), &next) == 1 {
            if let depthTime, abs(depthTime - seconds) < abs(next - seconds) { return }
            guard unsafe isobath_movie_advance(movie, Int32(ISOBATH_TRACK_GRAY16), &next) == 1
            else {
                return
            }
            depthTime = next
        }
    }

    /// Compares the declared length with the number of read frames, once.
    private func noteEnd(after frames: Int) {
        guard !hasEnded, !Interruption.isRequested else { return }
        hasEnded = true
        let isColor = color.is_present != 0
        var ending = isobath_ending()
        unsafe isobath_movie_ending(
            movie, Int32(isColor ? ISOBATH_TRACK_COLOR : ISOBATH_TRACK_GRAY16), &ending)
        noteCut(frames, isColor ? color : depth, ending)
        guard ending.damaged > 0 else { return }
        let pieces = ending.damaged == 1 ? "1 piece" : "\(ending.damaged) pieces"
        diagnostics.append(
            Diagnostic(
                .warning, Self.damagedFramesCode,
                "\(pieces) of the movie could not be decoded, or not completely"))
    }

    /// Reports missing frames, which a table lists or a duration implies.
    private func noteCut(_ frames: Int, _ track: isobath_track, _ ending: isobath_ending) {
        let listed = track.packets > 0 ? Int(track.packets) : fileExtent.frames ?? 0
        // Seconds that Matroska declares after the last frame.
        let rest = track.seconds > 0 && ending.last >= 0 ? track.seconds - ending.last : 0
        let missing = min(rest * (extent.rate ?? 30) - 1, 1e9)
        let failure = Self.text(of: ending.failure)
        let reason = failure.isEmpty ? fileExtent.cut : failure
        let end = " after \(frames == 1 ? "1 frame" : "\(frames) frames")"
        if listed > Int(ending.packets) {
            extent.missingCount = listed - min(frames, Int(ending.packets))
            cutOff(": \(listed - extent.missingCount) of \(listed) frames are there", reason)
        } else if listed == 0, missing > 1 {
            extent.missingCount = Int(missing.rounded())
            cutOff("\(end): about \(extent.missingCount) more are declared", reason)
        } else if reason != nil {
            cutOff(end, reason)
        }
    }

    private func cutOff(_ text: String, _ reason: String?) {
        diagnostics.append(
            Diagnostic(
                .warning, "cut-off", "the movie is cut off\(text)" + (reason.map { "; \($0)" } ?? "")))
    }

    /// Some frames could not be decoded.
    package static let damagedFramesCode: Diagnostic.Code = "damaged-frames"

    package func describe() -> SceneDescription {
        var description = description
        (description.index, description.time, description.lens) = (index, time, lens())
        description.simulatedAperture = description.lens?.fNumber
        return description
    }

    package func begin(_ planes: Set<PlaneID>, into frame: inout FramePlanes) throws {
        // The first track may be the right eye.
        let isExchanged = description.eyes.map { $0.firstIsRight && $0.areBothRead } ?? false
        let tracks = isExchanged ? (left: right, right: color) : (left: color, right: right)
        let numbers =
            isExchanged
            ? (left: ISOBATH_TRACK_RIGHT, right: ISOBATH_TRACK_COLOR)
            : (left: ISOBATH_TRACK_COLOR, right: ISOBATH_TRACK_RIGHT)
        if planes.contains(.picture), tracks.left.is_present != 0, !isExchanged || hasRight {
            try readColor(tracks.left, Int32(numbers.left), into: &frame.color)
        }
        if planes.contains(.eye(.right)), right.is_present != 0, hasRight {
            try readColor(tracks.right, Int32(numbers.right), into: &frame.right)
        }
        if planes.contains(.depth), let size = description.depth?.size, hasDepth {
            try readDepth(size, into: &frame)
        }
        for place in mattes.indices where planes.contains(.plane(mattes[place].kind, 0)) {
            let kind = mattes[place].kind
            unsafe mattes[place].read(from: movie, into: &frame[matte: kind])
        }
    }

    /// The lens at the current frame; `nil` if the movie does not state it. The first error is reported, and ends reading.
    private func lens() -> RecordedLens? {
        do throws(ContainerError) {
            return try lensMetadata?.lens(at: time)
        } catch {
            lensMetadata = nil
            diagnostics.append(Diagnostic(error))
            return nil
        }
    }

    /// Whether there is depth for the frame.
    private var hasDepth: Bool {
        guard color.is_present != 0 else { return true }
        guard let depthTime, let first else { return false }
        return abs(depthTime - first - time) <= Self.tolerance
    }

    private func readColor(
        _ track: isobath_track, _ number: Int32, into output: inout FramePlane<RGB<UInt8>>
    ) throws {
        let (width, height) = (Int(track.width), Int(track.height))
        var status: Int32 = 0
        func decode(into plane: inout FramePlane<RGB<UInt8>>) {
            plane.overwrite(width: width, height: height, fill: .black) { pixels in
                // SAFETY: the plane has the size that the track was opened with, which the decoder checks for each frame.
                unsafe pixels.withUnsafeMutableBytes { bytes in
                    let target = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    status = unsafe isobath_movie_color(movie, number, target)
                }
            }
        }
        if track.turns == 0 {
            decode(into: &output)
        } else {
            decode(into: &unturned)
            unturned.turned(quarters: Int(track.turns), into: &output)
        }
        guard status == 0 else { throw MovieError.changedSize(frame: index, isDepth: false) }
    }

    private func readDepth(_ size: PixelSize, into frame: inout FramePlanes) throws {
        guard unsafe isobath_movie_gray16(movie, &codes) == 0 else {
            throw MovieError.changedSize(frame: index, isDepth: true)
        }
        let units = Float(unitsPerMeter ?? 1)
        let holdsDisparity = structure.depthTrack?.entry == "dish"
        let source = codes
        var counts = SampleCounts()
        frame.depth.overwrite(width: size.width, height: size.height, fill: .nan) { samples in
            let codes = source.span
            for index in samples.indices {
                samples[index] =
                    holdsDisparity
                    ? 1 / RecordedLens.disparity(ofCode: Float(codes[index])) : Float(codes[index])
            }
            guard !holdsDisparity else { return }
            counts = SampleRule(.depth, bits: 16).convert(&samples, dividingBy: units)
        }
        frame.counts = counts
    }
}

extension MovieSource {
    /// Whether there is depth, and it was recorded in Cinematic mode.
    package var isCinematic: Bool { structure.depthTrack != nil && depth.is_present != 0 }

    /// Whether frames are turned by a quarter, so that the eyes are above each other.
    package var isSideways: Bool { color.turns % 2 == 1 }
}
