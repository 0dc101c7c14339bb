/// Adds the track in which a movie in Cinematic mode states the lens of each frame (QuickTime File Format, `mebx`).
public enum LensTrack {
    /// A box with a size of 32 bits.
    public static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8) + Array(type.utf8) + content
    }

    /// A number whose most significant byte is the first.
    public static func number(_ value: Int, _ byteCount: Int = 4) -> [UInt8] {
        (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// The track of samples at 30 a second, of which the first is at `offset`; `numbers` are the local numbers of the keys of
    /// focus and aperture. Chunks have three samples.
    public static func track(_ samples: [[UInt8]], at offset: Int, numbers: (Int, Int) = (1, 2))
        -> [UInt8]
    {
        func full(_ type: String, _ content: [UInt8]) -> [UInt8] { box(type, number(0) + content) }
        func key(_ id: Int, _ name: String) -> [UInt8] {
            let parts =
                box("keyd", Array("mdtacom.apple.quicktime.\(name)-float".utf8))
                + box("dtyp", number(0) + number(23))
            return number(parts.count + 8) + number(id) + parts
        }
        let keys = box("keys", key(numbers.0, "disparity") + key(numbers.1, "aperture"))
        let entry = box("mebx", number(0, 6) + number(1, 2) + keys)
        let starts = stride(from: 0, to: samples.count, by: 3)
        let offsets = starts.map { start in samples[..<start].reduce(offset) { $0 + $1.count } }
        var runs = number(1) + number(3) + number(1)
        if samples.count % 3 != 0 {
            runs += number(offsets.count) + number(samples.count % 3) + number(1)
        }
        let table =
            full("stsd", number(1) + entry) + full("stts", number(1) + number(samples.count) + number(20))
            + full("stsc", number(runs.count / 12) + runs)
            + full("stsz", number(0) + number(samples.count) + samples.flatMap { number($0.count) })
            + full("stco", number(offsets.count) + offsets.flatMap { number($0) })
        let media =
            full("mdhd", number(0) + number(0) + number(600) + number(20 * samples.count) + number(0))
            + full("hdlr", Array("mhlrmeta".utf8) + number(0, 13)) + box("minf", box("stbl", table))
        let header = full("tkhd", number(0) + number(0) + number(9) + number(0, 68))
        return box("trak", header + box("mdia", media))
    }

    /// A sample of the track.
    public static func sample(focus: Float, fNumber: Float, numbers: (Int, Int) = (1, 2)) -> [UInt8] {
        [(numbers.0, focus), (numbers.1, fNumber)].flatMap { id, value in
            number(12) + number(id) + number(Int(value.bitPattern))
        }
    }

    /// A movie whose last box is `moov`, with such a track.
    public static func adding(_ samples: [[UInt8]], to movie: [UInt8]) -> [UInt8] {
        guard let type = movie.indices.last(where: { movie[$0...].starts(with: "moov".utf8) }) else {
            return movie
        }
        // The track has the same size wherever its samples are.
        let size = movie.count - type + 4
        let start = movie.count + track(samples, at: 0).count + 8
        let track = track(samples, at: start)
        return movie[..<(type - 4)] + number(size + track.count) + movie[type...] + track
            + box("mdat", samples.flatMap(\.self))
    }
}
