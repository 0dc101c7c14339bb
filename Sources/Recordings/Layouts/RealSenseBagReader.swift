internal import ByteParsing
internal import DepthModel
internal import Movies
internal import Sequences

/// A recording of RealSense's SDK (`.bag`): a ROS bag whose topics are `/device_0/sensor_0/Depth_0/image/data` and so on.
///
/// Depth is 16 bits little-endian in units that an option of the sensor states. It is measured by another camera than the
/// pictures. Both cameras and their relative pose are in the bag (`camera_info`, `tf`), so depth is registered to the
/// pictures' view. `tf` maps coordinates of one camera of the device, the same for all streams, to coordinates of the
/// stream's camera. Frames are paired by the times of the cameras' clock. The bag is read once from its first byte to
/// its last.
enum RealSenseBagReader {
    static func recognizes(_ start: [UInt8]) -> Bool { start.starts(with: ROSBag.mark) }

    static func read(
        _ source: any ByteSource, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        var draft = RecordingDraft(.realSenseBag)
        draft.coding.depth.storage = .uint16
        draft.coding.depth.isUnitCertain = false
        let bag = ROSBag(source, limits: limits)
        let found = try bag.contents()
        if found.isCutOff {
            draft.warn(
                .cutOff,
                "the bag is cut off: the index at its end is missing; the frames before the cut are read")
        }
        var streams = Streams()
        var topics = found.topics
        var bytes: [UInt8] = []
        for chunk in found.chunks {
            let stored = BagChunk(chunk, of: bag)
            do throws(ContainerError) {
                try bag.read(chunk, into: &bytes)
                for message in try bag.messages(in: chunk, bytes, &topics) {
                    try streams.take(message, of: bytes, in: stored, at: chunk.range.lowerBound, limits)
                }
            } catch {
                try streams.report(error)
            }
        }
        guard !streams.depth.images.isEmpty || !streams.color.images.isEmpty else {
            if let error = streams.diagnostics.lazy.compactMap(\.error).first { throw error }
            throw ContainerError(
                .unrecognized(
                    detail: "this ROS bag has no depth and no pictures of RealSense's SDK"
                        + (found.isCutOff ? "; it is cut off: the index at its end is missing" : "")))
        }
        if let meters = streams.metersPerUnit {
            draft.coding.depth.unitsPerMeter = (1 / meters).roundedIfWhole
            draft.coding.depth.isUnitCertain = true
        }
        try addFrames(of: streams, &draft, limits)
        describeCameras(of: streams, &draft)
        draft.diagnostics += streams.diagnostics
        return draft
    }

    private static func addFrames(
        of streams: Streams, _ draft: inout RecordingDraft, _ limits: DecodingLimits
    ) throws(ContainerError) {
        let (depths, colors) = (streams.depth.images, streams.color.images)
        draft.coding.color = streams.color.encoding.flatMap { PackedPixels(rawValue: $0) }
        draft.colorSize = streams.color.size
        draft.depthSize = streams.depth.size
        guard !depths.isEmpty else {
            for (index, color) in colors.enumerated() {
                var frame = RecordedFrame(number: index, time: color.time)
                frame.color = color.part
                try draft.append(frame, limits)
            }
            return
        }
        let partners = matchedByTime(depths.map(\.time), colors.map(\.time), within: 0.02)
        for (index, depth) in depths.enumerated() {
            var frame = RecordedFrame(number: index, time: depth.time)
            frame.depth = depth.part
            frame.color = partners[index].map { colors[$0].part }
            try draft.append(frame, limits)
        }
        let left = colors.count
        guard left > 0, partners.allSatisfy({ $0 == nil }) else { return }
        draft.warn(
            .unusedParts,
            left == 1
                ? "the only picture is not within 20 ms of a depth map: it is skipped"
                : "none of \(left) pictures is within 20 ms of a depth map: they are skipped")
    }

    /// Registers depth to the pictures' view if both cameras are known. Otherwise depth stays as measured, with the
    /// depth camera.
    private static func describeCameras(of streams: Streams, _ draft: inout RecordingDraft) {
        let (depth, color) = (streams.depth, streams.color)
        guard draft.frames.contains(where: { $0.color != nil }) else {
            draft.intrinsics = depth.camera?.intrinsics
            draft.cameraFrame = depth.camera.map(\.size)
            return
        }
        guard !depth.images.isEmpty else {
            draft.intrinsics = color.camera?.intrinsics
            draft.cameraFrame = color.camera.map(\.size)
            return
        }
        if let pair = streams.cameras, let measured = depth.size, let picture = color.size {
            let grid = RegisteredGrid(pair, color: picture)
            draft.coding.registration = CameraRegistration(cameras: pair, depth: measured, color: picture)
            draft.depthSize = grid.size
            draft.intrinsics = pair.color.intrinsics
            draft.cameraFrame = picture
            draft.diagnostics.append(grid.note)
        } else {
            draft.intrinsics = depth.camera?.intrinsics
            draft.cameraFrame = depth.camera.map(\.size)
            draft.warn(
                MovieSource.differentViewCode,
                "the bag does not say how the depth camera and the pictures' camera lie to each other: they show different views"
            )
        }
    }
}

/// An image of a stream: its time in seconds, and its location.
private struct Stamped {
    var time: Double
    var part: ChunkPart
}

/// The images of a camera, and its metadata.
private struct Stream {
    var images: [Stamped] = []
    /// The size and encoding of the first image.
    var size: PixelSize?
    var encoding: String?
    var camera: BagCamera?
    /// From the coordinates of the device's reference to the camera's coordinates.
    var place: CameraPose?

    /// Adds a message on the stream, whose topic ends in `path`. Throws if the message is damaged, or if an image has an
    /// unsupported kind.
    mutating func take(
        _ path: Substring, _ message: ROSBag.Message, _ cursor: inout ByteCursor, isDepth: Bool,
        in chunk: BagChunk,
        _ limits: DecodingLimits
    ) throws(ContainerError) {
        if path == "/image/data" {
            let image = try BagImage(&cursor)
            _ = try limits.pixelCount(width: image.size.width, height: image.size.height)
            guard isDepth == (image.encoding == "mono16") else {
                throw cursor.failure(
                    .unsupported(
                        feature:
                            "the encoding \(image.encoding) in a stream of \(isDepth ? "depth" : "color")"))
            }
            guard size ?? image.size == image.size, encoding ?? image.encoding == image.encoding else {
                throw cursor.failure(.unsupported(feature: "a stream with images of several kinds"))
            }
            try limits.check(.frames, images.count + 1)
            (size, encoding) = (image.size, image.encoding)
            let start = message.range.lowerBound + image.pixels.lowerBound
            images.append(
                Stamped(
                    time: image.time > 0 ? image.time : message.time,
                    part: ChunkPart(chunk: chunk, range: start..<start + image.pixels.count)))
        } else if path == "/info/camera_info" {
            camera = try BagCamera(&cursor)
        } else if path == "/tf" || path.hasPrefix("/tf/") {
            let numbers = try cursor.readDoubles(7)
            place = CameraPose(
                quaternion: SIMD4(numbers[3], numbers[4], numbers[5], numbers[6]),
                translation: SIMD3(numbers[0], numbers[1], numbers[2]), .cameraToWorldOpenCV)
        }
    }
}

/// The depth and pictures of a bag: the first stream of each.
private struct Streams {
    var depth = Stream()
    var color = Stream()
    var metersPerUnit: Double?
    var diagnostics: [Diagnostic] = []
    private var depthTopic: Substring?
    private var colorTopic: Substring?

    init() {}

    /// Both cameras, if their relative pose and their lenses are known.
    var cameras: CameraPair? {
        guard let from = depth.place, let to = color.place,
            let depthCamera = depth.camera, depthCamera.size == depth.size,
            let colorCamera = color.camera, colorCamera.size == color.size
        else { return nil }
        func between(_ point: SIMD3<Double>) -> SIMD3<Double> { to.world(from.camera(point)) }
        let origin = between(.zero)
        let turned = CameraPose(
            right: between(SIMD3(1, 0, 0)) - origin, down: between(SIMD3(0, 1, 0)) - origin,
            forward: between(SIMD3(0, 0, 1)) - origin, position: origin)
        guard let measuring = depthCamera.lens(at: .identity), let picturing = colorCamera.lens(at: turned)
        else {
            return nil
        }
        return CameraPair(depth: measuring, color: picturing)
    }

    /// Adds a message. Unrelated messages are ignored, damaged ones are reported.
    mutating func take(
        _ message: ROSBag.Message, of bytes: [UInt8], in chunk: BagChunk, at place: Int,
        _ limits: DecodingLimits
    ) throws(ContainerError) {
        let topic = message.topic
        let parts = topic.split(separator: "/", omittingEmptySubsequences: false)
        // "", device, sensor, stream, and kind of message.
        guard parts.count >= 5, parts[1].hasPrefix("device_") else { return }
        var cursor = ByteCursor(
            bytes.span.extracting(message.range), base: place, path: StructurePath("chunk"))
        cursor.byteOrder = .littleEndian
        do throws(ContainerError) {
            if parts[3] == "option", parts[4] == "Depth Units", parts.last == "value" {
                let units = try cursor.readFloats(1)[0]
                if units > 1e-7, units < 1, metersPerUnit == nil { metersPerUnit = units }
                return
            }
            let isDepth = parts[3].hasPrefix("Depth_")
            guard isDepth || parts[3].hasPrefix("Color_") else { return }
            // If there are two devices, the first is read.
            let stream = topic[..<parts[3].endIndex]
            let known = isDepth ? depthTopic : colorTopic
            guard known == nil || known == stream else { return note(Self.severalDevices) }
            let path = topic[stream.endIndex...]
            if isDepth {
                depthTopic = stream
                try depth.take(path, message, &cursor, isDepth: true, in: chunk, limits)
            } else {
                colorTopic = stream
                try color.take(path, message, &cursor, isDepth: false, in: chunk, limits)
            }
        } catch {
            try report(error)
        }
    }

    /// Records an error about some bytes, so that the rest can be read; throws any other.
    mutating func report(_ error: ContainerError) throws(ContainerError) {
        switch error.reason {
        case .limitExceeded, .unreadable, .folder, .pipe, .notRegularFile: throw error
        case .truncated, .arithmeticOverflow, .malformed, .unsupported, .damaged, .unrecognized, .ambiguous,
            .possiblyHeaderless:
            note(Diagnostic(error))
        }
    }

    /// Reports something once, since many images may have the same defect, and at most as often as people read.
    private mutating func note(_ diagnostic: Diagnostic) {
        guard diagnostics.count < 32 else { return }
        if !diagnostics.contains(where: { $0.message == diagnostic.message }) {
            diagnostics.append(diagnostic)
        }
    }

    private static let severalDevices = Diagnostic.warning(
        .unusedParts, "there is more than one device in the bag: the first is read")
}

extension Double {
    /// Rounds a number that is an integer except for Float32 errors; others are unchanged. 1 / 0.001 as Float32 is not 1,000.
    fileprivate var roundedIfWhole: Double { abs(self - rounded()) < 1e-6 * abs(self) ? rounded() : self }
}
