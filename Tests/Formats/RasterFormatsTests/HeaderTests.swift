import Bytes
import RasterFormats
import TestSupport
import Testing

/// Files made by hand, of a few samples each.
enum HandMade {
    /// 3 × 2 floats, little-endian, bottom row first: 1 2 3 below, 4 5 6 above.
    static let pfm = Array("Pf\n3 2\n-1.0\n".utf8) + littleEndian([1, 2, 3, 4, 5, 6])
    /// 2 × 1 codes of 16 bits, most significant byte first: 1 and 258.
    static let pgm = Array("P5\n# made by hand\n2 1\n65535\n".utf8) + [0, 1, 1, 2]
    /// 2 rows of 3 half floats in Fortran order: 1 2 3 above, -2 0.5 inf below.
    static let npy =
        npyHeader("'<f2', 'fortran_order': True, 'shape': (2, 3)") + [
            0x00, 0x3C, 0x00, 0xC0, 0x00, 0x40, 0x00, 0x38, 0x00, 0x42, 0x00, 0x7C,
        ]

    static func npyHeader(_ fields: String) -> [UInt8] {
        let text = "{'descr': \(fields), }\n"
        return [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(text.utf8.count), 0] + Array(text.utf8)
    }
}

@Suite struct HeaderTests {
    private func samples(_ bytes: [UInt8], _ raster: RasterDescription) -> RasterSamples? {
        guard case .bytes(let range, let layout) = raster.location else { return nil }
        return RasterSamples(Array(bytes[range]), layout: layout)
    }

    @Test("A ZIP directory whose place is beyond all numbers is an error")
    func zipPlace() throws {
        // APPNOTE 6.3.10 §4.3.14 to §4.3.16: the record of ZIP64, where it is, and the end that leaves all to it.
        var archive = Array("PK\u{6}\u{6}".utf8)
        for (value, count) in [(44, 8), (45, 2), (45, 2), (0, 8), (1, 8), (1, 8), (100, 8), (.max - 10, 8)] {
            archive += littleEndian(value, count)
        }
        archive += Array("PK\u{6}\u{7}".utf8) + littleEndian(0, 12) + littleEndian(1)
        archive += Array("PK\u{5}\u{6}".utf8) + littleEndian(0) + littleEndian(-1, 12) + littleEndian(0, 2)
        let error = try #require(throws: ContainerError.self) {
            try ZIPDirectory(parsing: MemorySource(archive), limits: DecodingLimits())
        }
        #expect(error.code == "truncated" && error.offset == .max - 10)
    }

    @Test("PFM rows are read from top to bottom") func pfmComesOutFromTheTop() throws {
        let raster = try RasterDescription(
            parsingPFM: MemorySource(HandMade.pfm), limits: DecodingLimits())
        #expect((raster.width, raster.height, raster.channels) == (3, 2, 1))
        #expect(samples(HandMade.pfm, raster) == .float([4, 5, 6, 1, 2, 3]))
    }

    @Test("PGM samples are big-endian") func pgmIsBigEndianByTheRule() throws {
        let source = MemorySource(HandMade.pgm)
        let raster = try RasterDescription(parsingPNM: source, limits: DecodingLimits())
        #expect(samples(HandMade.pgm, raster) == .uint16([1, 258]))
    }

    @Test("An NPY in Fortran order is read in row order") func npyInFortranOrder() throws {
        let raster = try RasterDescription(parsingNPY: MemorySource(HandMade.npy), limits: DecodingLimits())
        #expect((raster.width, raster.height) == (3, 2))
        #expect(samples(HandMade.npy, raster) == .float([1, 2, 3, -2, 0.5, .infinity]))
    }

    @Test("Half floats are read as in the tables of IEEE 754")
    func halves() {
        let codes: [UInt16] = [0x0001, 0x03FF, 0x0400, 0x7BFF, 0x8000, 0xFC00, 0x3555]
        let bytes = codes.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let layout = SampleLayout(width: 7, height: 1, type: .float16, byteOrder: .littleEndian)
        #expect(
            RasterSamples(bytes, layout: layout)
                == .float([0x1p-24, 0x3FFp-24, 0x1p-14, 65504, -0.0, -.infinity, 0.333251953125]))
    }

    @Test(
        "Invalid PFM and PNM headers are refused with a message",
        arguments: [
            ("Pf\n0 5\n-1\n", "size is 0 × 5"), ("Pf\n3 2\n0\n", "a number, and not 0"),
            ("Pf\n3 2\nnan\n", "a number, and not 0"), ("Pf\n-3 2\n-1\n", "whole number"),
            ("Pf\n3 99999999999999999999\n-1\n", "out of range"), ("Pf\n100000 100000\n-1\n", "limit of"),
            ("Pf\n10000 10000\n-1\n", "bytes needed"), ("P5 3 2 65536\n", "1 to 65535"),
            ("P5 100000 100000 255\n", "limit of"), ("P2 3 2 255\n1 2 3 4 ", "needed"),
        ])
    func refused(text: String, words: String) throws {
        let source = MemorySource(Array(text.utf8))
        let error = try #require(throws: ContainerError.self) {
            _ =
                text.hasPrefix("Pf")
                ? try RasterDescription(parsingPFM: source, limits: DecodingLimits())
                : try RasterDescription(parsingPNM: source, limits: DecodingLimits())
        }
        #expect(error.message.contains(words), "\(error)")
    }

    @Test(
        "NPY arrays that are not planes are refused",
        arguments: [
            ("'|O', 'fortran_order': False, 'shape': (2, 3)", "'|O'"),
            ("'<c8', 'fortran_order': False, 'shape': (2, 3)", "'<c8'"),
            ("[('x', '<f4')], 'fortran_order': False, 'shape': (2, 3)", "records"),
            ("'<f4', 'fortran_order': False, 'shape': (6,)", "shape is 6"),
            ("'<f4', 'fortran_order': False, 'shape': ()", "shape is ()"),
            ("'<f4', 'fortran_order': False, 'shape': (2, 3, 2)", "shape is 2 × 3 × 2"),
            ("'<f4', 'fortran_order': False, 'shape': (0, 3)", "3 × 0"),
            ("'<f4', 'fortran_order': False, 'shape': (100000, 100000)", "limit of"),
            ("'<f4', 'fortran_order': Maybe, 'shape': (2, 3)", "neither True nor False"),
            ("'<f4', 'fortran_order': False", "lacks descr"),
        ])
    func refusedArray(fields: String, words: String) throws {
        let error = try #require(throws: ContainerError.self) {
            _ = try RasterDescription(
                parsingNPY: MemorySource(HandMade.npyHeader(fields)), limits: DecodingLimits())
        }
        #expect(error.message.contains(words), "\(error)")
    }

    @Test("A header without an end is refused") func endlessHeaderEnds() throws {
        for start in ["Pf\n", "P5 #"] {
            let source = MemorySource(Array(start.utf8) + [UInt8](repeating: 0x20, count: 1 << 20))
            let error = try #require(throws: ContainerError.self) {
                _ =
                    start == "Pf\n"
                    ? try RasterDescription(parsingPFM: source, limits: DecodingLimits())
                    : try RasterDescription(parsingPNM: source, limits: DecodingLimits())
            }
            #expect(error.code == "malformed")
        }
    }

    @Test("Every truncated header is an error", arguments: [HandMade.pfm, HandMade.pgm, HandMade.npy])
    func truncated(file: [UInt8]) {
        for count in 0..<file.count {
            let source = MemorySource(Array(file.prefix(count)))
            #expect(throws: ContainerError.self) {
                switch file[0] {
                case 0x93: _ = try RasterDescription(parsingNPY: source, limits: DecodingLimits())
                default:
                    _ =
                        file[1] == UInt8(ascii: "f")
                        ? try RasterDescription(parsingPFM: source, limits: DecodingLimits())
                        : try RasterDescription(parsingPNM: source, limits: DecodingLimits())
                }
            }
        }
    }

    @Test("Mutated headers are read or refused, some of each")
    func mutated() {
        for file in [HandMade.pfm, HandMade.pgm, HandMade.npy] {
            var random = SplitMix(seed: 1)
            var mutants = MutantCount()
            for _ in 0..<4000 {
                var bytes = file
                random.damage(&bytes, changes: 3)
                let source = MemorySource(bytes)
                let readings = [
                    Result { try RasterDescription(parsingNPY: source, limits: DecodingLimits()) },
                    Result { try RasterDescription(parsingPFM: source, limits: DecodingLimits()) },
                    Result { try RasterDescription(parsingPNM: source, limits: DecodingLimits()) },
                ]
                // Each mutant is read as one format or as none.
                mutants.add { _ = try (readings.first { (try? $0.get()) != nil } ?? readings[0]).get() }
                _ = try? ZIPDirectory(parsing: source, limits: DecodingLimits())
                _ = try? RasterDescription(parsingPNG: source, limits: DecodingLimits())
                _ = try? StereoCalibration(parsing: bytes)
            }
            mutants.expectBoth()
        }
    }
}
