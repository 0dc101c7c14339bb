import ByteParsing
import EmbeddedFormats
import Movies
import Networks

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
        Target(name: "onnx") { bytes in
            guard let model = try? NetworkModel(parsing: bytes, limits: DecodingLimits()) else { return }
            guard model.byteCount == bytes.count, model.checksum.count == 64 else {
                fatalError("a network without a checksum")
            }
        } seeds: { file in
            file.name == "portrait.heic" ? [onnxSeed] : []
        },
    ]

    /// A network that returns its input, with a constant and a key of metadata.
    private static let onnxSeed: [UInt8] =
        [8, 8, 0x3A, 61] + [0x0A, 16, 0x0A, 1, 0x78, 0x12, 1, 0x79, 0x22, 8] + Array("Identity".utf8)
        + [0x2A, 13, 8, 1, 0x10, 1, 0x42, 1, 0x77, 0x4A, 4, 0, 0, 0] + [
            0, 0x5A, 11, 0x0A, 1, 0x78, 0x12, 6, 0x0A, 4,
        ]
        + [8, 1, 0x12, 0, 0x62, 13, 0x0A, 1, 0x79, 0x12, 8, 0x0A, 6, 8, 1, 0x12, 2, 0x0A, 0]
        + [0x42, 2, 0x10, 13, 0x72, 6, 0x0A, 1, 0x6B, 0x12, 1, 0x76]

    private static let lzfseSeeds: [[UInt8]] = [
        "YnZ4bsgAAACVAAAAaAFB8UZCRkPgAkRERUVFRkZHR0hJSUpKS0xMTQAbyBJDREXxABBADUFQC0ZGTQAXgCNJSggUSB1J5kRGSElLTQAZSAdHAA6YBkpM"
            + "TkEIEuVJS0FDRQgLMAXnQ0ZIS0FERwAqWAlFWAhBIASAGEhL5UxCRklNCA/lRUlNQ0cAEgAO60hMQ0dLQkZKQUVJBgAAAAAAAABidngk",
        "YnZ4LSgAAAB1zSVLhOLq8qaBIGdDNLJuS+KZVHN2f/HMdZmNHqvO25c5ZW7KmMNxYnZ4JA==",
    ].compactMap { decodeBase64($0) }
}
