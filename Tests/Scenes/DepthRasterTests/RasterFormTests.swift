import Bytes
import Codecs
import DepthMaps
import DepthTypes
import PhotoFormats
import Scenes
import TestSupport
import Testing

/// Forms of rasters that other programs write, made by hand.
@Suite struct RasterFormTests {
    private let folder = TemporaryFolder()

    /// Five pixels in two rows; rows begin at whole bytes (TIFF 6.0, PackBits and no compression).
    @Test(
        "TIFF samples of 1, 2 and 4 bits are codes, the first one in the highest bits",
        arguments: [
            (1, [0b1011_0000, 0b0100_1000], [1, 0, 1, 1, 0, 0, 1, 0, 0, 1]),
            (2, [0b1101_1000, 0b0100_0000, 0b0001_1011, 0b1100_0000], [3, 1, 2, 0, 1, 0, 1, 2, 3, 3]),
            (4, [0xF1, 0x2A, 0x30, 0x01, 0x23, 0x40], [15, 1, 2, 10, 3, 0, 1, 2, 3, 4]),
        ] as [(Int, [UInt8], [Float])])
    func packed(bits: Int, samples: [UInt8], codes: [Float]) throws {
        var tiff = HandMadeTIFF(width: 5, height: 2, samples: samples)
        tiff.bits = bits
        var reading = ReadingOptions()
        (reading.quantity, reading.noData) = (.depth, .nothing)
        let input = try DepthScene(storedIn: MemorySource(tiff.bytes), reading: reading)
        #expect(try input.depth().meters == codes)
        #expect(input.description.storedPlanes.first?.bitDepth == bits)
        // As a picture, the largest code is white.
        let picture = try openPicture(MemorySource(tiff.bytes), limits: DecodingLimits()).image()
        let wanted = codes.map { UInt8((Int($0) * 255 + (1 << bits - 1) / 2) / (1 << bits - 1)) }
        guard case .uint8(let pixels) = picture.pixels else {
            Issue.record("8 bits are expected")
            return
        }
        #expect(pixels.map(\.red) == wanted)
    }

    @Test(
        "Depth of 8 bits whose least code is white is what the picture shows, and deeper samples are as stored"
    )
    func whiteIsZero() throws {
        func values(_ tiff: HandMadeTIFF) throws -> [Float] {
            var reading = ReadingOptions()
            (reading.quantity, reading.noData) = (.depth, .nothing)
            return try DepthScene(storedIn: MemorySource(tiff.bytes), reading: reading).depth().meters
        }
        var tiff = HandMadeTIFF(width: 4, height: 1, samples: [0, 55, 200, 255])
        tiff.photometric = 0
        #expect(try values(tiff) == [255, 200, 55, 0])
        (tiff.bits, tiff.width, tiff.samples) = (4, 4, [0x0F, 0x28])
        #expect(try values(tiff) == [15, 0, 13, 7])
        (tiff.bits, tiff.width, tiff.samples) = (16, 2, [1, 0, 0xFF, 0xFF])
        #expect(try values(tiff) == [1, 65535])
        // A value that means unknown is a stored one.
        tiff = HandMadeTIFF(width: 3, height: 1, samples: [0, 55, 200])
        (tiff.photometric, tiff.texts) = (0, [42113: "55"])
        let map = try DepthScene(storedIn: MemorySource(tiff.bytes)).disparity()
        #expect(map.reciprocalMeters.map(\.isNaN) == [false, true, false])
    }

    /// Frames of Zstandard whose blocks are runs of 128 KiB in 4 bytes (RFC 8878, 3.1.1.2.2).
    @Test("A TIFF of Zstandard may be ten thousand times as large as its file")
    func zstandard() throws {
        let run: [UInt8] = [0x02, 0x00, 0x10, 7]
        let last: [UInt8] = [0x03, 0x00, 0x10, 7]
        let frame = [0x28, 0xB5, 0x2F, 0xFD, 0xA0, 0, 0, 0x40, 0] + Array(repeating: run, count: 31).joined()
        var tiff = HandMadeTIFF(width: 2048, height: 2048, samples: frame + last)
        tiff.compression = 50000
        var reading = ReadingOptions()
        (reading.quantity, reading.noData) = (.depth, .nothing)
        let map = try DepthScene(storedIn: MemorySource(tiff.bytes), reading: reading).depth()
        #expect(map.meters.count == 2048 * 2048 && map.meters.allSatisfy { $0 == 7 })
    }

    /// The form of COLMAP's `src/colmap/mvs/mat.h`: `width&height&channels&`, then Float32 row by row.
    @Test("A dense map of COLMAP is depth without a unit, and 0 is unknown")
    func colmapMap() throws {
        let samples: [Float] = [1.5, 0, 2.25, 3, -1, 0.5]
        let bytes = Array("3&2&1&".utf8) + littleEndian(samples)
        let input = try DepthScene(storedIn: MemorySource(bytes))
        let meters = try input.depth().meters
        #expect(meters.map { $0.isNaN ? -9 : $0 } == [1.5, -9, 2.25, 3, -9, 0.5])
        #expect(input.description.depth?.scale == .unitless)
        var reading = ReadingOptions()
        reading.scale = 1
        #expect(
            try DepthScene(storedIn: MemorySource(bytes), reading: reading).description.depth?.scale
                == .absolute)
        #expect(throws: ContainerError.self) {
            _ = try DepthScene(storedIn: MemorySource(Array(bytes.dropLast()))).depth()
        }
        // A map of normals.
        let normals = Array("1&1&3&".utf8) + [UInt8](repeating: 0, count: 12)
        #expect(try DepthScene(storedIn: MemorySource(normals)).description.depth == nil)
    }

    @Test("A truncated TIFF of few bits is refused")
    func truncatedBits() throws {
        var tiff = HandMadeTIFF(width: 5, height: 1000, samples: [1])
        tiff.bits = 4
        #expect(throws: ContainerError.self) {
            _ = try DepthScene(storedIn: MemorySource(tiff.bytes)).depth()
        }
    }

    @Test("A text PGM is read, with comments between samples")
    func text() throws {
        let pgm = Array("P2\n# made by hand\n3 2 # size\n900\n1 2 3 # first row\n\n 40 \t 500 900".utf8)
        var reading = ReadingOptions()
        reading.scale = 100
        #expect(
            try DepthScene(storedIn: MemorySource(pgm), reading: reading).depth().meters == [
                0.01, 0.02, 0.03, 0.4, 5, 9,
            ])
    }

    @Test(
        "A text PGM that breaks the format is refused with both sides of the rule",
        arguments: [
            ("P2 3 2 255\n1 2 3 4 5", "truncated"), ("P2 3 2 255\n1 2 3           ", "truncated"),
            ("P2 3 2 255\n1 2 3 4 5 256", "the largest sample is declared as 255, but one is 256"),
            ("P2 3 2 255\n1 2 3 4 5 x", "decimal number"), ("P2 3 2 255\n1 2 -3 4 5 6", "decimal number"),
            ("P2 1 1 255\n99999999999999999999", "but one is 999999"),
            ("P2 100000 100000 255\n1 2", "limit"),
        ])
    func malformedText(text: String, words: String) throws {
        let error = try #require(throws: ContainerError.self) {
            _ = try DepthScene(storedIn: MemorySource(Array(text.utf8))).depth()
        }
        #expect("\(error.code) \(error.message)".contains(words), "\(error)")
    }

    @Test("A text PPM is a picture")
    func textColor() throws {
        let picture = try openPicture(
            MemorySource(Array("P3 2 1 255 255 0 7 1 2 3\n".utf8)), limits: DecodingLimits()
        ).image()
        guard case .uint8(let pixels) = picture.pixels else {
            Issue.record("8 bits are expected")
            return
        }
        #expect(pixels.map { [$0.red, $0.green, $0.blue] } == [[255, 0, 7], [1, 2, 3]])
    }

    @Test("A TIFF of two Float32 channels is named as a disparity grid")
    func grid() throws {
        var tiff = HandMadeTIFF(width: 1, height: 2, values: [1, 2, 3, 4])
        tiff.channels = 2
        let input = try DepthScene(storedIn: MemorySource(tiff.bytes))
        #expect(input.description.storedPlanes.isEmpty && input.diagnostics.map(\.code) == ["vector-grid"])
        #expect(throws: SceneError.vectorGrid(nil)) { _ = try input.depth() }
    }

    private func exr(_ channels: [String], in folder: TemporaryFolder) throws -> String {
        let path = folder.file("z.exr")
        try OutputFile(path: path, replacesExisting: true).write { (descriptor) throws(WriteError) in
            let channels = channels.map { EXRChannel(name: $0, samples: [1, 2], isHalf: false) }
            try LayeredEXR(width: 2, height: 1, channels: channels, attributes: []).write(to: descriptor)
        }
        return path
    }

    @Test(
        "The Z of an OpenEXR layer that has X and Y, too, is part of a vector and not depth",
        arguments: [
            (["N.X", "N.Y", "N.Z"], nil), (["X", "Y", "Z"], nil), (["n.x", "n.y", "n.z"], nil),
            (["N.X", "N.Y", "N.Z", "Z"], "Z"), (["N.X", "N.Y", "N.Z", "view.Z"], "view.Z"),
            (["N.X", "P.Y", "P.Z"], "P.Z"), (["N.X", "N.Y", "N.Z", "X", "Z"], "Z"),
        ] as [([String], String?)])
    func vectors(channels: [String], depth: String?) throws {
        let path = try exr(channels, in: folder)
        guard let depth else {
            let error = try #require(throws: ContainerError.self) {
                _ = try DepthScene(storedIn: path)
            }
            #expect(error.message.contains("no channel holds depth; the file has"))
            return
        }
        #expect(try DepthScene(storedIn: path).description.storedPlanes.first?.type == depth)
    }

    @Test("A vector's channel is read where it is named")
    func namedVector() throws {
        var reading = ReadingOptions()
        reading.arrayName = "N.Z"
        let input = try DepthScene(
            storedIn: exr(["N.X", "N.Y", "N.Z"], in: folder), reading: reading)
        #expect(try input.depth().meters == [1, 2])
    }

    @Test("OpenEXR compressions that the C library lacks are named before anything is decoded")
    func unsupportedCompression() throws {
        let path = try exr(["Z"], in: folder)
        var bytes = try folder.bytes(of: "z.exr")
        // The attribute: name, type, size 1, and 3 for ZIP; 8 is DWAA.
        let attribute = Array("compression\0compression\0\u{1}\0\0\0\u{3}".utf8)
        let start = try #require(
            bytes.indices.first { bytes[$0...].starts(with: attribute) })
        bytes[start + attribute.count - 1] = 8
        try folder.write(bytes, to: "z.exr")
        let input = try DepthScene(storedIn: path)
        let message = "compression DWAA, which the OpenEXR C library lacks, is not supported"
        #expect(input.diagnostics.contains { $0.message.contains(message) })
        let error = try #require(throws: ContainerError.self) { _ = try input.depth() }
        #expect(error.message == message && error.code == "unsupported")
    }

    @Test("A Float32 TIFF has no predictor (TIFF 6.0, 317), which not all readers know")
    func predictor() throws {
        _ = try file(.tiff, in: folder)
        let bytes = try folder.bytes(of: "map.tiff")
        try #require(Array(bytes[..<4]) == Array("II*\0".utf8))
        let directory = bytes.littleEndian(at: 4)
        let entries = (0..<bytes.littleEndian(at: directory, 2)).map { directory + 2 + 12 * $0 }
        let predictor = entries.first { bytes.littleEndian(at: $0, 2) == 317 }
            .map { bytes.littleEndian(at: $0 + 8, 2) }
        #expect(predictor ?? 1 == 1)
    }

    @Test(
        "Formats that are not read are named",
        arguments: [
            ([0x89, 0x4C, 0x46, 0x50, 0x0D, 0x0A, 0x1A, 0x0A], "Lytro LFP"),
            ([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A], "h5py.File"),
        ]
            as [([UInt8], String)])
    func named(start: [UInt8], name: String) throws {
        let error = try #require(throws: ContainerError.self) {
            _ = try DepthScene(storedIn: MemorySource(start + [UInt8](repeating: 0, count: 600)))
        }
        #expect(error.code == "unrecognized" && error.message.contains(name))
    }
}

/// Which shade of a gray image without a unit is near: white with 8 bits or fewer, black with more, alone and beside a photo.
@Suite struct NearSideRuleTests {
    private func folder(bits: Int) throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        try folder.write(TestImages.bytes("plain.jpg"), to: "room.jpg")
        let maximum = bits == 8 ? "255" : "65535"
        let rows = (0..<3).flatMap { row in
            [UInt8](repeating: UInt8(50 * (row + 1)), count: 4 * bits / 8)
        }
        try folder.write(Array("P5 4 3 \(maximum)\n".utf8) + rows, to: "room_depth.png")
        return folder
    }

    @Test("Alone and beside a photo, a gray image is read alike, with a remark", arguments: [8, 16])
    func alike(bits: Int) throws {
        let folder = try folder(bits: bits)
        let remark =
            bits == 8
            ? "assuming white = near, no unit; use --quantity depth if white = far"
            : "assuming white = far, no unit; use --quantity disparity if white = near"
        for name in ["room_depth.png", "room.jpg"] {
            let run = try folder.run("extract \(name) -o o.npy --json -f", says: remark)
            let plane = try #require(try run.objects().first?.objects("outputs").first?.object("plane"))
            #expect(plane.text("quantity") == (bits == 8 ? "disparity" : "depth"))
            let given = try folder.run("extract \(name) -o o.npy -f --quantity depth")
            #expect(!given.messages.contains("assuming white"), "\(given.messages)")
        }
    }

    @Test("A scale makes it depth")
    func scaled() throws {
        let folder = try folder(bits: 8)
        var reading = ReadingOptions()
        reading.scale = 50
        let input = try DepthScene(storedIn: folder.file("room_depth.png"), reading: reading)
        #expect(try input.depth().meters == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3])
    }
}
