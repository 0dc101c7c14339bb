internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import RasterFormats
internal import Scenes

/// Converts a draft to a recording: removes missing parts, makes times relative to the first frame, finds sizes in the
/// headers of the first files, and reports what is missing.
struct RecordingFinisher {
    var draft: RecordingDraft
    let reading: ReadingOptions
    let limits: DecodingLimits
    private var skipped = 0
    private var unlisted = 0
    private var hasTimes = true
    private var timeOrigin = 0.0
    private var scale = DepthScale.absolute

    init(draft: RecordingDraft, reading: ReadingOptions, limits: DecodingLimits) {
        self.draft = draft
        self.reading = reading
        self.limits = limits
    }

    mutating func recording(at path: String) throws -> Recording {
        if let path = reading.posesPath { try draft.use(PoseFile(path, limits)) }
        leaveOutMissing()
        reportUnlisted()
        countTimes()
        let depth = readDepthHeader()
        let color = draft.colorSize ?? first { $0.color }.flatMap { pictureSize($0, limits) }
        let confidence = confidenceSize(depth)
        interpretDepth(depth)
        try resolveCamera(color: color, depth: depth?.size)
        applyConvention()
        reportTracking()
        reportGaps()
        reportParts()
        var recording = Recording(
            path: path, layout: draft.layout, title: draft.title ?? draft.layout.title, frames: draft.frames,
            colorSize: draft.frames.contains(where: \.hasColor) ? color : nil, depthSize: depth?.size,
            confidenceSize: confidence, intrinsics: draft.intrinsics, cameraFrame: draft.cameraFrame,
            cameraOrigin: draft.cameraOrigin, convention: draft.convention,
            // A separate file may have any world.
            up: reading.posesPath == nil ? draft.layout.up : nil, hasTimes: hasTimes,
            nominalRate: draft.rate,
            diagnostics: draft.diagnostics, scale: scale, skippedCount: skipped,
            cutCount: draft.cutCount, unlistedCount: unlisted, topics: draft.topics, eyes: draft.eyes,
            movie: draft.movie, sound: draft.sound, timeOrigin: timeOrigin, coding: draft.coding,
            limits: limits)
        if draft.coding.depth.storage == .lzfse, recording.depthSize == nil { findSize(of: &recording) }
        return recording
    }

    /// Older archives do not store the size of their depth: it is derived from the bytes of the first frame.
    private func findSize(of recording: inout Recording) {
        var decoder = FrameDecoder(recording)
        var frame = FramePlanes()
        for index in recording.frames.indices.prefix(8) {
            guard (try? decoder.read([.depth], ofFrameAt: index, into: &frame)) != nil else { continue }
            recording.depthSize = frame.depth.size
            return
        }
    }

    /// The first part of a kind.
    private func first(_ part: (RecordedFrame) -> (any FramePart)?) -> (any FramePart)? {
        draft.frames.lazy.compactMap(part).first
    }

    /// A frame needs its depth if any frame has depth, else its color. Frames without files are kept only if the layout
    /// has no files.
    private mutating func leaveOutMissing() {
        let count = draft.frames.count
        let what: String
        if draft.frames.contains(where: \.hasDepth) {
            draft.frames.removeAll { !$0.hasDepth }
            what = "depth"
        } else if draft.frames.contains(where: \.hasColor) {
            draft.frames.removeAll { !$0.hasColor }
            what = "color"
        } else if draft.keepsBareFrames {
            draft.warn(.noImages, "there are poses and cameras, and neither depth nor color")
            return
        } else {
            draft.frames = []
            what = "depth and color"
        }
        skipped = count - draft.frames.count
        reportMissing(what, of: count)
        if let remark = draft.linkRemark, skipped + draft.missingDepth + draft.missingColor > 0 {
            draft.warn(.missingFiles, remark)
        }
        guard skipped > 0 else { return }
        draft.warn(
            .missingFiles,
            skipped == 1
                ? "1 of \(count) listed frames has no file of its \(what), and is skipped"
                : "\(skipped) of \(count) listed frames have no files of their \(what), and are skipped")
    }

    /// Sets the times of frames to 30 a second.
    private mutating func assumeTimes() {
        hasTimes = false
        for index in draft.frames.indices { draft.frames[index].time = Double(index) / 30 }
    }

    /// Whether the times of frames are usable: finite numbers within ``FrameTimes/longest``.
    private mutating func checkTimes() -> Bool {
        let times = draft.frames.compactMap(\.time)
        guard let first = times.min(), let last = times.max() else { return true }
        if times.allSatisfy(\.isFinite), last - first <= FrameTimes.longest { return true }
        draft.warn(
            .assumedTimes,
            "the times of frames are from \(first) to \(last) s, more than 31 years; 30 frames a second are assumed"
        )
        return false
    }

    /// Reports missing listed files, except files of skipped frames.
    private mutating func reportMissing(_ needed: String, of count: Int) {
        if draft.missingDepth > 0, needed != "depth" {
            draft.warn(
                .missingFiles, "\(draft.missingDepth) of \(count) listed depth maps are missing")
        }
        if draft.missingColor > 0, needed == "depth" {
            draft.warn(
                .missingFiles,
                draft.missingColor == 1
                    ? "1 listed picture is missing" : "\(draft.missingColor) listed pictures are missing")
        }
    }

    /// Counts files that look like frames but are not listed.
    private mutating func reportUnlisted() {
        guard draft.isListed else { return }
        let hasDepth = draft.frames.contains { $0.depth != nil }
        var used: [String: Set<String>] = [:]
        var patterns: [String: Set<String>] = [:]
        for frame in draft.frames {
            for part in [frame.depth, frame.color, frame.confidence, frame.matte] {
                guard let file = part as? FilePart else { continue }
                used[file.folder.path, default: []].insert(file.fileName)
            }
            guard let file = (hasDepth ? frame.depth : frame.color) as? FilePart else { continue }
            patterns[file.folder.path, default: []].insert(ImageGroup.pattern(of: file.fileName))
        }
        for (path, patterns) in patterns {
            guard let folder = try? RecordingFolder(path) else { continue }
            let names = used[path] ?? []
            unlisted += folder.files.count {
                !names.contains($0) && patterns.contains(ImageGroup.pattern(of: $0))
            }
        }
        guard unlisted > 0 else { return }
        let what = hasDepth ? ("depth map is", "depth maps are") : ("picture is", "pictures are")
        draft.warn(
            .unlistedFiles,
            "\(unlisted) \(unlisted == 1 ? what.0 : what.1) there that the recording does not list, and not read"
        )
    }

    private mutating func countTimes() {
        guard draft.frames.contains(where: { $0.time != nil }), checkTimes() else { return assumeTimes() }
        let untimed = draft.frames.count { $0.time == nil }
        if untimed > 0 {
            draft.frames.removeAll { $0.time == nil }
            skipped += untimed
            draft.warn(.missingFiles, "\(untimed) frames have no time, and are skipped")
        }
        let times = draft.frames.compactMap(\.time)
        if zip(times, times.dropFirst()).contains(where: { $0 > $1 }) {
            draft.warn(.unsortedTimes, "times go back; frames are sorted by time")
            draft.frames.sort { ($0.time ?? 0, $0.number) < ($1.time ?? 0, $1.number) }
        }
        let start = draft.frames.first?.time ?? 0
        timeOrigin = start
        for index in draft.frames.indices {
            draft.frames[index].time = (draft.frames[index].time ?? 0) - start
        }
    }

    /// The header of the first depth map that has a readable one.
    private struct DepthHeader {
        var size: PixelSize
        var bits: Int
        var isFloat: Bool
    }

    private mutating func readDepthHeader() -> DepthHeader? {
        if draft.layout.isMovie {
            return draft.depthSize.map { DepthHeader(size: $0, bits: 16, isFloat: false) }
        }
        if draft.coding.depth.storage != .image {
            guard first({ $0.depth }) != nil, let size = draft.depthSize else { return nil }
            return DepthHeader(size: size, bits: 16, isFloat: draft.coding.depth.storage.isFloat)
        }
        // One damaged file at the start must not hide the others.
        for part in draft.frames.lazy.compactMap(\.depth).prefix(8) {
            guard let source = part.source(limits), let start = try? source.readPrefix(at: 0, count: 16),
                let format = RasterFileFormat(recognizing: start),
                let raster = try? RasterDecoder(source, limits: limits).describe(format)
            else { continue }
            let size = draft.coding.registration.map { RegisteredGrid($0.cameras, color: $0.color).size }
            return DepthHeader(
                size: size ?? PixelSize(width: raster.width, height: raster.height), bits: raster.bitDepth,
                isFloat: raster.sampleType.isFloat)
        }
        if first({ $0.depth }) != nil {
            draft.warn(.unreadablePlane, "the depth of the first frames cannot be read")
        }
        return nil
    }

    private func confidenceSize(_ depth: DepthHeader?) -> PixelSize? {
        guard let part = first({ $0.confidence }) else { return nil }
        return pictureSize(part, limits) ?? depth?.size
    }

    /// Determines the scale of depth values.
    private mutating func interpretDepth(_ header: DepthHeader?) {
        if let known = draft.scale { return scale = known }
        if let given = reading.scale {
            draft.coding.depth.unitsPerMeter = given
            return
        }
        guard let header else { return }
        if header.isFloat, !draft.coding.depth.hasUnitOfAllForms {
            draft.coding.depth.unitsPerMeter = 1
        } else if header.bits < 16, !draft.coding.depth.hasUnitOfAllForms {
            draft.coding.depth.unitsPerMeter = nil
            draft.warn(
                .noUnit, "depth images have \(header.bits) bits: they are pictures of depth, without a unit")
        }
        if draft.coding.depth.unitsPerMeter == nil {
            scale = .unitless
            if header.bits >= 16, draft.layout == .nerfCapture || draft.layout == .nerfstudio {
                draft.warn(.noUnit, "nothing says which unit the depth has")
            }
        } else if !draft.coding.depth.isUnitCertain, let units = draft.coding.depth.unitsPerMeter {
            scale = .unknown
            draft.note(
                .assumedDepthUnit,
                "no file says which unit the depth has; "
                    + (units == 1 ? "meters are" : "\(Float(units).short) steps a meter are")
                    + " assumed, as is usual in this layout"
            )
        }
    }

    private mutating func resolveCamera(color: PixelSize?, depth: PixelSize?) throws(SceneError) {
        if let depth, !draft.needsOwnCamera,
            let given = try reading.calibration(for: depth, limits: limits)
        {
            draft.intrinsics = Intrinsics(given)
            draft.cameraFrame = depth
            draft.cameraOrigin = .given
            for index in draft.frames.indices { draft.frames[index].intrinsics = nil }
            draft.diagnostics.removeAll { $0.code == .assumedCamera || $0.code == .invalidCamera }
            return
        }
        guard let camera = draft.frames.lazy.compactMap(\.intrinsics).first ?? draft.intrinsics else {
            draft.cameraFrame = nil
            return
        }
        guard draft.cameraFrame == nil else { return }
        if draft.cameraIsOfDepth, let depth {
            draft.cameraFrame = depth
        } else if let color {
            draft.cameraFrame = color
        } else if let depth {
            draft.cameraFrame = Self.frame(of: camera, for: depth)
            draft.note(
                .assumedCamera,
                "no file says for which picture size the focal length is given; \(draft.cameraFrame ?? depth) is assumed"
            )
        }
    }

    /// The size that intrinsics are for: the depth's size times a multiple of a half, chosen to put the principal point
    /// near the middle.
    private static func frame(of camera: Intrinsics, for depth: PixelSize) -> PixelSize {
        // The principal point is off the middle in either direction, so both are used.
        let ratio = camera.cx / Double(depth.width) + camera.cy / Double(depth.height)
        let factor = max((2 * ratio).rounded() / 2, 0.5)
        guard factor < 1000 else { return depth }
        return PixelSize(
            width: Int((Double(depth.width) * factor).rounded()),
            height: Int((Double(depth.height) * factor).rounded()))
    }

    /// Converts poses from the convention that the caller gives.
    private mutating func applyConvention() {
        guard let wanted = reading.poseConvention, let convention = draft.convention, wanted != convention
        else {
            return
        }
        for index in draft.frames.indices {
            draft.frames[index].pose = draft.frames[index].pose?.stored(in: convention).converted(
                from: wanted)
        }
        draft.convention = wanted
    }

    private mutating func reportTracking() {
        let lost = draft.frames.count { $0.pose == nil }
        // Without any pose, there was no tracking, or none was stored.
        guard draft.convention != nil, !draft.explainsMissingPoses, lost > 0, lost < draft.frames.count
        else { return }
        draft.warn(
            .lostTracking,
            lost == 1
                ? "tracking was lost in 1 frame of \(draft.frames.count): it has no pose"
                : "tracking was lost in \(lost) frames of \(draft.frames.count): they have no pose")
    }

    private mutating func reportGaps() {
        guard !draft.layout.isMovie else { return }
        guard hasTimes else { return reportNumberGaps() }
        guard draft.frames.count > 2, let median = medianInterval(draft.frames), median > 0 else {
            return
        }
        let times = draft.frames.compactMap(\.time)
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 1.75 * median }
        guard let longest = gaps.max() else { return }
        let text = (longest * 1000).rounded() / 1000
        draft.warn(
            .gaps, "\(gaps.count) \(gaps.count == 1 ? "gap" : "gaps") between frames, the longest \(text) s")
    }

    /// Reports gaps in frames that are found by their numbers. Every n-th number may be intended; single gaps are not.
    private mutating func reportNumberGaps() {
        let numbers = draft.frames.map(\.number)
        let steps = zip(numbers, numbers.dropFirst()).map { $1 - $0 }.sorted()
        guard !draft.isListed, steps.count > 1, let least = steps.first, least > 0 else { return }
        let usual = steps[steps.count / 2]
        let missing = steps.filter { $0 > usual }.reduce(0) { $0 + $1 / usual - 1 }
        guard missing > 0, let first = numbers.first, let last = numbers.last else { return }
        draft.warn(
            .gaps,
            "\(missing) of the numbers from \(first) to \(last) \(missing == 1 ? "has" : "have") no file")
    }

    /// Reports how many frames lack a part that others have. If few do, files are missing, unless parts are paired by time.
    private mutating func reportParts() {
        let total = draft.frames.count
        let counts = [
            ("a color picture", draft.frames.count(where: \.hasColor)),
            ("confidence", draft.frames.count { $0.confidence != nil }),
            ("a matte", draft.frames.count { $0.matte != nil }),
        ]
        for (part, count) in counts where count > 0 && count < total {
            let text = "\(count) of \(total) frames have \(part)"
            let isPairedByTime = draft.layout == .tum || draft.layout == .arkitScenes || draft.topics != nil
            let isLoss = 2 * count > total && draft.missingColor == 0 && !isPairedByTime
            isLoss ? draft.warn(.missingFiles, text) : draft.note(.missingFiles, text)
        }
    }
}

/// The size in the header of a picture or raster; `nil` if it cannot be read.
func pictureSize(_ part: any FramePart, _ limits: DecodingLimits) -> PixelSize? {
    part.source(limits).flatMap { try? openPicture($0, limits: limits).describe().file?.size }
}
