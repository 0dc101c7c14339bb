internal import Bytes
internal import Codecs
internal import DepthMaps
internal import PhotoFormats
internal import PhotoWriting

/// A plane as a single-channel JPEG stream, for the images after a photo.
struct PlaneImage {
    /// The stream.
    var jpeg: [UInt8]
    /// The coding, for people.
    var description: String

    /// Codes a plane.
    ///
    /// Without a quality, the stream decodes to exactly the plane's values. If `kept` does, it is used; otherwise baseline
    /// JPEG of quality 100 is tried, which is seldom exact, and then lossless JPEG (SOF3). Each stream is decoded to
    /// check it.
    init(_ plane: SamplePlane, quality: Int?, kept: [UInt8]?, limits: DecodingLimits) throws {
        if quality == nil, let kept,
            let stream = try Self.image(of: kept, plane, limits),
            try Self.error(of: stream, plane, limits) == 0
        {
            (jpeg, description) = (stream, "the JPEG of the source, as it was")
            return
        }
        if case .uint8(let codes) = plane.codes, plane.bitDepth == 8, plane.width <= 65_500,
            plane.height <= 65_500
        {
            let raster = Raster(width: plane.width, height: plane.height, samples: .gray8(codes))
            let stream = try bytesWritten { (descriptor) throws(WriteError) in
                try raster.writeJPEG(to: descriptor, quality: quality ?? 100)
            }
            let error = try Self.error(of: stream, plane, limits)
            if error == 0 || quality != nil {
                let exactness = error == 0 ? "exact" : "codes are off by up to \(error)"
                (jpeg, description) = (stream, "baseline JPEG of quality \(quality ?? 100), \(exactness)")
                return
            }
        }
        let stream = try Self.lossless(plane)
        guard try Self.error(of: stream, plane, limits) == 0 else {
            throw PhotoEditingError.verification("lossless JPEG gives other codes")
        }
        (jpeg, description) = (stream, "lossless JPEG (SOF3) of \(plane.bitDepth) bits, exact")
    }

    /// The first image of a stream, without trailing bytes; `nil` if it is not an image of the plane's size.
    private static func image(
        of stream: [UInt8], _ plane: SamplePlane, _ limits: DecodingLimits
    ) throws -> [UInt8]? {
        guard let end = try? JPEGLayout.endOfImage(at: 0, in: MemorySource(stream), limits: limits) else {
            return nil
        }
        return Array(stream[..<end])
    }

    /// The largest difference between the values of a plane and the decoded values of a stream.
    private static func error(of stream: [UInt8], _ plane: SamplePlane, _ limits: DecodingLimits) throws
        -> Int
    {
        let decoded = try ImageDecoder(MemorySource(stream), limits: limits)
            .codes(
                of: .jpeg(.extents([0..<stream.count])), width: plane.width, height: plane.height)
        guard decoded.bitDepth == plane.bitDepth else { return plane.maximumCode }
        if decoded.codes == plane.codes { return 0 }
        return zip(decoded.values, plane.values).reduce(0) { max($0, abs($1.0 - $1.1)) }
    }

    private static func lossless(_ plane: SamplePlane) throws(ContainerWritingError) -> [UInt8] {
        let samples = plane.codes.apply({ $0.map { UInt16($0) } }, { $0 })
        var encoder = LosslessJPEGEncoder(
            width: plane.width, height: plane.height, bitDepth: plane.bitDepth, predictor: 1,
            samples: samples)
        encoder.optimizesCode = true
        // Left, above, gradient and average: one of them is best for maps of cameras and networks.
        let costs = [1, 2, 4, 7].map { predictor in
            encoder.predictor = predictor
            return (bits: encoder.estimatedBits, predictor)
        }
        encoder.predictor = costs.min { $0.bits < $1.bits }?.1 ?? 1
        return try encoder.serialized()
    }
}

/// A plane as a PNG file.
func pngBytes(of plane: SamplePlane) throws -> [UInt8] {
    let raster = Raster(
        width: plane.width, height: plane.height,
        samples: plane.codes.apply(Raster.Samples.gray8, Raster.Samples.gray16))
    return try bytesWritten { (descriptor) throws(WriteError) in try raster.writePNG(to: descriptor) }
}
