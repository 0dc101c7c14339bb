internal import Bytes
internal import DepthTypes
internal import Scenes

/// A track of an MP4 or QuickTime movie (ISO/IEC 14496-12 §8.3): its kind, and the eyes that the first description of its
/// samples declares.
struct MovieTrack: Sendable {
    /// Its number in the file (`tkhd`).
    private(set) var number = 0
    /// `vide`, `soun`, `meta`, or `auxv` for pictures that belong to another track. Zero if missing.
    private(set) var handler = FourCharacterCode(rawValue: 0)
    /// The offset of ``handler`` in the file.
    private(set) var handlerOffset = 0
    /// The type of the description: `hvc1` for HEVC, `dish` and `deph` for disparity and depth in HEVC.
    private(set) var entry = FourCharacterCode(rawValue: 0)
    /// The offset of ``entry`` in the file.
    private(set) var entryOffset = 0
    /// The eyes that the description declares (`vexu`); `nil` without.
    private(set) var eyes: RecordedEyes?
    /// Whether the track holds this eye (`stri`).
    private(set) var (hasLeft, hasRight) = (false, false)
    /// Whether a second layer of HEVC holds the other eye (`lhvC`).
    private(set) var isLayered = false
    /// The keys about the lens, of a track of timed metadata.
    private(set) var lensKeys = LensKeys()
    /// The samples of a track of timed metadata; empty for other tracks.
    private(set) var samples = SampleTable()
    /// Why the track's user data could not be read to the end.
    private(set) var userDataError: ContainerError?

    /// Reads the boxes of a `trak` box.
    init(_ box: inout ByteCursor, limits: DecodingLimits) throws(ContainerError) {
        try box.forEachTrackBox(limits: limits) { (header, content) throws(ContainerError) in
            try read(header.type, &content, limits: limits)
        }
    }

    /// Whether the track belongs to another one, and is not a picture by itself.
    var isAuxiliary: Bool { handler == "auxv" }

    /// Whether this is the depth of a movie in Cinematic mode.
    var holdsDepth: Bool { isAuxiliary && (entry == "dish" || entry == "deph") }

    /// The kind of matte in the movie of a Live Photo; `nil` for other tracks.
    var matteKind: PlaneKind? { isAuxiliary && (entry == "hvc1" || entry == "hev1") ? taggedKind : nil }

    private mutating func read(
        _ type: FourCharacterCode, _ content: inout ByteCursor, limits: DecodingLimits
    ) throws(ContainerError) {
        switch type {
        case "tkhd":
            let (version, _) = try content.readFullBoxHeader()
            try content.skip(version == 1 ? 16 : 8)
            number = try content.readUInt32()
        case "hdlr" where handlerOffset == 0:
            // The second one, in `minf`, describes data references.
            try content.skip(8)
            handlerOffset = content.offset
            handler = try content.readCode()
        case "stsd": try readDescription(&content, limits: limits)
        case "udta":
            do throws(ContainerError) { try readUserData(&content) } catch { userDataError = error }
        case "mdhd": try samples.read(type, &content)
        default: if handler == "meta" { try samples.read(type, &content) }
        }
    }

    /// Reads the first sample entry (ISO/IEC 14496-12 §12.1.3).
    private mutating func readDescription(
        _ box: inout ByteCursor, limits: DecodingLimits
    ) throws(ContainerError) {
        try box.skip(8)
        let header = try box.readBoxHeader()
        (entry, entryOffset) = (header.type, header.offset + 4)
        var content = try box.payload(of: header)
        if entry == "mebx" { lensKeys = try LensKeys(&content, limits: limits) }
        // Sound and metadata have other fields before their boxes.
        guard handler == "vide" || handler == "auxv" else { return }
        try content.skip(78)
        while content.remaining >= 8 {
            let header = try content.readBoxHeader()
            var part = try content.payload(of: header)
            switch header.type {
            case "lhvC": isLayered = true
            case "vexu":
                eyes = RecordedEyes()
                try readEyes(&part, depth: 1, limits: limits)
            case "hfov":
                let angle = Double(try part.readUInt32()) / 1000
                if angle > 0, angle < 180 { horizontalFieldOfView = angle }
            default: break
            }
        }
        eyes?.horizontalFieldOfView = horizontalFieldOfView
        eyes?.isLayered = isLayered
        eyes?.firstIsRight = hasLeft && hasRight ? isReversed : hasRight
    }

    /// Reads `vexu` (Apple, “Apple HEVC Stereo Video”): every box but `stri` is optional.
    private mutating func readEyes(
        _ box: inout ByteCursor, depth: Int, limits: DecodingLimits
    ) throws(ContainerError) {
        try limits.check(.nesting, depth, at: box.offset, in: box.path)
        while !box.isAtEnd {
            let header = try box.readBoxHeader()
            var content = try box.payload(of: header)
            switch header.type {
            case "eyes", "cams", "cmfy", "proj":
                try readEyes(&content, depth: depth + 1, limits: limits)
            case "stri":
                try content.skip(4)
                let flags = try content.readByte()
                (hasLeft, hasRight, isReversed) = (flags & 1 != 0, flags & 2 != 0, flags & 8 != 0)
            case "hero":
                try content.skip(4)
                let eye = try content.readByte()
                eyes?.hero = eye == 1 ? .left : eye == 2 ? .right : nil
            case "blin":
                try content.skip(4)
                let micrometers = try content.readUInt32()
                if micrometers > 0 { eyes?.baseline = Double(micrometers) / 1_000_000 }
            case "dadj":
                try content.skip(4)
                eyes?.disparityAdjustment = Double(try content.read(Int32.self)) / 10_000
            case "prji":
                try content.skip(4)
                eyes?.projection = try content.readCode().description
            default: break
            }
        }
    }

    /// Reads the characteristics that the track is tagged with: boxes `tagc`, of which each holds a name.
    private mutating func readUserData(_ box: inout ByteCursor) throws(ContainerError) {
        // The boxes may end with 32 zero bits (QuickTime File Format, “User Data Atoms”).
        while box.remaining >= 8 {
            let header = try box.readBoxHeader()
            var content = try box.payload(of: header)
            guard header.type == "tagc", taggedKind == nil else { continue }
            var name = try content.readRemainingBytes()[...]
            // A FullBox, or a text with a terminator.
            if name.starts(with: [0, 0, 0, 0]) { name = name.dropFirst(4) }
            if name.last == 0 { name = name.dropLast() }
            taggedKind = Self.mattes.first { name.elementsEqual($0.tag.utf8) }?.kind
        }
    }

    /// The tags of mattes. Those of other images, such as deltas of a photographic style, are not read.
    private static let mattes: [(tag: String, kind: PlaneKind)] = [
        ("com.apple.quicktime.video-map.person", .matte), ("com.apple.quicktime.video-map.skin", .skin),
        ("com.apple.quicktime.video-map.sky", .sky),
    ]

    /// The kind of matte that a tag names.
    private var taggedKind: PlaneKind?
    /// `hfov`, which may be before or after `vexu`.
    private var horizontalFieldOfView: Double?
    /// Whether the first layer is the right eye.
    private var isReversed = false
}
