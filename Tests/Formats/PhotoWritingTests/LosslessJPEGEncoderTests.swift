import PhotoWriting
import Testing

@Suite("Writing lossless JPEG")
struct LosslessJPEGEncoderTests {
    @Test("Headers and entropy-coded data match hand-made bytes")
    func bytes() throws {
        let image = LosslessJPEGEncoder(
            width: 2, height: 2, bitDepth: 16, predictor: 7, samples: [32769, 32767, 0, 49152])
        let bytes = try image.serialized()
        #expect(bytes.prefix(15) == [0xFF, 0xD8, 0xFF, 0xC3, 0, 11, 16, 0, 2, 0, 2, 1, 1, 0x11, 0])
        // Differences: 1 to 32768, −2 to the left, −32769 = 32767 modulo 2¹⁶ to above, and 49152 − (0 + 32767) / 2 = 32769
        // = −32767. Codes: 0001 1, 0010 01, 11101 111111111111111, 11101 000000000000000, then ones.
        // 00011001 00111101 11111111 11111111 11010000 00000000 00011111; a zero follows each FF.
        #expect(
            Array(bytes.suffix(11)) == [0x19, 0x3D, 0xFF, 0, 0xFF, 0, 0xD0, 0, 0x1F, 0xFF, 0xD9])
    }

    @Test("Lossless JPEG parameters out of range are refused")
    func refused() {
        let image = LosslessJPEGEncoder(width: 2, height: 1, bitDepth: 16, predictor: 8, samples: [0, 0])
        #expect(throws: ContainerWritingError.self) { try image.serialized() }
        let short = LosslessJPEGEncoder(width: 2, height: 2, bitDepth: 16, predictor: 1, samples: [0, 0])
        #expect(throws: ContainerWritingError.self) { try short.serialized() }
    }
}
