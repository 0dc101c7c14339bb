/// Adds the track in which a movie in Cinematic mode states the lens of each frame (QuickTime File Format, `mebx`).
public enum LensTrack {
    /// The track of samples at 30 a second, of which the first is at `offset`; `numbers` are the local numbers of the keys of
    /// focus and aperture. Chunks have three samples.
    public static func track(_ samples: [[UInt8]], at offset: Int, numbers: (Int, Int) = (1, 2))
        -> [UInt8]
    {
        func full(_ type: String, _ content: [UInt8]) -> [UInt8] { box(type, bigEndian(0) + content) }
        func key(_ id: Int, _ name: String) -> [UInt8] {
            let parts =
                box("keyd", Array("mdtacom.apple.quicktime.\(name)-float".utf8))
                + box("dtyp", bigEndian(0) + bigEndian(23))
            return bigEndian(parts.count + 8) + bigEndian(id) + parts
        }
        let keys = box("keys", key(numbers.0, "disparity") + key(numbers.1, "aperture"))
        let entry = box("mebx", bigEndian(0, 6) + bigEndian(1, 2) + keys)
        let starts = stride(from: 0, to: samples.count, by: 3)
        let offsets = starts.map { start in samples[..<start].reduce(offset) { $0 + $1.count } }
        var runs = bigEndian(1) + bigEndian(3) + bigEndian(1)
        if samples.count % 3 != 0 {
            runs += bigEndian(offsets.count) + bigEndian(samples.count % 3) + bigEndian(1)
        }
        let table =
            full("stsd", bigEndian(1) + entry)
            + full("stts", bigEndian(1) + bigEndian(samples.count) + bigEndian(20))
            + full("stsc", bigEndian(runs.count / 12) + runs)
            + full("stsz", bigEndian(0) + bigEndian(samples.count) + samples.flatMap { bigEndian($0.count) })
            + full("stco", bigEndian(offsets.count) + offsets.flatMap { bigEndian($0) })
        let media =
            full(
                "mdhd",
                bigEndian(0) + bigEndian(0) + bigEndian(600) + bigEndian(20 * samples.count) + bigEndian(0))
            + full("hdlr", Array("mhlrmeta".utf8) + bigEndian(0, 13)) + box("minf", box("stbl", table))
        let header = full("tkhd", bigEndian(0) + bigEndian(0) + bigEndian(9) + bigEndian(0, 68))
        return box("trak", header + box("mdia", media))
    }

    /// A sample of the track.
    public static func sample(focus: Float, fNumber: Float, numbers: (Int, Int) = (1, 2)) -> [UInt8] {
        [(numbers.0, focus), (numbers.1, fNumber)].flatMap { id, value in
            bigEndian(12) + bigEndian(id) + bigEndian(Int(value.bitPattern))
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
        return movie[..<(type - 4)] + bigEndian(size + track.count) + movie[type...] + track
            + box("mdat", samples.flatMap(\.self))
    }
}
