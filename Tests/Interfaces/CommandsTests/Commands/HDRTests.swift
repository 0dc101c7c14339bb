import DepthTypes
import Foundation
import PhotoBuilders
import PhotoWriting
import TestSupport
import Testing

@Suite("The gain map of HDR photos")
struct HDRTests {
    private let folder = TemporaryFolder()

    /// A photo with disparity and Apple's gain map.
    private func photo(in folder: borrowing TemporaryFolder) throws -> String {
        var file = MultiPictureJPEG(primary: .init(jpeg: try TestImages.bytes("plain.jpg")))
        file.auxiliaries = [
            .init(
                jpeg: try CodedPlane.jpeg(.disparity),
                xmp: DepthFile.packet(low: "0.500000", high: "2.000000")),
            .init(
                jpeg: try CodedPlane.jpeg(.matte),
                xmp: try XMPPacketBuilder([.hdrGainMapVersion(131_072), .hdrGainMapHeadroom(4)]).serialized()),
        ]
        return try folder.write(file.serialized(), to: "hdr.jpg")
    }

    private func planes(_ path: String) throws -> String { try Tool.run("info \(path)").text }

    @Test(
        "JPEG keeps it, PNG and --no-hdr drop it and say so",
        arguments: [
            ["blur"], ["composite", "-b", "navy"], ["composite", "--layer", "", "--layer-distance", "1"],
        ])
    func kept(verb: [String]) throws {
        let input = try photo(in: folder)
        let verb = verb.map { $0.isEmpty ? TestImages.path("plain.jpg") : $0 }
        func run(_ more: [String]) throws -> Tool.Run {
            try Tool.run("\(verb) \(input) \(more)", status: nil)
        }
        let jpeg = folder.file("made.jpg")
        let kept = try run(["-o", jpeg])
        #expect(kept.status == 0 && !kept.messages.contains("HDR"), Comment(rawValue: kept.messages))
        #expect(try planes(jpeg).contains("gain-map"))
        let png = try run(["-o", folder.file("made.png")])
        #expect(png.status == 0 && png.messages.contains("the HDR gain map is dropped: PNG cannot hold it"))
        let dropped = try run(["-o", jpeg, "--force", "--no-hdr"])
        #expect(dropped.status == 0 && dropped.messages.contains("the HDR gain map is dropped (--no-hdr)"))
        #expect(try !planes(jpeg).contains("gain-map"))
    }

    @Test("--no-hdr is refused where there is nothing to drop")
    func refused() throws {
        let input = try photo(in: folder)
        for (arguments, reason) in [
            (["blur", input, "-o", folder.file("a.png")], "PNG holds no HDR gain map"),
            (["composite", input, "-o", folder.file("a.tiff")], "TIFF holds no HDR gain map"),
            (
                ["blur", TestImages.path("portrait.jpg"), "-o", folder.file("a.jpg")],
                "the photo has no HDR gain map"
            ),
        ] {
            try Tool.run("\(arguments) --no-hdr", status: 64, says: "--no-hdr has no effect: \(reason)")
        }
    }
}
