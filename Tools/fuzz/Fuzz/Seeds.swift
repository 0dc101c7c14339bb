import Bytes
import Glibc

@testable import Codecs
@testable import PhotoFormats
@testable import Scenes

/// Writes the seeds that each target cuts from these files to `folder/TARGET/`.
func writeSeeds(from paths: [String], to folder: String) throws {
    for path in paths {
        let source = try FileSource(path: path)
        let file = Picture(
            name: path.split(separator: "/").last.map(String.init) ?? path,
            bytes: try source.read(0..<source.byteCount))
        for target in Target.all {
            mkdir("\(folder)/\(target.name)", 0o777)
            for (number, seed) in target.seeds(file).enumerated() {
                try writeFile(seed, to: "\(folder)/\(target.name)/\(file.name)-\(number)")
            }
        }
    }
}

/// Writes a file anew.
func writeFile(_ bytes: [UInt8], to path: String) throws {
    guard let file = fopen(path, "w") else { throw OutputFailure(path: path) }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw OutputFailure(path: path) }
}

private struct OutputFailure: Error {
    var path: String
}

extension Picture {
    private var source: MemorySource { MemorySource(bytes) }

    var container: (any PhotoContainer)? { try? parseContainer(source, limits: DecodingLimits()) }

    private var jpegHeader: JPEGHeader? {
        var window = WindowedBytes(source)
        return try? JPEGHeader(&window, at: 0, limits: DecodingLimits())
    }

    /// Everything behind the first image of a JPEG file.
    var behindPhoto: [UInt8]? {
        guard let header = jpegHeader else { return nil }
        var window = WindowedBytes(source)
        guard let end = try? window.endOfImage(afterScan: header.scan) else { return nil }
        return Array(bytes[end...])
    }

    var multiPictureBlock: [UInt8]? { jpegHeader?.multiPicture.map { Array(bytes[$0]) } }

    /// The extended XMP of a JPEG file, joined.
    var extendedPacket: [UInt8]? {
        guard let header = jpegHeader, !header.extendedXMP.isEmpty else { return nil }
        return header.extendedXMP.flatMap { bytes[$0].dropFirst(40) }
    }

    /// XMP packets wherever they stand in the file.
    var packetsOfPlanes: [[UInt8]] {
        let (start, end) = (Array("<x:xmpmeta".utf8), Array("</x:xmpmeta>".utf8))
        return places(of: start).compactMap { place in
            places(of: end).first { $0 > place }.map { Array(bytes[place..<$0 + end.count]) }
        }
    }

    /// The sequence parameter sets of a HEIF file, which stand in its `hvcC` boxes.
    var parameterSets: [[UInt8]] {
        // One NAL unit of type 33, with its size in front; the bit before the type is `array_completeness`.
        (places(of: [0x21, 0, 1]) + places(of: [0xA1, 0, 1])).compactMap { place in
            guard place + 5 <= bytes.count else { return nil }
            let count = Int(bytes[place + 3]) << 8 + Int(bytes[place + 4])
            return place + 5 + count <= bytes.count ? Array(bytes[place + 5..<place + 5 + count]) : nil
        }
    }

    /// Lossless JPEG streams wherever they stand.
    var losslessStreams: [[UInt8]] {
        places(of: [0xFF, 0xD8, 0xFF]).map { Array(bytes[$0...]) }.filter(LosslessJPEG.isLossless)
    }

    private func places(of mark: [UInt8]) -> [Int] {
        bytes.indices.filter { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
    }
}
