/// Samples of one channel and up to 16 bits, row by row without padding.
struct DeepRaster {
    var width: Int
    var height: Int
    var bitDepth: Int
    var samples: [UInt16]

    /// The samples as bytes, the more significant one first.
    var bigEndianBytes: [UInt8] {
        samples.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }
}

extension Render {
    /// As ``plane(width:height:_:)``, with codes of `bitDepth` bits.
    static func deepPlane(
        width: Int, height: Int, bitDepth: Int, _ value: (Ray) -> Double
    ) -> DeepRaster {
        let (scaleX, scaleY) = (
            Double(Camera.width) / Double(width), Double(Camera.height) / Double(height)
        )
        let top = Double(1 << bitDepth - 1)
        var samples: [UInt16] = []
        for y in 0..<height {
            for x in 0..<width {
                let ray = Camera.ray((Double(x) + 0.5) * scaleX, (Double(y) + 0.5) * scaleY)
                samples.append(UInt16((min(max(value(ray), 0), 1) * top).rounded()))
            }
        }
        return DeepRaster(width: width, height: height, bitDepth: bitDepth, samples: samples)
    }
}
