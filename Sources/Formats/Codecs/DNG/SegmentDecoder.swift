internal import Bytes
internal import CCodecShims
internal import DepthMaps
internal import PhotoFormats

extension ImageDecoder {
    /// Assembles the strips or tiles of a plane.
    func decodeSegments(_ image: SegmentedImage, width: Int, height: Int) throws(ContainerError)
        -> SamplePlane
    {
        guard (image.width, image.height) == (width, height) else {
            throw ContainerError(
                .malformed(
                    rule: "the plane has \(image.width) × \(image.height) samples and was declared as "
                        + "\(width) × \(height)"))
        }
        if image.bitDepth == 8 {
            let samples: [UInt8] = try assemble(image)
            return SamplePlane(width: width, height: height, bitDepth: 8, codes: .uint8(samples))
        }
        let samples: [UInt16] = try assemble(image)
        return SamplePlane(width: width, height: height, bitDepth: 16, codes: .uint16(samples))
    }

    private func assemble<Sample: FixedWidthInteger>(
        _ image: SegmentedImage
    ) throws(ContainerError) -> [Sample] {
        let count = try limits.pixelCount(width: image.width, height: image.height)
        // Deflate compresses at most 1,032 to 1, JPEG 512 to 1 here; no memory is allocated for samples that cannot be
        // present.
        let coded = image.segments.reduce(0) { $0 + $1.count }
        guard count / 2048 <= coded else {
            throw ContainerError(
                .truncated(needed: count / 2048, available: coded), at: image.segments.first?.lowerBound ?? 0)
        }
        // Memory for the samples, a second copy if they are rotated, and a strip or tile as bytes and as samples.
        let segment = try limits.pixelCount(width: image.segmentWidth, height: image.segmentHeight)
        try limits.checkMemory(
            pixels: max(count, segment), bytesPerPixel: 5 * MemoryLayout<Sample>.stride, other: coded,
            at: image.segments.first?.lowerBound ?? 0)
        if image.compression == .deflate {
            // Tiles may be larger than the image.
            let size = segment.multipliedReportingOverflow(by: image.segments.count * image.bitDepth / 8)
            try UnpackedBytes(ofFile: source.byteCount, limits).count(
                size.overflow ? .max : size.partialValue, at: image.segments.first?.lowerBound)
        }
        var output = [Sample](repeating: 0, count: count)
        let columns = (image.width + image.segmentWidth - 1) / image.segmentWidth
        for (index, range) in image.segments.enumerated() {
            let (left, top) = (index % columns * image.segmentWidth, index / columns * image.segmentHeight)
            let (width, height) = (
                min(image.segmentWidth, image.width - left), min(image.segmentHeight, image.height - top)
            )
            let storedHeight = image.isTiled ? image.segmentHeight : height
            let samples: [Sample] = try decode(range, of: image, height: storedHeight)
            for row in 0..<height {
                let (from, to) = (row * image.segmentWidth, (top + row) * image.width + left)
                output.replaceSubrange(to..<to + width, with: samples[from..<from + width])
            }
        }
        return output
    }

    /// The samples of one segment, with the segments' width and `height` rows.
    private func decode<Sample: FixedWidthInteger>(
        _ range: Range<Int>, of image: SegmentedImage, height: Int
    ) throws(ContainerError) -> [Sample] {
        let count = image.segmentWidth * height
        let path = StructurePath("TIFF")
        if image.compression == .jpeg { return try decodeJPEGSegment(range, of: image, height: height) }
        let byteCount = count * image.bitDepth / 8
        var bytes = try source.read(range)
        if image.compression == .deflate {
            var samples = [UInt8](repeating: 0, count: byteCount)
            try inflate(bytes, as: .zlib, into: &samples, at: range.lowerBound, in: path)
            bytes = samples
        }
        guard bytes.count >= byteCount else {
            throw ContainerError(
                .truncated(needed: byteCount, available: bytes.count), at: range.lowerBound, in: path)
        }
        var samples = [Sample](repeating: 0, count: count)
        for index in samples.indices {
            if image.bitDepth == 8 {
                samples[index] = Sample(truncatingIfNeeded: bytes[index])
            } else {
                let (first, second) = (UInt16(bytes[2 * index]), UInt16(bytes[2 * index + 1]))
                samples[index] = Sample(
                    truncatingIfNeeded: image.byteOrder == .bigEndian
                        ? first << 8 | second : second << 8 | first)
            }
        }
        guard image.isPredicted else { return samples }
        for row in 0..<height {
            for index in row * image.segmentWidth + 1..<(row + 1) * image.segmentWidth {
                samples[index] &+= samples[index - 1]
            }
        }
        return samples
    }

    /// Decodes a JPEG stream. A lossless one may store a row as the channels of fewer pixels, as in DNG.
    private func decodeJPEGSegment<Sample: FixedWidthInteger>(
        _ range: Range<Int>, of image: SegmentedImage, height: Int
    ) throws(ContainerError) -> [Sample] {
        let data = try bytes(of: [range])
        guard LosslessJPEG.isLossless(data) else {
            guard image.bitDepth == 8 else {
                throw ContainerError(.unsupported(feature: "JPEG of more than 8 bits"), at: range.lowerBound)
            }
            let plane = try decodeJPEG(.extents([range]), width: image.segmentWidth, height: height)
            guard case .uint8(let samples) = plane.codes else { return [] }
            return samples.map { Sample(truncatingIfNeeded: $0) }
        }
        let lossless = try LosslessJPEG(parsing: data, at: range.lowerBound, limits: limits)
        guard lossless.width * lossless.components == image.segmentWidth, lossless.height == height,
            lossless.bitDepth <= image.bitDepth
        else {
            throw ContainerError(
                .damaged(
                    detail: "strip or tile has \(lossless.width * lossless.components) × \(lossless.height) "
                        + "samples of \(lossless.bitDepth) bits, not \(image.segmentWidth) × \(height) of "
                        + "\(image.bitDepth)"), at: range.lowerBound,
                in: StructurePath("JPEG"))
        }
        return try lossless.decode().map { Sample(truncatingIfNeeded: $0) }
    }
}
