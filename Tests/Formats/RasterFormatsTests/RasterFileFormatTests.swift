import RasterFormats
import Testing

@Suite struct RasterFileFormatTests {
    @Test(
        "A raster format is recognized by its first bytes",
        arguments: [
            ("P5 640 480 65535\n", RasterFileFormat.pgm), ("P5\n# NYU\n", .pgm), ("P6\n1 1", .ppm),
            ("Pf\n3 2\n", .pfm), ("PF\n3 2\n", .pfm), ("II*\u{0}....", .tiff), ("MM\u{0}*....", .tiff),
            ("II+\u{0}....", .tiff), ("PK\u{3}\u{4}....", .npz), ("P5", nil), ("P7\n", nil), ("Pfau", nil),
            ("640&480&1&....", .colmap), ("640&480&3&", .colmap), ("640&480&12&", nil), ("640&480&", nil),
            ("640&&1&", nil), ("0&480&1&", nil), ("-4&480&1&", nil), ("", nil),
        ] as [(String, RasterFileFormat?)])
    func signature(start: String, format: RasterFileFormat?) {
        #expect(RasterFileFormat(recognizing: Array(start.utf8)) == format)
    }
}
