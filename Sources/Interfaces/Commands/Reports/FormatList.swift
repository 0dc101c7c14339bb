internal import Codecs
internal import Embedded
internal import Isobath
internal import Movies
internal import Networks
internal import Recordings

/// The output of `info --formats`: the formats that this build reads and writes, and the codec libraries that it
/// finds.
enum FormatList {
    private static let read: [(kind: String, formats: String)] = [
        ("photos", "HEIC, JPEG, DNG, AVIF, JPEG XL, MPO, JPS"),
        ("rasters", "PNG, PGM, TIFF, OpenEXR, PFM, NPY, NPZ"),
        ("recordings", "folders, .r3d, .zip, .sens, .bag, .mcap, .db3; see the article Formats"),
        ("movies", "MP4, MOV, Matroska, WebM, AVI, GIF, WebP, APNG, MPEG-TS, y4m"),
    ]

    private static let written: [(kind: String, formats: String)] = [
        ("planes", RasterFormat.allCases.map(\.argumentName).joined(separator: ", ")),
        ("pictures", PictureFormat.allCases.map(\.argumentName).joined(separator: ", ")),
        ("points", CloudFormat.allCases.filter(\.holdsPoints).map(\.rawValue).joined(separator: ", ")),
        ("meshes", CloudFormat.allCases.filter(\.holdsMeshes).map(\.rawValue).joined(separator: ", ")),
        ("movies", MovieFormat.allCases.map(\.rawValue).joined(separator: ", ") + ", gif, y4m"),
        ("photos", ConversionTarget.allCases.map(\.rawValue).joined(separator: ", ")),
    ]

    static func print(json: Bool) throws {
        let text = json ? record.serialized + "\n" : lines
        try StandardOutput.write(Array(text.utf8)[...])
    }

    private static var lines: String {
        func rows(_ rows: [(String, String)]) -> String {
            rows.map { "  " + $0.0.padded(to: 15) + $0.1 + "\n" }.joined()
        }
        let libraries = CodecLibrary.all.map { library in
            (
                library.name,
                library.version.map { "\($0): \(library.purpose)" }
                    ?? "missing: \(library.purpose); install \(library.package.map { $0 == "|" ? "or" : "\($0)" }.joined())"
            )
        }
        return "Reads\n" + rows(read.map { ($0.kind, $0.formats) }) + "\nWrites\n"
            + rows(written.map { ($0.kind, $0.formats) })
            + "\nLibraries that are loaded when they are needed\n"
            + rows(libraries)
    }

    private static var record: JSONValue {
        func object(_ rows: [(kind: String, formats: String)]) -> JSONValue {
            .object(rows.map { ($0.kind, .text($0.formats)) })
        }
        return .object([
            ("schema", .text("isobath.formats/1")), ("reads", object(read)), ("writes", object(written)),
            (
                "libraries",
                .array(
                    CodecLibrary.all.map {
                        .object([
                            ("name", .text($0.name)), ("found", .bool($0.version != nil)),
                            ("version", .optional($0.version)), ("purpose", .text($0.purpose)),
                            ("file", .optional($0.file)), ("package", .text($0.package)),
                        ])
                    })
            ),
        ])
    }
}

extension CodecLibrary {
    /// All libraries that may be missing.
    fileprivate static var all: [CodecLibrary] {
        ofImages + ofRecordings + [
            .init("FFmpeg", for: "movies", package: "ffmpeg", version: MovieLibrary.version),
            .init(
                "ONNX Runtime", for: "networks", package: OnnxRuntime.package,
                version: try? OnnxRuntime.load()),
        ]
    }
}
