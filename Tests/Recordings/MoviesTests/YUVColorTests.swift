import Bytes
import DepthMaps
import DepthTypes
import Foundation
import TestFrames
import TestSupport
import Testing

@testable import Movies
@testable import Scenes

@Suite("Colors of YUV")
struct YUVColorTests {
    private let folder = TemporaryFolder()

    /// The color model of Y, Cb and Cr.
    struct Coding: CustomTestStringConvertible, Sendable {
        var isRec709: Bool
        var isFullRange: Bool

        var testDescription: String {
            "Rec. \(isRec709 ? 709 : 601), \(isFullRange ? "full" : "limited") range"
        }

        /// How far libyuv's colors of planes with chroma at half the height may be off. It has 6 bits of fraction: an error of 1/128 of a
        /// chroma of 128 is one step, twice in green, and rounding adds another. It also takes 2 for the factor of blue of Rec. 709
        /// in limited range, 2.112, which is 15 steps of a chroma of 128; ours for other planes have 16 bits.
        var tolerance: Int { isRec709 && !isFullRange ? 15 : 3 }

        /// The color of a pixel, by the equations of ITU-T H.273 §8.3 with the constants of its Table 4, rows 1 and 6.
        func color(_ y: Int, _ u: Int, _ v: Int) -> [Int] {
            let (kr, kb) = isRec709 ? (0.2126, 0.0722) : (0.299, 0.114)
            let luma = isFullRange ? Double(y) / 255 : Double(y - 16) / 219
            let (blue, red) = (
                Double(u - 128) / (isFullRange ? 255 : 224), Double(v - 128) / (isFullRange ? 255 : 224)
            )
            let (r, b) = (luma + 2 * (1 - kr) * red, luma + 2 * (1 - kb) * blue)
            let g = (luma - kr * r - kb * b) / (1 - kr - kb)
            return [r, g, b].map { Int((min(max($0, 0), 1) * 255).rounded()) }
        }
    }

    static let codings = [false, true].flatMap { isRec709 in
        [false, true].map { Coding(isRec709: isRec709, isFullRange: $0) }
    }

    /// Values over all of their range, and the ends of the limited one.
    private static let values: [(y: UInt8, u: UInt8, v: UInt8)] = [0, 16, 60, 126, 180, 235, 255].flatMap {
        y in
        [0, 16, 90, 128, 170, 240, 255].flatMap { u in
            [0, 16, 90, 128, 170, 240, 255].map { v in (y, u, v) }
        }
    }

    /// A picture of one block of 2 × 2 pixels for each value, side by side, so that halved chroma equals the block's
    /// chroma.
    private static func planes(_ layout: YUVPlanes.Layout) -> [UInt8] {
        func twice(_ row: [UInt8]) -> [UInt8] { row.flatMap { [$0, $0] } }
        let (y, u, v) = (values.map(\.y), values.map(\.u), values.map(\.v))
        let luma = twice(y) + twice(y)
        return switch layout {
        case .gray: luma
        case .yuv420: luma + u + v
        case .nv12: luma + zip(u, v).flatMap { [$0, $1] }
        case .yuv422: luma + u + u + v + v
        case .yuv444: luma + twice(u) + twice(u) + twice(v) + twice(v)
        }
    }

    private static func expect(
        _ plane: FramePlane<RGB<UInt8>>, _ coding: Coding, hasChroma: Bool = true, within tolerance: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for (index, value) in values.enumerated() {
            let (u, v) = hasChroma ? (Int(value.u), Int(value.v)) : (128, 128)
            let expected = coding.color(Int(value.y), u, v)
            for pixel in [2 * index, 2 * index + 1, plane.width + 2 * index, plane.width + 2 * index + 1] {
                let color = plane.samples[pixel]
                let found = [Int(color.red), Int(color.green), Int(color.blue)]
                #expect(
                    zip(found, expected).allSatisfy { abs($0 - $1) <= tolerance },
                    "Y \(value.y), U \(u), V \(v): \(found), not \(expected)", sourceLocation: sourceLocation)
            }
        }
    }

    @Test(
        "Every layout has the colors that the standard computes, in both ranges", arguments: codings,
        [YUVPlanes.Layout.gray, .yuv420, .nv12, .yuv422, .yuv444])
    func layouts(coding: Coding, layout: YUVPlanes.Layout) {
        let encoding = YUVEncoding(isRec709: coding.isRec709, isFullRange: coding.isFullRange)
        var plane = FramePlane<RGB<UInt8>>()
        YUVPlanes(Self.planes(layout), layout, encoding, 2 * Self.values.count, 2).decode(into: &plane)
        let isExact = layout != .yuv420 && layout != .nv12
        Self.expect(plane, coding, hasChroma: layout != .gray, within: isExact ? 1 : coding.tolerance)
    }

    @Test("y4m says which range its values have", arguments: [false, true])
    func y4m(isFullRange: Bool) throws {
        let header =
            "YUV4MPEG2 W\(2 * Self.values.count) H2 F25:1 C444 XCOLORRANGE=\(isFullRange ? "FULL" : "LIMITED")\nFRAME\n"
        let path = try folder.write(Array(header.utf8) + Self.planes(.yuv444), to: "a.y4m")
        let file = try #require(FileHandle(forReadingAtPath: path))
        let source = try PipeSource(
            StreamReader(descriptor: file.fileDescriptor), limits: DecodingLimits())
        var frame = TestFrame()
        _ = try source.advance()
        try source.read(.measured, into: &frame)
        Self.expect(frame.color, Coding(isRec709: false, isFullRange: isFullRange), within: 1)
    }

    /// FFV1 keeps the values; only the file's declaration of their meaning differs.
    @Test(
        "A movie has the colors of the range and the matrix that its file declares", .needsFFmpegProgram,
        arguments: codings, ["yuv420p", "yuv444p"])
    func movie(coding: Coding, format: String) throws {
        let layout: YUVPlanes.Layout = format == "yuv420p" ? .yuv420 : .yuv444
        try folder.write(Self.planes(layout), to: "values")
        let range = coding.isFullRange ? "pc" : "tv"
        let matrix = coding.isRec709 ? "bt709" : "smpte170m"
        let run = try Tool.shell(
            "ffmpeg -v error -f rawvideo -pix_fmt \(format) -s \(2 * Self.values.count)x2 -color_range \(range) "
                + "-colorspace \(matrix) -i \"$1/values\" -c:v ffv1 -color_range \(range) -colorspace \(matrix) \"$1/a.mkv\"",
            [folder.path])
        #expect(run.status == 0, "\(run.messages)")
        let source = try MovieSource(contentsOf: folder.file("a.mkv"), limits: DecodingLimits())
        var frame = TestFrame()
        _ = try source.advance()
        try source.read([.picture], into: &frame)
        #expect(frame.color.width == 2 * Self.values.count)
        Self.expect(frame.color, coding, within: layout == .yuv420 ? coding.tolerance : 1)
    }
}
