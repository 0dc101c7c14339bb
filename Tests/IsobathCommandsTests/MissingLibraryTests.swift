import Foundation
import TestSupport
import Testing

/// Codecs are loaded when an image needs them.
@Suite("Missing libraries")
struct MissingLibraryTests {
    /// Runs the tool where these libraries are empty files, which cannot be loaded.
    private func run(_ arguments: [String], without libraries: [String]) throws -> Tool.Run {
        let folder = try TemporaryFolder()
        for name in libraries { try Data().write(to: URL(fileURLWithPath: folder.file(name))) }
        return try Tool.shell(
            #"LD_LIBRARY_PATH="$1"; export LD_LIBRARY_PATH; shift; exec "$0" "$@""#, [folder.path] + arguments
        )
    }

    @Test(
        "are named, with the format that needs them",
        arguments: [
            ("portrait.heic", "d.png", "libde265.so.0", "HEVC", "libde265"),
            ("portrait.jpg", "d.tiff", "libtiff.so.6", "TIFF", "libtiff"),
            ("portrait.jpg", "d.exr", "libOpenEXRCore-3_1.so.30", "OpenEXR", "OpenEXR"),
        ])
    func missing(photo: String, output: String, library: String, format: String, name: String) throws {
        let folder = try TemporaryFolder()
        let run = try run(
            ["extract", TestImages.path(photo), "-o", folder.file(output)], without: [library])
        #expect(run.status == 1)
        #expect(
            run.messages.hasSuffix(
                ": \(format) without its library (\(library) cannot be loaded; install \(name)) is not supported\n"
            ),
            "\(run.messages)")
        #expect(folder.contents == [])
    }

    @Test("do not keep other images from being read")
    func others() throws {
        let libraries = ["libde265.so.0", "libtiff.so.6", "libOpenEXRCore-3_1.so.30"]
        let folder = try TemporaryFolder()
        let list = try run(["info", TestImages.path("portrait.heic")], without: libraries)
        #expect(list.status == 0 && list.text.contains("disparity"))
        let output = folder.file("d.png")
        let extracted = try run(
            ["extract", TestImages.path("portrait.jpg"), "-o", output], without: libraries)
        #expect(extracted.status == 0, "\(extracted.messages)")
    }
}
