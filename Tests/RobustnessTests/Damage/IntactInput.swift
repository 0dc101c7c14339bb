import DepthMaps
import Foundation
import RecordingWriting
import Recordings
import TestSupport

/// An input in good order: its files, and how the tool is given it.
struct IntactInput: Sendable {
    enum Kind { case photo, raster, pair, recording, movie, pipe }

    var kind: Kind
    /// The files by their path in the folder where the tool runs, in order.
    var files: [(path: String, bytes: [UInt8])]
    /// The input argument: a file, a folder, or `-` for a file on standard input.
    var argument: String
    /// The file on standard input.
    var standardInput: String?
    /// Flags that describe the input.
    var flags: [String] = []

    private init(_ kind: Kind, _ name: String, _ bytes: [UInt8]) {
        (self.kind, files, argument) = (kind, [(name, bytes)], name)
    }
}

extension IntactInput {
    /// The names of all inputs.
    static let names: [String] = {
        var names = photos + pairs
        names += rasters.map { "raster." + $0 }
        names += RecordingWriter.layouts.map(\.rawValue)
        names += movies.map { "movie." + $0 }
        return names + [
            "pair.jpg", "record3d.r3d", "depth.mkv", "stdin.jpg", "stdin.y4m", "stdin.raw",
        ]
    }()

    private static let photos = [
        "portrait.heic", "portrait.jpg", "gdepth-portrait.jpg", "dynamic-depth.jpg", "samsung-dualshot.jpg",
        "depth.avif", "depth.dng", "depth.jxl",
    ]
    private static let pairs = ["stereo.mpo", "spatial.heic", "stereo-crosseyed.jps"]
    private static let rasters = ["png", "tiff", "exr", "pfm", "npy", "npz", "pgm"]
    private static let movies = ["mkv", "mp4", "png", "y4m"]

    /// Makes the input of this name; `nil` where this system cannot make it, as movies without FFmpeg.
    static func named(_ name: String) throws -> IntactInput? {
        switch name {
        case _ where photos.contains(name): return IntactInput(.photo, name, try TestImages.bytes(name))
        case _ where pairs.contains(name): return IntactInput(.pair, name, try TestImages.bytes(name))
        case "pair.jpg":
            var input = IntactInput(.pair, name, try TestImages.bytes(name))
            input.files.append(("pair_depth.png", try TestImages.bytes("pair_depth.png")))
            return input
        case _ where name.hasPrefix("raster."): return try raster(String(name.dropFirst(7)))
        case "record3d.r3d": return try archive()
        case "depth.mkv": return try movie("mkv", ["--values", "millimeters"], name)
        case _ where name.hasPrefix("movie."):
            return try movie(String(name.dropFirst(6)), ["--plane", "photo"], name)
        case "stdin.jpg":
            var input = IntactInput(.pipe, "in.jpg", try TestImages.bytes("portrait.jpg"))
            (input.argument, input.standardInput) = ("-", "in.jpg")
            return input
        case "stdin.y4m":
            guard var input = try movie("y4m", ["--plane", "photo"], "in.y4m") else { return nil }
            (input.kind, input.argument, input.standardInput) = (.pipe, "-", "in.y4m")
            return input
        case "stdin.raw": return try pixels()
        default:
            guard let layout = RecordingLayout(rawValue: name) else { throw CocoaError(.fileNoSuchFile) }
            return try recording(layout)
        }
    }

    private static func raster(_ suffix: String) throws -> IntactInput {
        let folder = TemporaryFolder()
        let (width, height) = (64, 48)
        if suffix == "pgm" {
            var samples: [UInt8] = []
            for index in 0..<width * height {
                samples += [UInt8(truncatingIfNeeded: 4 + index % 9), UInt8(truncatingIfNeeded: index)]
            }
            return IntactInput(.raster, "raster.pgm", Array("P5 \(width) \(height) 65535\n".utf8) + samples)
        }
        let path = folder.file("raster." + (suffix == "npz" ? "npy" : suffix))
        let made = try Tool.run(["extract", TestImages.path("absolute-depth.jpg"), "-o", path])
        guard made.status == 0 else { throw CocoaError(.fileWriteUnknown) }
        guard suffix == "npz" else {
            return IntactInput(.raster, "raster." + suffix, try folder.bytes(of: "raster." + suffix))
        }
        var archive = ZIPWriter()
        archive.add("depth.npy", try folder.bytes(of: "raster.npy"))
        return IntactInput(.raster, "raster.npz", archive.finished)
    }

    private static func recording(_ layout: RecordingLayout) throws -> IntactInput {
        let folder = TemporaryFolder()
        let path = try RecordingWriter().write(layout, into: folder)
        guard path == folder.path else {
            let name = URL(filePath: path).lastPathComponent
            return IntactInput(.recording, name, try folder.bytes(of: name))
        }
        var input = IntactInput(.recording, "rec", [])
        input.files = try FileManager.default.subpathsOfDirectory(atPath: path).sorted().compactMap { name in
            let url = URL(filePath: folder.file(name))
            return (try? Data(contentsOf: url)).map { ("rec/" + name, [UInt8]($0)) }
        }
        return input
    }

    /// Record3D's archive of six frames of 48 × 64 samples.
    private static func archive() throws -> IntactInput {
        let (width, height) = (48, 64)
        let poses = (0..<6).map { "[0,0,0,1,0.0\($0),0,0]" }.joined(separator: ",")
        let metadata =
            #"{"w": 480, "h": 360, "dw": \#(width), "dh": \#(height), "fps": 30, "K": [400,0,0,0,400,0,240,180,1], "poses": [\#(poses)]}"#
        let color = try TestImages.bytes("gdepth-portrait.jpg")
        var zip = ZIPWriter()
        zip.add("metadata", Array(metadata.utf8))
        for index in 0..<6 {
            let meters = (0..<width * height).map { 2 + Float($0 % 64 + index) / 64 }
            zip.add("rgbd/\(index).jpg", color)
            zip.add("rgbd/\(index).depth", uncompressedLZFSE(littleEndian(meters)))
        }
        return IntactInput(.recording, "record3d.r3d", zip.finished)
    }

    /// Frames of the room, written by the tool; `nil` if it cannot write them.
    private static func movie(_ suffix: String, _ flags: [String], _ name: String) throws -> IntactInput? {
        let (folder, output) = (TemporaryFolder(), TemporaryFolder())
        let room = try RecordingWriter().write(.sevenScenes, into: folder)
        let made = try Tool.run(["extract", room, "-o", output.file("m." + suffix)] + flags)
        guard made.status == 0 else { return nil }
        return IntactInput(.movie, name, try output.bytes(of: "m." + suffix))
    }

    /// Six frames of 32 × 24 pixels, each followed by its depth.
    private static func pixels() throws -> IntactInput {
        let (width, height) = (32, 24)
        var bytes: [UInt8] = []
        for frame in 0..<6 {
            for sample in 0..<width * height * 3 {
                bytes.append(UInt8(truncatingIfNeeded: sample * 7 + frame * 31))
            }
            for sample in 0..<width * height {
                bytes += [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: 4 + frame)]
            }
        }
        var input = IntactInput(.pipe, "in.raw", bytes)
        (input.argument, input.standardInput) = ("-", "in.raw")
        input.flags = [
            "--raw", "rgb24,\(width)x\(height)", "--raw-depth", "gray16le,\(width)x\(height)", "--scale",
            "1000", "--frame-rate", "30",
        ]
        return input
    }
}

extension IntactInput {
    /// The arguments of the tool, by verb. Outputs go to the folder `out`.
    var commands: [[String]] {
        let input = [argument] + flags
        return verbs.map { $0 + input }
    }

    private var verbs: [[String]] {
        let still = [
            ["info", "--json"], ["extract", "--plane", "all", "--json", "-o", "out/"],
            ["composite", "--background", "none", "-o", "out/a.png"], ["blur", "-o", "out/a.png"],
            ["composite", "--layer", "layer.png", "--layer-distance", "1", "-o", "out/a.png"],
            ["cloud", "--stride", "4", "--json", "-o", "out/a.ply"],
            [
                "embed", "--replace", "--depth", "layer.png", "--range", "1,2", "-o",
                "out/a.\(form)",
            ],
            ["convert", "--to", "pair", "-o", "out/a.jpg"], ["view", "--size", "64", "-o", "out/a.html"],
            ["animate", "--seconds", "0.1", "--size", "64", "-o", "out/a.gif"],
        ]
        let frames = [
            ["extract", "--plane", "photo", "-o", "out/%03d.png"],
            ["extract", "-o", "out/%03d.png"],
            ["follow", "--box", "0.3,0.3,0.4,0.4", "-o", "out/t.csv"],
        ]
        switch kind {
        case .photo, .pair, .raster: return still
        case .recording, .movie:
            return [["info", "--json"]] + frames + [
                ["cloud", "--voxel", "0.05", "--json", "-o", "out/a.ply"],
                ["view", "--size", "64", "-o", "out/a.html"],
            ]
        case .pipe:
            return standardInput == "in.jpg"
                ? [["info", "--json"], ["extract", "-o", "out/a.png"]] : frames
        }
    }

    /// The ending of a photo of the input's form.
    private var form: String { argument.hasSuffix("heic") ? "heic" : "jpg" }
}
