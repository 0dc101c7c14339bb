package import Bytes
internal import DepthTypes

/// What the `moov` box of an MP4 or QuickTime movie declares and FFmpeg does not pass on: kinds of tracks, and their boxes for
/// spatial video. No sample is read.
package struct MovieStructure: Sendable {
    /// The tracks, in the order of the file.
    private(set) var tracks: [MovieTrack] = []
    /// The names of the movie's metadata, such as `com.apple.quicktime.make`.
    private(set) var keys: Set<String> = []

    /// No tracks.
    init() {}

    /// Reads the boxes of a movie. A file of another kind, and one without `moov`, has no tracks.
    ///
    /// Throws ``ContainerError`` if a box is damaged or larger than the limits.
    package init(of file: any ByteSource, limits: DecodingLimits) throws(ContainerError) {
        guard let box = try Self.movieBox(in: file, limits: limits) else { return }
        try limits.check(.metadataBytes, box.count, at: box.lowerBound, in: Self.path)
        let bytes = try file.read(box)
        var movie = ByteCursor(bytes.span, base: box.lowerBound, path: Self.path)
        while !movie.isAtEnd {
            let header = try movie.readBoxHeader()
            var content = try movie.payload(of: header)
            switch header.type {
            case "trak":
                try limits.check(.items, tracks.count + 1, at: header.offset, in: Self.path)
                tracks.append(try MovieTrack(&content, limits: limits))
            case "meta": try readMetadata(&content, limits: limits)
            default: break
            }
        }
    }

    private static let path = StructurePath().appending("moov")

    /// The payload of `moov`, which is behind the samples in files of cameras.
    private static func movieBox(
        in file: any ByteSource, limits: DecodingLimits
    ) throws(ContainerError) -> Range<Int>? {
        var offset = 0
        for _ in 0..<limits[.items] {
            let start = try file.readPrefix(at: offset, count: BoxHeader.mostBytes)
            guard start.count >= 8 else { return nil }
            var cursor = ByteCursor(start.span, base: offset)
            guard let header = try? cursor.readBoxHeader() else { return nil }
            let left = file.byteCount - offset
            let size = header.size ?? left
            guard size <= left else { return nil }
            if header.type == "moov" { return offset + header.headerSize..<offset + size }
            offset += size
        }
        return nil
    }

    /// Reads the names in `keys`: QuickTime's `meta` is a box, that of ISO/IEC 14496-12 §8.11.1 a FullBox.
    private mutating func readMetadata(
        _ box: inout ByteCursor, limits: DecodingLimits
    ) throws(ContainerError) {
        guard box.remaining >= 8 else { return }
        let start = box.position
        if try box.readUInt32() != 0 { try box.seek(to: start) }
        while !box.isAtEnd {
            let header = try box.readBoxHeader()
            var content = try box.payload(of: header)
            guard header.type == "keys" else { continue }
            try content.skip(4)
            let count = try content.readUInt32()
            try limits.check(.items, count, at: content.offset, in: content.path)
            for _ in 0..<count {
                let size = try content.readUInt32()
                guard size >= 8 else {
                    throw content.malformed("a key declares \(size) bytes, fewer than its header of 8")
                }
                var key = try content.child(byteCount: size - 4)
                try key.skip(4)
                keys.insert(String(decoding: try key.readRemainingBytes(), as: UTF8.self))
            }
        }
    }
}

extension MovieStructure {
    /// The depth track of a movie in Cinematic mode; `nil` without one.
    var depthTrack: MovieTrack? { tracks.first { $0.holdsDepth } }

    /// The first track with a kind of matte; `nil` without one.
    func matteTrack(_ kind: PlaneKind) -> MovieTrack? { tracks.first { $0.matteKind == kind } }

    /// The numbers of all tracks that belong to others.
    var auxiliaryNumbers: [Int] { tracks.filter(\.isAuxiliary).map(\.number) }

    /// Whether the movie was recorded in Cinematic mode. Rendered copies say so, too.
    var saysCinematic: Bool { keys.contains("com.apple.quicktime.cinematic-video") }

    var spatialTrack: MovieTrack? { tracks.first { $0.eyes != nil } }

    /// The track of the right eye in a movie with one track for each eye; `nil` for others.
    var rightEyeTrack: MovieTrack? {
        guard let first = spatialTrack, first.hasLeft != first.hasRight else { return nil }
        return tracks.first { $0.eyes != nil && $0.number != first.number && $0.hasRight != first.hasRight }
    }
}
