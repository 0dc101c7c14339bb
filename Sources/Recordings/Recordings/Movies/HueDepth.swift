internal import Bytes
internal import DepthMaps
internal import DepthTypes
internal import Embedded
internal import Scenes

/// Record3D's movies: the left half of each frame is depth as a hue, the right half the picture.
///
/// Depth is near + hue · (far − near), hue 0…1, 0 to 3 m unless the file states a range. Red is beyond the range, or unknown.
/// `{"intrinsicMatrix": […], "rangeOfEncodedDepth": [near, far]}`, the matrix column by column and for one half, is near the
/// end of the file, or in its comment.
struct HueDepth: Sendable {
    /// The camera of a half.
    let intrinsics: Intrinsics?
    /// Distances of hue 0 and 1, in meters.
    let range: ClosedRange<Float>

    /// How far before the end of the file its description is searched.
    private static let searched = 1 << 16

    /// `nil` for a movie without such a description.
    init?(ofMovie file: any ByteSource, limits: DecodingLimits) throws(ContainerError) {
        let start = max(0, file.byteCount - Self.searched)
        self.init(
            describedIn: try file.readPrefix(at: start, count: Self.searched), at: start, limits: limits)
    }

    /// `nil` if bytes from `start` in a file have no such description.
    init?(describedIn bytes: [UInt8], at start: Int = 0, limits: DecodingLimits) {
        let mark = Array(#"{"intrinsicMatrix""#.utf8)
        guard let first = bytes.lastIndex(of: mark, before: bytes.count),
            let end = bytes[first...].firstIndex(of: UInt8(ascii: "}")),
            let json = try? JSONValue(parsing: Array(bytes[first...end]), limits: limits, base: start + first)
        else { return nil }
        intrinsics = Intrinsics(columnMajor: json["intrinsicMatrix"]?.numbers, from: .corner)
        var range: ClosedRange<Float> = 0...3
        if let stated = json["rangeOfEncodedDepth"]?.numbers, stated.count == 2, stated[0] >= 0,
            stated[1] > stated[0], stated[1] < 1000
        {
            range = Float(stated[0])...Float(stated[1])
        }
        self.range = range
    }

    /// Hues of valid distances: all except those around red.
    private static let hues: ClosedRange<Float> = 0.02...0.98

    /// The size of each half of a frame.
    static func half(_ size: PixelSize) -> PixelSize {
        PixelSize(width: size.width / 2, height: size.height)
    }

    /// The distance of a color; `nan` if its hue is unclear or red.
    func meters(_ pixel: RGB<UInt8>) -> Float {
        let (red, green, blue) = (Float(pixel.red), Float(pixel.green), Float(pixel.blue))
        let high = max(red, green, blue)
        let chroma = high - min(red, green, blue)
        guard high >= 127.5, chroma >= 0.5 * high else { return .nan }
        var hue: Float
        if high == red {
            hue = (green - blue) / chroma
            if hue < 0 { hue += 6 }
        } else if high == green {
            hue = (blue - red) / chroma + 2
        } else {
            hue = (red - green) / chroma + 4
        }
        hue /= 6
        guard Self.hues.contains(hue) else { return .nan }
        return range.lowerBound + hue * (range.upperBound - range.lowerBound)
    }

    /// Splits a picture into the wanted planes of a frame. Depth that differs from its neighbors by more than 5 cm is unknown:
    /// codecs mix colors across edges.
    func split(
        _ both: borrowing FramePlane<RGB<UInt8>>, _ planes: Set<PlaneID>, into frame: inout FramePlanes,
        scratch: inout FramePlane<Float>
    ) {
        let size = Self.half(both.size)
        let source = both.samples.span
        let width = both.width
        if planes.contains(.picture) {
            frame.color.overwrite(width: size.width, height: size.height, fill: .black) { output in
                copyRight(source, width, size, &output)
            }
        }
        guard planes.contains(.depth) else { return }
        scratch.overwrite(width: size.width, height: size.height, fill: .nan) { output in
            for row in 0..<size.height {
                for column in 0..<size.width {
                    output[row * size.width + column] = meters(source[row * width + column])
                }
            }
        }
        let raw = scratch.samples.span
        frame.depth.overwrite(width: size.width, height: size.height, fill: .nan) { output in
            removeEdges(raw, size, &output)
        }
    }

    private func copyRight(
        _ source: Span<RGB<UInt8>>, _ width: Int, _ size: PixelSize, _ output: inout MutableSpan<RGB<UInt8>>
    ) {
        for row in 0..<size.height {
            for column in 0..<size.width {
                output[row * size.width + column] = source[row * width + size.width + column]
            }
        }
    }

    private func removeEdges(_ raw: Span<Float>, _ size: PixelSize, _ output: inout MutableSpan<Float>) {
        for row in 0..<size.height {
            for column in 0..<size.width {
                let middle = raw[row * size.width + column]
                var isLevel = true
                for y in max(row - 1, 0)...min(row + 1, size.height - 1) {
                    for x in max(column - 1, 0)...min(column + 1, size.width - 1)
                    where abs(raw[y * size.width + x] - middle) > 0.05 {
                        isLevel = false
                    }
                }
                output[row * size.width + column] = isLevel ? middle : .nan
            }
        }
    }
}
