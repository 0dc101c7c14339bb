package import Bytes
internal import CMovieShims
internal import DepthMaps
internal import DepthTypes
package import Scenes

/// Frames from pipes: y4m, or samples without a header; color, depth or both.
///
/// Depth follows the color of each frame in the same stream, or comes in a separate stream.
package final class PipeSource: SceneSequence, @unchecked Sendable {
    private enum ColorLayout {
        case y4m(Y4MHeader)
        case raw(RawPixels<RawColorFormat>)
    }

    package let description: SceneDescription
    package let extent: SequenceExtent
    package private(set) var diagnostics: [Diagnostic] = []
    private let reader: StreamReader
    private let depthReader: StreamReader
    private let color: ColorLayout?
    private let depth: RawPixels<RawDepthFormat>?
    private let unitsPerMeter: Double?
    private let rate: Double
    private var colorBytes: [UInt8] = []
    private var depthBytes: [UInt8] = []
    private var index = -1

    /// Reads y4m, or samples without a header in the form of `color`.
    ///
    /// Depth without a path follows each frame's color in the same stream. Without color, the stream has only depth. `rate`
    /// is for streams that do not declare one. Of `reading`, the scale and the camera are used.
    package init(
        _ reader: StreamReader, color: RawPixels<RawColorFormat>? = nil,
        depth: RawPixels<RawDepthFormat>? = nil, rate: Double? = nil,
        reading: ReadingOptions = ReadingOptions(), limits: DecodingLimits
    ) throws {
        self.reader = reader
        depthReader = try depth?.path.map(StreamReader.init(path:)) ?? reader
        (self.depth, unitsPerMeter) = (depth, reading.scale)
        var (description, extent) = (SceneDescription(), SequenceExtent("raw video"))
        var ownRate: Double?
        if let color {
            _ = try limits.pixelCount(width: color.width, height: color.height)
            self.color = .raw(color)
            description.colorSize = PixelSize(width: color.width, height: color.height)
            colorBytes = [UInt8](
                repeating: 0, count: color.format.byteCount(width: color.width, height: color.height))
        } else if depth == nil || depth?.path != nil {
            // Other data may have no line end, so the mark is checked first.
            let start = try reader.peek(Y4MHeader.mark.count)
            guard !start.isEmpty else { throw ContainerError(.unrecognized(detail: "the stream is empty")) }
            guard start == Y4MHeader.mark else { throw Y4MHeader.notRecognized }
            let line = try reader.readLine(atMost: Y4MHeader.mostBytes) ?? []
            let header = try Y4MHeader(parsing: line, limits: limits)
            self.color = .y4m(header)
            extent.title = "y4m"
            ownRate = header.rate
            let size = PixelSize(width: header.width, height: header.height)
            if header.layout == .gray16 {
                description.setFrameDepth(size, .unitless, unitsPerMeter: nil)
            } else {
                description.colorSize = size
            }
            colorBytes = [UInt8](repeating: 0, count: header.frameBytes)
        } else {
            self.color = nil
        }
        if let depth {
            let count = try limits.pixelCount(width: depth.width, height: depth.height)
            depthBytes = [UInt8](repeating: 0, count: count * depth.format.sampleBytes)
            let scale: DepthScale =
                reading.scale != nil ? .absolute : depth.format == .grayf32le ? .unknown : .unitless
            description.setFrameDepth(
                PixelSize(width: depth.width, height: depth.height), scale, unitsPerMeter: reading.scale)
        }
        if let size = description.depth?.size {
            description.cameras.given = try reading.calibration(for: size, limits: limits)
        }
        self.rate = rate ?? ownRate ?? 30
        extent.rate = self.rate
        (self.description, self.extent) = (description, extent)
        if rate == nil, ownRate == nil {
            diagnostics.append(
                Diagnostic(.note, "assumed-rate", "the stream gives no rate; 30 frames a second are assumed"))
        }
    }

    package func advance() throws -> Double? {
        if color != nil, try !readColor() {
            noteSurplusDepth()
            return nil
        }
        if depth != nil {
            let got = try depthReader.read(into: &depthBytes)
            if got == 0, color != nil { note("the depth ends after \(index + 1) frames, before the color") }
            guard got == depthBytes.count else { return endOfStream(got) }
        }
        index += 1
        return Double(index) / rate
    }

    /// Reads the bytes of a frame's color. Returns `false` at the end.
    private func readColor() throws -> Bool {
        if case .y4m = color {
            guard let line = try reader.readLine(atMost: Y4MHeader.mostBytes) else { return false }
            guard line.starts(with: "FRAME".utf8) else {
                let rule = "frame \(index + 1) of y4m does not begin with FRAME"
                guard index >= 0 else { throw ContainerError(.malformed(rule: rule)) }
                note(
                    (line.starts(with: Y4MHeader.mark) ? "another stream follows frame \(index)" : rule)
                        + "; the frames before it are used")
                return false
            }
        }
        let got = try reader.read(into: &colorBytes)
        if got == colorBytes.count { return true }
        if case .y4m = color { noteEndInFrame() } else { _ = endOfStream(got) }
        return false
    }

    /// Reports a stream that ends within a frame, after `got` bytes of it.
    private func endOfStream(_ got: Int) -> Double? {
        if got > 0 { noteEndInFrame() }
        return nil
    }

    private func noteEndInFrame() {
        note("the stream ends in the middle of frame \(index + 1); the frames before it are used")
    }

    /// Reports depth that remains after the color has ended. Does not wait if the pipe has no bytes at the moment.
    private func noteSurplusDepth() {
        guard depth != nil, depthReader !== reader, diagnostics.allSatisfy({ $0.code != "cut-off" }),
            depthReader.hasBytes
        else { return }
        note("the color ends after \(index + 1) frames, before the depth")
    }

    private func note(_ loss: String) {
        guard !Interruption.isRequested else { return }
        diagnostics.append(Diagnostic(.warning, "cut-off", loss))
    }

    package func describe() -> SceneDescription {
        var description = description
        (description.index, description.time) = (index, Double(index) / rate)
        return description
    }

    package func begin(_ planes: Set<PlaneID>, into frame: inout FramePlanes) {
        if let color, planes.contains(.picture), description.colorSize != nil {
            readColor(color, into: &frame.color)
        }
        guard planes.contains(.depth), let size = description.depth?.size else { return }
        if let depth {
            frame.counts = Self.readDepth(depthBytes, depth.format, unitsPerMeter, size, into: &frame.depth)
        } else {
            frame.counts = Self.readDepth(colorBytes, .gray16le, nil, size, into: &frame.depth)
        }
    }

    private func readColor(_ color: ColorLayout, into output: inout FramePlane<RGB<UInt8>>) {
        switch color {
        case .raw(let raw):
            switch raw.format {
            case .rgb24: Self.copy(colorBytes, raw.width, raw.height, into: &output)
            case .yuv420p:
                YUVPlanes(colorBytes, .yuv420, YUVEncoding(), raw.width, raw.height).decode(into: &output)
            case .nv12:
                YUVPlanes(colorBytes, .nv12, YUVEncoding(), raw.width, raw.height).decode(into: &output)
            }
        case .y4m(let header):
            let layout: YUVPlanes.Layout =
                switch header.layout {
                case .yuv420: .yuv420
                case .yuv422: .yuv422
                case .yuv444: .yuv444
                case .gray, .gray16: .gray
                }
            YUVPlanes(
                colorBytes, layout, YUVEncoding(isFullRange: header.isFullRange), header.width, header.height
            ).decode(into: &output)
        }
    }

    private static func copy(
        _ bytes: [UInt8], _ width: Int, _ height: Int, into output: inout FramePlane<RGB<UInt8>>
    ) {
        output.overwrite(width: width, height: height, fill: .black) { pixels in
            // SAFETY: both have three bytes per pixel.
            unsafe pixels.withUnsafeMutableBytes { target in
                unsafe bytes.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
            }
        }
    }

    /// Converts samples to distances, meters if the unit is known, and counts them.
    static func readDepth(
        _ bytes: [UInt8], _ format: RawDepthFormat, _ unitsPerMeter: Double?, _ size: PixelSize,
        into output: inout FramePlane<Float>
    ) -> SampleCounts {
        var counts = SampleCounts()
        precondition(bytes.count >= size.width * size.height * format.sampleBytes)
        output.overwrite(width: size.width, height: size.height, fill: .nan) { samples in
            switch format {
            case .gray16le: convert(integers: bytes, to: &samples)
            case .grayf32le: convert(floats: bytes, to: &samples)
            }
            counts = SampleRule(.depth, bits: format == .gray16le ? 16 : nil)
                .convert(&samples, dividingBy: Float(unitsPerMeter ?? 1))
        }
        return counts
    }

    // Pointers on both sides let compilers vectorize these loops, which reduces the time to a third.

    private static func convert(integers bytes: [UInt8], to samples: inout MutableSpan<Float>) {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe samples.withUnsafeMutableBufferPointer { samples in
                for index in 0..<samples.count {
                    // SAFETY: the bytes have enough samples, as the caller checked.
                    let code = unsafe UInt16(
                        littleEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))
                    unsafe samples[index] = Float(code)
                }
            }
        }
    }

    private static func convert(floats bytes: [UInt8], to samples: inout MutableSpan<Float>) {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe samples.withUnsafeMutableBufferPointer { samples in
                for index in 0..<samples.count {
                    // SAFETY: as above.
                    let bits = unsafe UInt32(
                        littleEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
                    unsafe samples[index] = Float(bitPattern: bits)
                }
            }
        }
    }
}
