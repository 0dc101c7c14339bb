import ByteParsing
import EmbeddedFormats
import Movies

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
    ]

    private static let lzfseSeeds: [[UInt8]] = [
        "YnZ4bsgAAACVAAAAaAFB8UZCRkPgAkRERUVFRkZHR0hJSUpKS0xMTQAbyBJDREXxABBADUFQC0ZGTQAXgCNJSggUSB1J5kRGSElLTQAZSAdHAA6YBkpM"
            + "TkEIEuVJS0FDRQgLMAXnQ0ZIS0FERwAqWAlFWAhBIASAGEhL5UxCRklNCA/lRUlNQ0cAEgAO60hMQ0dLQkZKQUVJBgAAAAAAAABidngk",
        "YnZ4LSgAAAB1zSVLhOLq8qaBIGdDNLJuS+KZVHN2f/HMdZmNHqvO25c5ZW7KmMNxYnZ4JA==",
    ].compactMap { decodeBase64($0) }
}
