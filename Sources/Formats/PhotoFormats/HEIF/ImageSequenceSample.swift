internal import Bytes
internal import DepthTypes

/// The first frame of an image sequence (ISO/IEC 23008-12 §7) in a file without a still picture: its track's description of
/// the frames, and the location of the first one.
struct ImageSequenceSample {
    /// The type of the sample entry, the same as of an item in this coding: `av01`, `hvc1`.
    private(set) var type: FourCharacterCode = "none"
    private(set) var width = 0
    private(set) var height = 0
    /// The boxes in the sample entry, the same as an item's properties: `av1C`, `hvcC`, `colr`.
    private(set) var properties: [Box] = []
    /// How frames are turned upright (the matrix of `tkhd`).
    private(set) var orientation = Orientation.up
    private(set) var offset = 0
    private(set) var byteCount = 0
    private var handler: FourCharacterCode = "none"

    /// Reads the first track of pictures in a `moov` box; `nil` if missing.
    static func find(
        in movie: inout ByteCursor, limits: DecodingLimits
    ) throws(ContainerError) -> ImageSequenceSample? {
        while !movie.isAtEnd {
            let header = try movie.readBoxHeader()
            var track = try movie.payload(of: header)
            guard header.type == "trak" else { continue }
            var frame = ImageSequenceSample()
            try track.forEachTrackBox(limits: limits) { (header, content) throws(ContainerError) in
                try frame.read(header.type, &content, limits: limits)
            }
            if frame.handler == "pict", frame.width > 0, frame.byteCount > 0 { return frame }
        }
        return nil
    }

    private mutating func read(
        _ type: FourCharacterCode, _ box: inout ByteCursor, limits: DecodingLimits
    ) throws(ContainerError) {
        switch type {
        case "tkhd": try readTrackHeader(&box)
        case "hdlr":
            try box.skip(8)
            handler = try box.readCode()
        case "stsd": try readDescription(&box, limits: limits)
        case "stsz":
            try box.skip(4)
            let size = try box.readUInt32()
            let count = try box.readUInt32()
            if count > 0 { byteCount = size > 0 ? size : try box.readUInt32() }
        case "stco", "co64":
            try box.skip(4)
            if try box.readUInt32() > 0 {
                offset = try box.readUnsigned(byteCount: type == "stco" ? 4 : 8)
            }
        default: break
        }
    }

    /// Reads the transformation: x′ = a·x + c·y, y′ = b·x + d·y (ISO/IEC 14496-12 §8.3.2). One that is not a rotation by
    /// quarter turns is ignored.
    private mutating func readTrackHeader(_ box: inout ByteCursor) throws(ContainerError) {
        let (version, _) = try box.readFullBoxHeader()
        try box.skip(version == 1 ? 32 : 20)
        try box.skip(16)
        var matrix: [Int] = []
        for _ in 0..<5 { matrix.append(Int(try box.read(Int32.self))) }
        let signs = matrix.map { $0.signum() }
        let turn = (a: signs[0], b: signs[3], c: signs[1], d: signs[4])
        orientation = Orientation.allCases.first { $0.matrix == turn } ?? .up
    }

    /// Reads the first sample entry (ISO/IEC 14496-12 §12.1.3).
    private mutating func readDescription(
        _ box: inout ByteCursor, limits: DecodingLimits
    ) throws(ContainerError) {
        try box.skip(8)
        let header = try box.readBoxHeader()
        var entry = try box.payload(of: header)
        type = header.type
        try entry.skip(24)
        (width, height) = (try entry.readUInt16(), try entry.readUInt16())
        try entry.skip(50)
        while !entry.isAtEnd {
            let box = try entry.readBox()
            try limits.check(.properties, properties.count + 1, at: entry.offset, in: entry.path)
            properties.append(box)
        }
    }
}
