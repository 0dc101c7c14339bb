import Bytes
import DepthMaps
import DepthTypes
import Embedded
import Foundation
import PhotoFormats
import Scenes
import TestSupport
import Testing

@Suite struct ReadingOptionsTests {
    private let folder = TemporaryFolder()

    /// 2 × 2 codes of 16 bits: 0, 1000, 2500, 65535.
    private let pgm = MemorySource(Array("P5 2 2 65535\n".utf8) + [0, 0, 0x03, 0xE8, 0x09, 0xC4, 0xFF, 0xFF])
    /// 2 × 1 disparities in pixels: 10, infinity.
    private let pfm = MemorySource(Array("Pf\n2 1\n-1\n".utf8) + [0, 0, 0x20, 0x41, 0, 0, 0x80, 0x7F])

    @Test("A scale converts integers to meters") func scaleGivesMeters() throws {
        var reading = ReadingOptions()
        reading.scale = 1000
        let map = try DepthScene(storedIn: pgm, reading: reading).depth()
        #expect(map.scale == .absolute)
        #expect(map.meters[0].isNaN && map.meters[1...2] == [1, 2.5])
        // The greatest code, far beyond the next one: nothing was hit.
        #expect(map.meters[3].isNaN)
    }

    @Test("Integers without a scale have no unit") func integersAreUnitless() throws {
        let input = try DepthScene(storedIn: pgm)
        #expect(try input.depth().meters[1...2] == [1000, 2500])
        let record = input.record(path: "x").serialized
        #expect(record.contains("\"unit\": null") && record.contains("\"accuracy\": \"unknown\""))
        #expect(input.diagnostics.contains { $0.code == .noUnit })
    }

    @Test("An integer disparity of 0 is unknown") func integerZeroOfDisparityIsUnknown() throws {
        var reading = ReadingOptions()
        reading.quantity = .disparity
        reading.scale = 1000
        let input = try DepthScene(storedIn: pgm, reading: reading)
        #expect(try input.disparity().reciprocalMeters[1...] == [1, 2.5, 65.535])
        #expect(try input.disparity().reciprocalMeters[0].isNaN)
        #expect(try input.depth().meters[1...2] == [1, 0.4])
    }

    @Test("Infinity is unknown, unless it is kept as an infinite depth")
    func infinityIsUnknownUnlessKept() throws {
        var reading = ReadingOptions()
        let meters = try DepthScene(storedIn: pfm, reading: reading).depth().meters
        #expect(meters[0] == 10 && meters[1].isNaN)
        reading.noData = .nothing
        #expect(try DepthScene(storedIn: pfm, reading: reading).depth().meters == [10, .infinity])
        reading.noData = nil
        reading.quantity = .disparity
        let values = try DepthScene(storedIn: pfm, reading: reading).disparity().reciprocalMeters
        #expect(values[0] == 10 && values[1].isNaN)
    }

    @Test("A baseline and a focal length convert pixels of disparity to meters")
    func baselineTurnsPixelsIntoMeters() throws {
        var reading = ReadingOptions()
        reading.baseline = 0.1
        reading.camera = .focalLength(500)
        // Z = 0.1 m · 500 px / 10 px
        #expect(try DepthScene(storedIn: pfm, reading: reading).depth().meters[0] == 5)
    }

    @Test(
        "Invalid raster flags are refused with a message that names them",
        arguments: [
            (["--scale", "0"], "positive"), (["--scale", "-5"], "positive"),
            (["--camera", "-3"], "positive"),
            (["--camera", "1,2"], "F,CX,CY"), (["--baseline", "0.1"], "camera"),
            (["--baseline", "1", "--camera", "1", "--quantity", "depth"], "disparity"),
            (["--byte-order", "little"], "--raw-depth gray16le,WxH"),
        ])
    func usage(flags: [String], words: String) throws {
        try Tool.run("extract x.pgm -o y.npy \(flags)", status: 64, says: words)
    }

    @Test(
        "A file that declares a false size is refused before memory is allocated",
        arguments: [
            "P5 20000 20000 65535\n", "Pf\n20000 20000\n-1\n",
            "II*\0\u{8}\0\0\0\u{4}\0\0\u{1}\u{4}\0\u{1}\0\0\0\0 N\0\u{1}\u{1}\u{4}\0\u{1}\0\0\0\0 N\0",
        ])
    func lies(start: String) throws {
        let bytes = Array(start.utf8) + [UInt8](repeating: 0, count: max(0, 100 - start.utf8.count))
        #expect(throws: ContainerError.self) { _ = try DepthScene(storedIn: MemorySource(bytes)).depth() }
    }

    @Test("A record provides the camera, scaled to the raster")
    func record() throws {
        let output = folder.file("depth.npy")
        let photo = TestImages.path("portrait.heic")
        let run = try Tool.run("extract \(photo) --as depth -o \(output) --json")
        var reading = ReadingOptions()
        reading.camera = .file(try folder.write(Array(run.text.utf8), to: "line.json"))
        reading.colorPath = photo
        let input = try DepthScene(storedIn: output, reading: reading)
        let wanted = try DepthScene(storedIn: photo).depth()
        let found = try input.depth()
        #expect(found.meters == wanted.meters)
        #expect(found.calibration == wanted.calibration?.scaled(toWidth: found.width, height: found.height))
        #expect(try input.picture(atLeast: nil)?.width == DepthPhoto(contentsOf: photo).image().width)
    }

    @Test(
        "Files of data sets give the camera, scaled to the raster",
        arguments: [
            #"{"width": 80, "height": 60, "intrinsic_matrix": [40, 0, 0, 0, 44, 0, 31.5, 27.5, 1]}"#,
            #"{"w": 80, "h": 60, "fl_x": 40, "fl_y": 44, "cx": 32, "cy": 28, "frames": []}"#,
            "# comment\n1 PINHOLE 80 60 40 44 32 28\n2 PINHOLE 8 6 4 4 3 3\n",
            "1 OPENCV 80 60 40 44 32 28 0.1 0 0 0\n", "20 22 15.5 13.5\n", "20 0 15.5 0 22 13.5 0 0 1",
        ])
    func cameraFiles(content: String) throws {
        var reading = ReadingOptions()
        reading.camera = .file(try folder.write(text: content, to: "camera"))
        let bytes = Array("P5 40 30 255\n".utf8) + [UInt8](repeating: 1, count: 1200)
        let camera = try DepthScene(storedIn: MemorySource(bytes), reading: reading).camera()
        #expect((camera.focalLengthX, camera.focalLengthY) == (20, 22))
        #expect((camera.principalPointX, camera.principalPointY) == (15.5, 13.5))
        let square = Array("P5 40 40 255\n".utf8) + [UInt8](repeating: 1, count: 1600)
        guard content.contains("80") else { return }
        #expect(throws: SceneError.self) {
            try DepthScene(storedIn: MemorySource(square), reading: reading)
        }
    }

    @Test("Distances along the rays of a flat wall are its depth")
    func distance() throws {
        let focalLength = 4.0
        let distances = (0..<12).map { index -> Float in
            let (x, y) = (Double(index % 4) - 1.5, Double(index / 4) - 1)
            return Float(2 * (1 + (x * x + y * y) / (focalLength * focalLength)).squareRoot())
        }
        let path = try file(.npy, distances, in: folder)
        var reading = ReadingOptions()
        (reading.quantity, reading.camera) = (.distance, .focalLength(focalLength))
        let depth = try DepthScene(contentsOf: path, reading: reading).depth().meters
        #expect(depth.allSatisfy { abs($0 - 2) < 1e-6 })
        reading.camera = nil
        #expect(throws: SceneError.distanceWithoutCamera) {
            try DepthScene(contentsOf: path, reading: reading)
        }
        try folder.run("extract \(path) --quantity distance -o a.exr", status: 1, says: "--camera gives one")
    }

    @Test(
        "A camera is numbers or a path",
        arguments: [
            ("525", .focalLength(525)), ("525,1.5,-2", .intrinsics(fx: 525, fy: 525, cx: 1.5, cy: -2)),
            ("5,6,1,2", .intrinsics(fx: 5, fy: 6, cx: 1, cy: 2)), ("./5", .file("./5")),
            ("calib.txt", .file("calib.txt")), ("1,2", nil), ("", nil), ("5,x,1", nil), ("1,2,3,4,5", nil),
            ("0x10", nil), ("inf", nil),
        ] as [(String, ReadingOptions.Camera?)])
    func cameraText(text: String, wanted: ReadingOptions.Camera?) {
        #expect(ReadingOptions.Camera(text) == wanted)
    }

    @Test("A color image of another aspect ratio is refused with a message")
    func aspect() throws {
        let square = MemorySource(Array("P5 8 8 255\n".utf8) + [UInt8](repeating: 1, count: 64))
        var reading = ReadingOptions()
        reading.colorPath = TestImages.path("portrait.heic")
        let error = try #require(throws: SceneError.self) {
            _ = try DepthScene(storedIn: square, reading: reading)
        }
        #expect(error.description.contains("another shape"))
    }

    @Test(
        "A depth map of only unknown and infinite samples has no known one, and is not written",
        arguments: ["png", "exr"])
    func nothingFinite(ending: String) throws {
        let source = try file(.npy, [Float](repeating: .nan, count: 11) + [.infinity], in: folder)
        let output = folder.file("out.\(ending)")
        try Tool.run(
            "extract \(source) -o \(output)", status: 1, says: "no sample is known: all 12 are unknown")
        #expect(!FileManager.default.fileExists(atPath: output))
    }

    @Test("A file without a header is refused as possibly headerless") func headerlessFileIsRefusedAsSuch()
        throws
    {
        let error = try #require(throws: ContainerError.self) {
            _ = try DepthScene(storedIn: MemorySource([UInt8](repeating: 7, count: 640)))
        }
        let isHeaderless = if case .possiblyHeaderless = error.reason { true } else { false }
        #expect(isHeaderless)
        #expect(error.code == "unrecognized" && !error.message.contains("--"))
    }
}
