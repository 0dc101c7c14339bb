import Isobath
import PhotoFormats
import TestSupport
import Testing

/// Ranges of depth planes that reach 0.
@Suite("Ranges that reach below zero")
struct UnusualRangeTests {
    private let folder = TemporaryFolder()

    /// A test image with some text of its metadata replaced by text of the same length.
    private func changed(
        _ name: String, _ changes: [(String, String)], in folder: TemporaryFolder
    ) throws -> String {
        var bytes = try TestImages.bytes(name)
        for (old, new) in changes {
            try #require(old.utf8.count == new.utf8.count)
            let place = try #require(
                bytes.indices.first { bytes[$0] == old.utf8.first && bytes[$0...].starts(with: old.utf8) })
            bytes.replaceSubrange(place..<place + old.utf8.count, with: Array(new.utf8))
        }
        return try folder.write(bytes, to: name)
    }

    @Test("Disparity from below 0: those samples are infinitely far and counted, and leave nothing to fill")
    func negativeDisparity() throws {
        let path = try changed("portrait.jpg", [(">0.049988<", ">-0.50000<")], in: folder)
        let info = try Tool.run("info \(path)").text
        #expect(info.contains("0 to 0.709 1/m (1.41 m to infinity)"))
        #expect(info.contains("those below 0 are infinitely far"))
        let run = try folder.run("extract \(path) -o d.tiff")
        let samples = try RasterFile(folder.file("d.tiff")).samples
        let infinite = samples.count { $0 == 0 }
        #expect(infinite > 0 && samples.allSatisfy { $0 >= 0 })
        #expect(run.messages.contains("\(infinite) samples of 0 or less are infinitely far"))
        let filled = try folder.run("extract \(path) --fill-holes -o f.tiff")
        #expect(!filled.messages.contains("are filled"), "\(filled.messages)")
        #expect(try RasterFile(folder.file("f.tiff")).samples == samples)
    }

    /// A Pixel 6 writes such a range in photos without portrait mode.
    @Test("A linear range without a unit may have any sign, and still gives an order")
    func signedDepth() throws {
        let path = try changed(
            "dynamic-depth.jpg",
            [
                (
                    "<DepthMap:Format>RangeInverse</DepthMap:Format>",
                    "<DepthMap:Format>RangeLinear</DepthMap:Format> "
                ),
                (">1.4</DepthMap:Near>", ">-.1</DepthMap:Near>"),
                (">20.0</DepthMap:Far>", ">0.19</DepthMap:Far>"),
                ("<DepthMap:Units>Diopters</DepthMap:Units>", "<DepthMap:Units>None</DepthMap:Units>    "),
            ], in: folder)
        let info = try Tool.run("info \(path)")
        #expect(info.text.contains("0 to 0.29 of no unit, affine"))
        try folder.run("extract \(path) -o d.tiff")
        let refused = try Tool.run(["extract", path, "--as", "depth", "-o", folder.file("z.tiff")])
        #expect(refused.status != 0 && refused.messages.contains("scale and shift"))
        let disparity = try RasterFile(folder.file("d.tiff")).samples
        let photo = try DepthPhoto(contentsOf: path)
        let codes = try photo.codes(of: photo.describe().requirePlane(nil))
        guard case .uint8(let codes) = codes.codes else { return }
        for index in stride(from: 0, to: codes.count, by: 997) {
            #expect(abs(disparity[index] - (255 - Double(codes[index])) / 255 * 0.29) < 1e-6)
        }
        try folder.run("composite \(path) --background none -o c.png")
    }
}
