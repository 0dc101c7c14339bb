import HEVCEncoding
import TestSupport

/// A QuickTime movie of gray HEVC tracks, as that of a Live Photo: a picture, and mattes that refer to it.
///
/// Every picture is coded without loss, so that the samples are the truth. Pictures of all tracks are in temporal order,
/// behind the boxes that describe them. 600 ticks are a second.
public struct LivePhotoMovie: Sendable {
    /// Whether codes are 0…255 or 16…235, as the parameter sets declare.
    public enum Range: Sendable { case full, limited, undeclared }

    /// A track.
    public struct Track: Sendable {
        /// Samples in a row.
        public var width: Int
        /// The number of rows.
        public var height: Int
        /// The samples of each frame.
        public var frames: [[UInt8]]
        /// Ticks that each frame lasts.
        public var duration = 20
        /// `vide`, or `auxv` for a track that refers to the first one.
        public var handler = "vide"
        /// The contents of boxes `tagc`.
        public var tags: [[UInt8]] = []
        /// Bytes behind the boxes of the user data, of which QuickTime writes 32 zero bits.
        public var rest: [UInt8] = [0, 0, 0, 0]
        /// Clockwise quarter turns that the matrix declares.
        public var turns = 0
        /// The range of codes.
        public var range = Range.full

        /// The picture, 30 frames a second.
        public init(width: Int, height: Int, frames: [[UInt8]]) {
            (self.width, self.height, self.frames) = (width, height, frames)
        }

        /// A matte of 15 frames a second, tagged with a name behind `com.apple.quicktime.video-map`.
        public init(matte name: String, width: Int, height: Int, frames: [[UInt8]]) {
            self.init(width: width, height: height, frames: frames)
            (handler, duration) = ("auxv", 40)
            tags = ["", ".\(name)"].map { Array("com.apple.quicktime.video-map\($0)".utf8) }
        }
    }

    /// The tracks, of which the first has number 1.
    public var tracks: [Track]

    /// A movie of tracks.
    public init(_ tracks: [Track]) { self.tracks = tracks }

    /// The bytes of the file: `ftyp`, `moov`, `mdat`.
    public var bytes: [UInt8] {
        let coded = tracks.map { track in
            track.frames.map { LosslessHEVCPicture(width: track.width, height: track.height, samples: $0) }
        }
        var offsets = tracks.map { _ in [Int]() }
        var data: [UInt8] = []
        let order = tracks.indices.flatMap { track in coded[track].indices.map { (track, $0) } }
            .sorted { ($0.1 * tracks[$0.0].duration, $0.0) < ($1.1 * tracks[$1.0].duration, $1.0) }
        for (track, index) in order {
            offsets[track].append(data.count)
            data += coded[track][index].data
        }
        func start(_ first: Int) -> [UInt8] {
            let boxes = tracks.indices.flatMap { track in
                Self.track(tracks[track], track + 1, coded[track], offsets[track].map { $0 + first })
            }
            let header = Self.full(
                "mvhd",
                Self.zeros(2) + bigEndian(600) + Self.zeros(5) + Self.matrix(turns: 0) + Self.zeros(7))
            return box("ftyp", Array("qt  ".utf8) + bigEndian(0) + Array("qt  ".utf8))
                + box("moov", header + boxes)
        }
        // Offsets have the same size whatever their value.
        return start(start(0).count + 8) + box("mdat", data)
    }

    /// 32-bit zeros.
    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: 4 * count) }

    private static func full(_ type: String, _ content: [UInt8]) -> [UInt8] {
        box(type, bigEndian(0) + content)
    }

    private static func matrix(turns: Int) -> [UInt8] {
        let one = 0x10000
        let factors =
            switch turns {
            case 1: [0, one, 0, -one, 0, 0]
            case 2: [-one, 0, 0, 0, -one, 0]
            case 3: [0, -one, 0, one, 0, 0]
            default: [one, 0, 0, 0, one, 0]
            }
        return (factors + [0, 0, 0x4000_0000]).flatMap { bigEndian($0) }
    }

    private static func track(
        _ track: Track, _ number: Int, _ pictures: [LosslessHEVCPicture], _ offsets: [Int]
    ) -> [UInt8] {
        let header = full(
            "tkhd",
            zeros(2) + bigEndian(number) + zeros(6) + matrix(turns: track.turns)
                + bigEndian(track.width << 16) + bigEndian(track.height << 16))
        let media =
            full("mdhd", zeros(2) + bigEndian(600) + zeros(2))
            + full("hdlr", Array("mhlr\(track.handler)".utf8) + zeros(3) + [0])
            + box("minf", box("stbl", table(track, pictures, offsets)))
        let reference =
            track.handler == "vide"
            ? [] : box("tref", box("vmap", bigEndian(1)))
        let user =
            track.handler == "vide"
            ? [] : box("udta", track.tags.flatMap { box("tagc", $0) } + track.rest)
        return box("trak", header + reference + box("mdia", media) + user)
    }

    private static func table(
        _ track: Track, _ pictures: [LosslessHEVCPicture], _ offsets: [Int]
    ) -> [UInt8] {
        let configuration = pictures.first.map { declaring(track.range, in: $0.configuration) } ?? []
        let entry =
            bigEndian(0, 6) + bigEndian(1, 2) + zeros(4) + bigEndian(track.width, 2)
            + bigEndian(track.height, 2) + bigEndian(72 << 16) + bigEndian(72 << 16)
            + zeros(1) + bigEndian(1, 2) + zeros(8) + bigEndian(24, 2) + [0xFF, 0xFF]
            + box("hvcC", configuration)
        let count = bigEndian(pictures.count)
        return full("stsd", bigEndian(1) + box("hvc1", entry))
            + full("stts", bigEndian(1) + count + bigEndian(track.duration))
            + full(
                "stsc", bigEndian(1) + bigEndian(1) + bigEndian(1) + bigEndian(1))
            + full("stsz", bigEndian(0) + count + pictures.flatMap { bigEndian($0.data.count) })
            + full("stco", count + offsets.flatMap { bigEndian($0) })
    }

    /// Changes what the sequence parameter set in `hvcC` declares of the range. ITU-T H.265 §E.2.1: it ends with
    /// `video_full_range_flag`, 33 further bits, and the stop bit. The flag is seven bits after
    /// `vui_parameters_present_flag`.
    private static func declaring(_ range: Range, in configuration: [UInt8]) -> [UInt8] {
        guard range != .full else { return configuration }
        var output = Array(configuration[..<23])
        var place = 23
        for _ in 0..<configuration[22] {
            let isSequence = configuration[place] & 63 == 33
            let count = Int(configuration[place + 3]) << 8 | Int(configuration[place + 4])
            var unit = Array(configuration[place + 5..<place + 5 + count])
            if isSequence {
                var bits = unit.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
                let stop = bits.lastIndex(of: 1) ?? 0
                if range == .limited {
                    bits[stop - 34] = 0
                } else {
                    bits = Array(bits[..<(stop - 41)]) + [0, 0, 1]
                    while bits.count % 8 != 0 { bits.append(0) }
                }
                unit = stride(from: 0, to: bits.count, by: 8).map { start in
                    bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
                }
            }
            output += configuration[place..<place + 3] + bigEndian(unit.count, 2) + unit
            place += 5 + count
        }
        return output
    }
}
