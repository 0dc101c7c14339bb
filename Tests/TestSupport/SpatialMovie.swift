/// Makes a movie one of two eyes: adds the boxes of spatial video to the only sample entry of an MP4 file whose `moov` is
/// at the end, as in ISO/IEC 14496-12 §12.1.3 and Apple's “HEVC Stereo Video”. The picture data stays as it is, so that
/// only a stand-in for a decoder finds a second layer.
public enum SpatialMovie {
    /// `movie` with `lhvC`, `vexu` (19.24 mm, the main eye is the left) and `hfov` (63.4°). `firstIsRight` exchanges the
    /// eyes; without `isLayered` there is no `lhvC`.
    public static func layered(
        _ movie: [UInt8], entry: String = "avc1", isLayered: Bool = true, firstIsRight: Bool = false
    ) -> [UInt8] {
        let added =
            (isLayered ? box("lhvC", [1, 0xF0, 0, 0xFC, 0xCF, 0]) : []) + views(flags: firstIsRight ? 11 : 3)
        return adding(added, to: entry, of: movie, before: movie.count).movie
    }

    /// `movie` of two tracks of HEVC, of which the first becomes the left eye and the second the right one, as in Leia's LVF.
    public static func pair(_ movie: [UInt8]) -> [UInt8] {
        let (right, end) = adding(views(flags: 2), to: "hvc1", of: movie, before: movie.count)
        return adding(views(flags: 1), to: "hvc1", of: right, before: end).movie
    }

    /// The eyes that the flags of `stri` name, 19.24 mm apart, and their field of view of 63.4°.
    private static func views(flags: UInt8) -> [UInt8] {
        let eyes = box("eyes", full("stri", [flags]) + box("cams", full("blin", bigEndian(19_240))))
        return box("vexu", eyes + box("proj", full("prji", Array("rect".utf8))))
            + box("hfov", bigEndian(63_400))
    }

    /// The movie with more boxes at the end of the last sample entry of a type, and where this entry begins.
    private static func adding(_ added: [UInt8], to entry: String, of movie: [UInt8], before limit: Int)
        -> (movie: [UInt8], start: Int)
    {
        guard let start = last(entry, in: movie, before: limit) else { return (movie, 0) }
        var (movie, place) = (movie, start)
        let end = place + movie.bigEndian(at: place)
        for name in [entry, "stsd", "stbl", "minf", "mdia", "trak", "moov"] {
            place = last(name, in: movie, before: place + 8) ?? place
            movie.replaceSubrange(
                place..<place + 4, with: bigEndian(movie.bigEndian(at: place) + added.count))
        }
        movie.insert(contentsOf: added, at: end)
        return (movie, start)
    }

    private static func full(_ name: String, _ content: [UInt8]) -> [UInt8] {
        box(name, [0, 0, 0, 0] + content)
    }

    /// The start of the last box of a name.
    private static func last(_ name: String, in movie: [UInt8], before end: Int) -> Int? {
        (0..<max(0, end - 7)).last { movie[($0 + 4)...].starts(with: name.utf8) }
    }
}
