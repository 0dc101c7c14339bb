import Bytes
import DepthTypes
import Embedded
import Glibc
import Networks
import Scenes

@testable import Movies

extension Target {
    /// What recordings compress depth with, and what pipes begin with.
    static let streams: [Target] = [
        Target(name: "lzfse") { bytes in
            var decoder = LZFSEDecoder()
            var output: [UInt8] = []
            try? decoder.decode(bytes, atMost: 1 << 20, into: &output)
            guard output.count <= 1 << 20 else { fatalError("more bytes than allowed") }
        } seeds: { file in
            // Two streams of the reference encoder: LZVN, and bytes as they are.
            file.name == "portrait.heic" ? lzfseSeeds : []
        },
        Target(name: "y4m") { bytes in
            guard let header = try? Y4MHeader(parsing: bytes, limits: DecodingLimits()) else { return }
            guard header.width > 0, header.height > 0, header.frameBytes >= header.width * header.height
            else {
                fatalError("a header without a size")
            }
        } seeds: { file in
            file.name == "portrait.heic"
                ? [Array("YUV4MPEG2 W640 H480 F30:1 Ip A1:1 C420jpeg XCOLORRANGE=FULL".utf8)] : []
        },
        Target(name: "pipe") { bytes in
            // The first byte says how the rest is read.
            guard let kind = bytes.first, let file = unsafe tmpfile() else { return }
            defer { unsafe fclose(file) }
            guard unsafe fwrite(Array(bytes.dropFirst()), 1, bytes.count - 1, file) == bytes.count - 1 else {
                return
            }
            unsafe rewind(file)
            var limits = DecodingLimits()
            limits[.pixels] = 65_536
            try? readFrames(StreamReader(descriptor: unsafe fileno(file)), kind, limits)
        } seeds: { file in
            guard file.name == "portrait.heic" else { return [] }
            let frame = Array("FRAME\n".utf8) + [UInt8](repeating: 90, count: 8 * 6 * 3 / 2)
            let stream = Array("YUV4MPEG2 W8 H6 F30:1 Ip A1:1 C420jpeg\n".utf8) + frame + frame
            let depth = [UInt8](repeating: 3, count: 8 * 6 * 2)
            return [
                [0] + stream, [1] + stream, [2] + depth + depth,
                [3] + [UInt8](repeating: 7, count: 8 * 6 * 5),
            ]
        },
        Target(name: "movie-extent") { bytes in
            let extent = MovieExtent(of: MemorySource(bytes))
            guard extent.frames ?? 0 >= 0, extent.cut?.isEmpty != true else {
                fatalError("a cut without a reason")
            }
        } seeds: { file in
            guard file.name == "portrait.heic" else { return [] }
            let png: [UInt8] =
                [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 8] + Array("acTL".utf8)
            let gif =
                Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2C, 0, 0, 0, 0]
            return [
                file.bytes,
                png + [0, 0, 0, 2, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0] + Array("IEND".utf8) + [1, 2, 3, 4],
                gif + [1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B],
                [0x1A, 0x45, 0xDF, 0xA3, 0x80, 0x18, 0x53, 0x80, 0x67, 0x82, 0, 0],
                Array("RIFF".utf8) + [12, 0, 0, 0] + Array("AVI LIST".utf8) + [0, 0, 0, 0],
            ]
        },
        Target(name: "movie-boxes") { bytes in
            let file = MemorySource(bytes)
            guard let structure = try? MovieStructure(of: file, limits: DecodingLimits()) else { return }
            guard let lens = try? LensMetadata(structure, in: file, limits: DecodingLimits()) else { return }
            for time in [0, 0.5, 1e9] {
                let found = try? lens.lens(at: time)
                guard found?.fNumber ?? 1 > 0, found?.focusDisparity?.isFinite ?? true else {
                    fatalError("a lens that cannot be")
                }
            }
        } seeds: { file in
            file.name == "portrait.heic" ? [movieSeed] : []
        },
        Target(name: "onnx") { bytes in
            guard let model = try? NetworkModel(parsing: bytes, limits: DecodingLimits()) else { return }
            guard model.byteCount == bytes.count, model.checksum.count == 64 else {
                fatalError("a network without a checksum")
            }
        } seeds: { file in
            file.name == "portrait.heic" ? [onnxSeed] : []
        },
    ]

    /// Reads all frames of a stream: y4m, alone or with depth behind each frame, depth, or color with depth.
    private static func readFrames(_ reader: StreamReader, _ kind: UInt8, _ limits: DecodingLimits) throws {
        let depth = RawPixels<RawDepthFormat>(
            kind & 4 == 0 ? .gray16le : .grayf32le, width: 8, height: 6)
        let color = RawPixels<RawColorFormat>(
            kind & 8 == 0 ? .rgb24 : kind & 16 == 0 ? .yuv420p : .nv12, width: 8, height: 6)
        var reading = ReadingOptions()
        reading.scale = 1000
        let source = try PipeSource(
            reader, color: kind & 3 == 3 ? color : nil, depth: kind & 3 >= 2 ? depth : nil, reading: reading,
            limits: limits)
        var frame = FramePlanes()
        while let time = try source.advance() {
            guard time >= 0, time <= FrameTimes.longest else { fatalError("a time of \(time) s") }
            frame.clear()
            source.begin(.measured, into: &frame)
        }
    }

    /// A network that returns its input, with a constant and a key of metadata.
    private static let onnxSeed: [UInt8] =
        [8, 8, 0x3A, 61] + [0x0A, 16, 0x0A, 1, 0x78, 0x12, 1, 0x79, 0x22, 8] + Array("Identity".utf8)
        + [0x2A, 13, 8, 1, 0x10, 1, 0x42, 1, 0x77, 0x4A, 4, 0, 0, 0] + [
            0, 0x5A, 11, 0x0A, 1, 0x78, 0x12, 6, 0x0A, 4,
        ]
        + [8, 1, 0x12, 0, 0x62, 13, 0x0A, 1, 0x79, 0x12, 8, 0x0A, 6, 8, 1, 0x12, 2, 0x0A, 0]
        + [0x42, 2, 0x10, 13, 0x72, 6, 0x0A, 1, 0x6B, 0x12, 1, 0x76]

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let size = content.count + 8
        return [0, 0, UInt8(size >> 8), UInt8(size & 255)] + Array(type.utf8) + content
    }

    private static func track(_ number: UInt8, _ handler: String, _ table: [UInt8], tag: String? = nil)
        -> [UInt8]
    {
        let head =
            box("tkhd", [UInt8](repeating: 0, count: 15) + [number] + [UInt8](repeating: 0, count: 8))
        let media =
            box("mdhd", [UInt8](repeating: 0, count: 14) + [2, 88, 0, 0, 0, 40, 0, 0, 0, 0])
            + box(
                "hdlr",
                [UInt8](repeating: 0, count: 8) + Array(handler.utf8) + [UInt8](repeating: 0, count: 13))
            + box("minf", box("stbl", table))
        let user = tag.map { box("udta", box("tagc", Array($0.utf8))) } ?? []
        return box("trak", head + box("mdia", media) + user)
    }

    /// Two eyes in layers, depth in Cinematic mode with its lens, and a matte, without their pictures.
    private static let movieSeed: [UInt8] = {
        func entry(_ type: String, _ boxes: [UInt8]) -> [UInt8] {
            box("stsd", [0, 0, 0, 0, 0, 0, 0, 1] + box(type, [UInt8](repeating: 0, count: 78) + boxes))
        }
        let eyes =
            box("stri", [0, 0, 0, 0, 3]) + box("hero", [0, 0, 0, 0, 1])
            + box("cams", box("blin", [0, 0, 0, 0, 0, 0, 75, 40]))
            + box("cmfy", box("dadj", [0, 0, 0, 0, 0, 0, 0, 200]))
        let views =
            box("vexu", box("eyes", eyes) + box("proj", box("prji", [0, 0, 0, 0] + Array("rect".utf8))))
            + box("hfov", [0, 0, 247, 168]) + box("lhvC", [1])
        func key(_ number: UInt8, _ name: String) -> [UInt8] {
            let parts =
                box("keyd", Array("mdtacom.apple.quicktime.\(name)-float".utf8))
                + box("dtyp", [0, 0, 0, 0, 0, 0, 0, 23])
            return [0, 0, 0, UInt8(parts.count + 8), 0, 0, 0, number] + parts
        }
        let lens =
            box(
                "stsd",
                [0, 0, 0, 0, 0, 0, 0, 1]
                    + box(
                        "mebx",
                        [0, 0, 0, 0, 0, 0, 0, 1] + box("keys", key(1, "disparity") + key(2, "aperture"))))
            + box("stts", [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 20])
            + box("stsc", [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1])
            + box("stsz", [0, 0, 0, 0, 0, 0, 0, 24, 0, 0, 0, 2])
            + box("stco", [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 8])
        let sample: [UInt8] = [0, 0, 0, 12, 0, 0, 0, 1, 63, 0, 0, 0, 0, 0, 0, 12, 0, 0, 0, 2, 64, 0, 0, 0]
        return box("mdat", sample + sample)
            + box(
                "moov",
                track(1, "vide", entry("hvc1", views)) + track(2, "auxv", entry("dish", []))
                    + track(3, "meta", lens)
                    + track(4, "auxv", entry("hvc1", []), tag: "com.apple.quicktime.video-map.person"))
    }()

    private static let lzfseSeeds: [[UInt8]] = [
        "YnZ4bsgAAACVAAAAaAFB8UZCRkPgAkRERUVFRkZHR0hJSUpKS0xMTQAbyBJDREXxABBADUFQC0ZGTQAXgCNJSggUSB1J5kRGSElLTQAZSAdHAA6YBkpM"
            + "TkEIEuVJS0FDRQgLMAXnQ0ZIS0FERwAqWAlFWAhBIASAGEhL5UxCRklNCA/lRUlNQ0cAEgAO60hMQ0dLQkZKQUVJBgAAAAAAAABidngk",
        "YnZ4LSgAAAB1zSVLhOLq8qaBIGdDNLJuS+KZVHN2f/HMdZmNHqvO25c5ZW7KmMNxYnZ4JA==",
    ].compactMap { decodeBase64($0) }
}
