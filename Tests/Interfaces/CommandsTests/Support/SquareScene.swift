import Foundation
import TestSupport
import Testing

/// A square of 60 pixels, 2 m away, that moves two pixels a frame before a wall at 4 m; nothing else is in the scene.
enum SquareScene {
    static let (width, height) = (160, 120)
    static let count = 12

    static func left(_ index: Int) -> Int { 30 + 2 * index }

    private static func isSquare(_ x: Int, _ y: Int, _ index: Int) -> Bool {
        x >= left(index) && x < left(index) + 60 && y >= 30 && y < 90
    }

    /// Pixels of a frame: red, green, blue.
    static func color(_ index: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 3)
        for y in 0..<height {
            for x in 0..<width {
                if isSquare(x, y, index) {
                    let (u, v) = ((x - left(index)) / 12, (y - 30) / 12)
                    let gray = UInt8((u * 7 + v * 11 + u * v) % 5 * 50 + 30)
                    bytes += [gray, gray / 2, 255 - gray]
                } else {
                    bytes += [120, 120, UInt8(90 + (x / 16 + y / 16) % 3 * 20)]
                }
            }
        }
        return bytes
    }

    /// Millimeters, two bytes each, least significant first.
    static func depth(_ index: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 2)
        for y in 0..<height {
            for x in 0..<width {
                let code: UInt16 = x == 0 ? 0 : isSquare(x, y, index) ? 2000 : 4000
                bytes += [UInt8(code & 0xFF), UInt8(code >> 8)]
            }
        }
        return bytes
    }

    static let interleaved = Data((0..<count).flatMap { color($0) + depth($0) })
    static let depths = Data((0..<count).flatMap { depth($0) })
    static let size = "\(width)x\(height)"
    static let flags = [
        "--raw", "rgb24,\(size)", "--raw-depth", "gray16le,\(size)", "--scale", "1000", "--frame-rate", "30",
    ]

    /// Writes the scene into a folder as a stream, and as a recording in Open3D's layout, `rec`.
    static func write(into folder: TemporaryFolder) throws {
        try folder.write(interleaved, to: "scene.raw")
        for arguments in [
            ["--plane", "photo", "-o", "rec/color/%06d.png"],
            ["--values", "millimeters", "-o", "rec/depth/%06d.png"],
        ] {
            let run = try Tool.run(["extract", "scene.raw"] + arguments + flags, folder: folder.path)
            guard run.status == 0 else { throw CocoaError(.fileWriteUnknown) }
        }
    }

    /// Writes the scene into a folder as a movie of Record3D without a camera, `hues.mkv`, whose hues are 0 to 5 m.
    static func writeHueMovie(into folder: TemporaryFolder) throws {
        let frames = (0..<count).flatMap { index in
            let (color, depth) = (color(index), depth(index))
            return (0..<height).flatMap { y in
                let hues = (y * width..<(y + 1) * width).flatMap { place in
                    let code = Float(depth[2 * place]) + 256 * Float(depth[2 * place + 1])
                    return HueMovie.color(code / 1000, in: 0...5)
                }
                return hues + color[3 * y * width..<3 * (y + 1) * width]
            }
        }
        try folder.write(frames, to: "halves.raw")
        let run = try Tool.run(
            [
                "extract", "halves.raw", "--raw", "rgb24,\(2 * width)x\(height)",
                "--frame-rate", "30", "--plane", "photo", "--codec", "ffv1", "-o", "hues.mkv", "--quiet",
            ], folder: folder.path)
        guard run.status == 0 else { throw CocoaError(.fileWriteUnknown) }
        let movie = HueMovie.matroska(
            try folder.bytes(of: "hues.mkv"), describedBy: HueMovie.description(of: 0...5))
        try folder.write(movie, to: "hues.mkv")
    }
}
