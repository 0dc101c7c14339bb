import Bytes
import DepthMaps
import DepthTypes
import PhotoBuilders
import PhotoFormats
import PhotoWriting
import Scenes
import TestSupport
import Testing

import struct Foundation.Data

@Suite("HEIC with depth as lossless JPEG")
struct LosslessDepthTests {
    /// 7 × 5 samples of 16 bits, `(x²·37 + y·91 + x·y·13)·41` modulo 2¹⁶, coded by libjpeg-turbo 3.1.3 with predictor 7
    /// (imagecodecs 2026.3.6: `jpeg8_encode(image, lossless=True, predictor=7, bitspersample=16)`).
    private static let stream =
        "/9j/wwALEAAFAAcBAREA/8QAGQAAAwEBAQAAAAAAAAAAAAAADA0ODwsQ/9oACAEBAAcAAPde1jjvaGpe7VV0EvOkzFVmmukShPKgzrys6TNYGiu7T6JGqT6wNTpM5qasTxZo1GqSMxPzpM91bNj1kpFurU8ySf/Z"

    @Test("A 16-bit 'jpeg' item is decoded exactly")
    func codes() throws {
        let bytes = Array(try #require(Data(base64Encoded: Self.stream)))
        var file = DepthFile()
        file.xmp = nil
        file.plane = HEIFItem(
            type: "jpeg", payload: .mediaData(bytes),
            properties: [.imageSpatialExtents(width: 7, height: 5), try file.planeType()])
        let photo = try DepthPhoto(MemorySource(try file.heic()))
        let plane = try photo.describe().requirePlane(nil)
        #expect(plane.codec == "jpeg")
        let codes = try photo.codes(of: plane)
        #expect(codes.bitDepth == 16)
        let expected = (0..<35).map { index in
            let (x, y) = (index % 7, index / 7)
            return UInt16(truncatingIfNeeded: (x * x * 37 + y * 91 + x * y * 13) * 41)
        }
        #expect(codes.codes == .uint16(expected))
    }
}
