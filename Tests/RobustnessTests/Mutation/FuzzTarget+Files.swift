import Bytes
import Codecs
import DepthMaps
import Foundation
import PhotoFormats
import PhotoWriting
import Scenes
import TestSupport

/// Files sorted by name.
typealias WholeFiles = [(name: String, source: any ByteSource)]

extension FuzzTarget {
    /// The pictures of `TestImages/` with these extensions.
    static func pictures(_ extensions: Set<String>) throws -> WholeFiles {
        try FileManager.default.contentsOfDirectory(atPath: TestImages.path("")).sorted()
            .filter { extensions.contains(URL(filePath: $0).pathExtension) }
            .map { ($0, MemorySource(try TestImages.bytes($0))) }
    }

    /// All samples, which are read from disk as needed.
    static func samples() throws -> WholeFiles {
        guard let folder = SampleFolder.photos.folder else { return [] }
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        let readable = Set(
            "heic heif avif jpg jpeg mpo dng jxl png pgm tiff exr pfm npy npz".split(separator: " ").map(
                String.init))
        return try names.sorted()
            .filter {
                !$0.hasPrefix("malformed") && readable.contains(URL(filePath: $0).pathExtension.lowercased())
            }
            .map { ($0, try FileSource(path: SampleFolder.photos.path($0))) }
    }

    /// The metadata block of each picture that has one.
    static func blocks(
        _ block: (any PhotoContainer) throws(ContainerError) -> MetadataBlock
    ) throws -> WholeFiles {
        try pictures(photos).compactMap { name, source in
            let bytes = try block(try parseContainer(source, limits: DecodingLimits())).bytes
            return bytes.isEmpty ? nil : (name, MemorySource(bytes))
        }
    }

    /// The extensions of photos in `TestImages/`.
    static let photos: Set<String> = ["jpg", "jps", "mpo", "heic", "avif", "dng", "jxl"]

    /// Small rasters of every format, written by Isobath or by hand.
    static func rasters() throws -> WholeFiles {
        let folder = TemporaryFolder()
        func file(_ name: String, _ raster: Raster) throws -> (String, any ByteSource) {
            guard let format = RasterFormat(fileName: name) else { throw CocoaError(.fileReadNoSuchFile) }
            try OutputFile(path: folder.file(name), replacesExisting: true).write {
                (descriptor) throws(WriteError) in
                try raster.write(as: format, to: descriptor)
            }
            return (name, MemorySource(try folder.bytes(of: name)))
        }
        let record =
            #"{"quantity":"depth","unit":"m","minimum":1,"maximum":9,"unknown":0,"accuracy":"relative"}"#
        let meters = (0..<63).map { $0 == 5 ? Float.nan : Float($0) / 4 }
        let depth = Raster(width: 9, height: 7, samples: .float(meters), record: record)
        let codes = Raster(
            width: 9, height: 7, samples: .gray16((0..<63).map { $0 * 1000 }), record: record)
        let color = Raster(
            width: 9, height: 7,
            samples: .color(.uint8((0..<63).map { .init(red: $0, green: 2 * $0, blue: 255 - $0) })))
        var files = try ["d.tiff", "d.exr", "d.pfm", "d.npy"].map { try file($0, depth) }
        files += try ["c.png", "c.tiff"].map { try file($0, codes) }
        files += try ["rgb.png", "rgb.tiff"].map { try file($0, color) }
        let bytes = (0..<126).map { UInt8($0 * 2) }
        files.append(("d.pgm", MemorySource(Array("P5\n# made\n9 7\n65535\n".utf8) + bytes)))
        files.append(("g.pgm", MemorySource(Array("P5 9 7 255\n".utf8) + bytes.prefix(63))))
        files.append(("c.ppm", MemorySource(Array("P6 7 6 255\n".utf8) + bytes)))
        let array = try folder.bytes(of: "d.npy")
        for isDeflated in [false, true] {
            var archive = ZIPWriter(isDeflated: isDeflated)
            for name in ["depth.npy", "mask.npy"] { archive.add(name, array) }
            files.append((isDeflated ? "deflated.npz" : "stored.npz", MemorySource(archive.finished)))
        }
        return files
    }

    /// Lossless JPEG of several depths and predictors.
    static func losslessImages() throws -> WholeFiles {
        try [(2, 1), (8, 4), (12, 7), (16, 1), (16, 6)].map { bitDepth, predictor in
            let samples = (0..<300).map {
                UInt16(truncatingIfNeeded: $0 * $0 * 37) & UInt16(1 << bitDepth - 1)
            }
            let image = LosslessJPEGEncoder(
                width: 20, height: 15, bitDepth: bitDepth, predictor: predictor, samples: samples)
            return ("\(bitDepth)-\(predictor).jpg", MemorySource(try image.serialized()))
        }
    }
}
