import Embedded
import Isobath
import PhotoFormats
import TestSupport
import Testing

@Suite("Truncated photos")
struct TruncationTests {
    private let folder = TemporaryFolder()
    private static let pictures = ["portrait.heic", "portrait.jpg", "absolute-depth.heic"]

    private static let others = [
        "gdepth-lens-blur.jpg", "gdepth-portrait.jpg", "gdepth-linear-ray.jpg", "dynamic-depth.jpg",
        "dynamic-depth-ultrahdr.jpg", "xdm.jpg", "depth.avif", "lossless-jpeg-depth.heic", "depth.dng",
        "depth.jxl",
    ]

    /// Either the samples equal the complete file's, or decoding fails.
    @Test("A photo truncated at any length gives complete planes or an error", arguments: pictures + others)
    func library(name: String) throws {
        let whole = try TestImages.bytes(name)
        let photo = try DepthPhoto(MemorySource(whole))
        let expected = try photo.codes(of: photo.describe().requirePlane(nil))
        let matte = try DepthScene(photo).matte()
        // More lengths at the start, where the structure is; fewer of what is decoded slowly.
        let lengths =
            Self.others.contains(name)
            ? Array(stride(from: 0, to: whole.count, by: max(1499, whole.count / 40)))
            : Array(0..<200) + Array(stride(from: 200, to: 4000, by: 13))
                + Array(stride(from: 4000, to: whole.count, by: 97)) + [whole.count - 2, whole.count - 1]
        for length in lengths {
            do {
                let part = try DepthPhoto(MemorySource(Array(whole.prefix(length))))
                if let found = try? DepthScene(part).matte() { #expect(found == matte, "\(length)") }
                let codes = try part.codes(of: part.describe().requirePlane(nil))
                #expect(codes == expected, "\(length)")
            } catch let error as ContainerError {
                // Missing data may start after the end, but not after the end of the complete file.
                #expect((0...whole.count).contains(error.offset ?? 0), "\(length): \(error)")
            } catch {
                #expect(error is SceneError, "\(length): \(error)")
            }
        }
    }

    @Test(
        "A truncated plane is reported as damaged, not as missing",
        arguments: [("portrait.jpg", 101_000), ("portrait.jpg", 93_850)])
    func unreadablePlane(name: String, length: Int) throws {
        let path = try folder.write(TestImages.bytes(name).prefix(length), to: "cut.jpg")
        try folder.run("extract \(path) --plane matte -o m.png", status: 1, says: "MPF at byte")
        #expect(folder.contents == ["cut.jpg"])
    }

    @Test(
        "A truncated photo is an error", arguments: ["portrait.heic", "portrait.jpg"],
        [0.3, 0.5, 0.6])
    func photo(name: String, share: Double) throws {
        let whole = try TestImages.bytes(name)
        #expect(throws: ContainerError.self) {
            try DepthPhoto(MemorySource(Array(whole.prefix(Int(Double(whole.count) * share))))).image()
        }
    }

    /// The seed makes a failure reproducible.
    @Test(
        "A photo with changed bytes is decoded or refused, and never crashes", arguments: pictures, 1...8
    )
    func mutation(name: String, seed: Int) throws {
        let whole = try TestImages.bytes(name)
        var generator = SplitMix(seed: UInt64(seed))
        var limits = DecodingLimits()
        limits[.pixels] = 2_000_000
        // The structure of a HEIC is in its first 4000 bytes, and the structure of a JPEG's planes is at the start of
        // each.
        let planes = try DepthPhoto(MemorySource(whole)).storedPlanes
        let starts = planes.map { plane -> Int in
            if case .jpegStream(let range) = plane.location { range.lowerBound } else { 0 }
        }
        var (parsed, refused) = (0, 0)
        for _ in 0..<150 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let start = Bool.random(using: &generator) ? 0 : starts.randomElement(using: &generator) ?? 0
                let place = min(start + Int.random(in: 0..<4000, using: &generator), whole.count - 1)
                bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
            }
            guard let photo = try? DepthPhoto(MemorySource(bytes), limits: limits) else {
                refused += 1
                continue
            }
            _ = DepthScene(photo).record(path: "mutated").serialized
            let codes = photo.planes.map { try? photo.codes(of: $0) }
            parsed += codes.contains { $0 != nil } ? 1 : 0
            refused += codes.contains { $0 == nil } ? 1 : 0
        }
        // A parser that accepts everything, or refuses everything, must not pass.
        #expect(parsed > 0 && refused > 0, "\(parsed) parsed, \(refused) refused")
    }
}
