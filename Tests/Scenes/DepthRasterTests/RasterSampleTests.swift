import Bytes
import DepthMaps
import DepthTypes
import Foundation
import Scenes
import TestSupport
import Testing

/// Rasters from other programs, with values read by tifffile, Pillow, NumPy and OpenEXR (`truth.json`).
@Suite(.needsSamples)
struct RasterSampleTests {
    struct Expectation: Sendable, CustomTestStringConvertible {
        var name: String
        var size: (Int, Int)
        var least: Float
        var greatest: Float
        /// Over all samples; an unknown one is 0 if the file stores it as 0.
        var mean: Double
        /// Samples that are unknown: 0 and negative ones, counted with NumPy as `(a <= 0).sum()`.
        var unknown = 0
        var little = false
        var testDescription: String { name }
    }

    static let depths = [
        Expectation(
            name: "lidar-tiff/arkit-lidar-depth-f32.tiff", size: (256, 192), least: 0.177734375,
            greatest: 0.57275390625, mean: 0.299608),
        Expectation(
            name: "kinect-tiff/kinect-frame1-depth-u16-packbits.tiff", size: (640, 480), least: 1,
            greatest: 1713,
            mean: 876.534, unknown: 35625),
        Expectation(
            name: "exr/exr-z-f32-small.exr", size: (178, 155), least: 0.10199069231748581,
            greatest: 0.8878570199012756, mean: 0.494924),
        Expectation(
            name: "exr/beachball-singlepart-z-half-stereo.exr", size: (920, 862), least: 9,
            greatest: 10.4453125,
            mean: 7.040021, unknown: 197588),
        Expectation(
            name: "npy-npz/moon-depth-f32.npy", size: (640, 640), least: 6.612623e-06,
            greatest: 1.3875854015350342, mean: 0.4172505, unknown: 128691),
        Expectation(
            name: "npy-npz/moon-depth-u16.png", size: (640, 640), least: 1, greatest: 65535, mean: 28885.4063,
            unknown: 1),
        Expectation(
            name: "rgbd-png/redwood-00000-depth-mm.png", size: (640, 480), least: 1, greatest: 2702,
            mean: 1559.8937,
            unknown: 40071),
        Expectation(
            name: "rgbd-png/tum-depth-5000.png", size: (640, 480), least: 1, greatest: 46655,
            mean: 10008.8422,
            unknown: 58950),
        Expectation(
            name: "rgbd-png/synthetic-depth.png", size: (640, 480), least: 1, greatest: 2655, mean: 409.9586,
            unknown: 228527),
        Expectation(
            name: "rgbd-pgm/slambook-depth-1.pgm", size: (640, 480), least: 1, greatest: 9823,
            mean: 2496.2791,
            unknown: 97964),
        Expectation(
            name: "rgbd-pgm/nyu-depth-raw.pgm", size: (640, 480), least: 4, greatest: 65287, mean: 47167.4844),
    ]

    @Test("Raster values equal those of other readers", arguments: depths)
    func values(expected: Expectation) throws {
        let map = try DepthScene(storedIn: SampleFolder.photos.path(expected.name)).depth()
        let known = map.meters.filter { !$0.isNaN }
        #expect((map.width, map.height) == expected.size)
        #expect(map.meters.count - known.count == expected.unknown)
        #expect(known.max() == expected.greatest)
        // The table does not give the smallest integer other than 0.
        #expect(
            expected.unknown == 0 ? known.min() == expected.least : known.allSatisfy { $0 >= expected.least })
        let mean = known.reduce(0) { $0 + Double($1) } / Double(map.meters.count)
        #expect(abs(mean - expected.mean) < 0.0001 * max(1, abs(expected.mean)))
    }

    @Test("A NumPy disparity map has the expected values") func motorcycleDisparity() throws {
        var reading = ReadingOptions()
        reading.quantity = .disparity
        let input = try DepthScene(
            storedIn: SampleFolder.photos.path("npy-npz/motorcycle-disp.npz"), reading: reading)
        let values = try input.disparity().reciprocalMeters
        #expect(values.filter(\.isNaN).count == 27226)
        #expect(values.filter { !$0.isNaN }.min() == 7.1913557052612305)
        #expect(values.filter { !$0.isNaN }.max() == 59.908958435058594)
    }

    /// Removes what the right camera would not see of Middlebury's motorcycle, and a sample around it.
    ///
    /// The bounds are below the error of the farther neighbor in the row (4.5 px, 30 % over 2 px) and of OpenCV's
    /// `inpaint` (4.6 px, 28 %).
    @Test("What one camera does not see is filled from behind, along the photo's edges if there is one")
    func motorcycleShadows() throws {
        var reading = ReadingOptions()
        reading.quantity = .disparity
        reading.colorPath = SampleFolder.photos.path("npy-npz/motorcycle-left.png")
        let input = try DepthScene(
            storedIn: SampleFolder.photos.path("npy-npz/motorcycle-disp.npz"), reading: reading)
        let map = try input.disparity()
        let (width, values) = (map.width, map.reciprocalMeters)
        var holed = values
        for row in 0..<map.height {
            let columns = (0..<width).map {
                Int((Float($0) - known(values[row * width + $0])).rounded()) + 80
            }
            var nearest = [Float](repeating: 0, count: width + 80)
            for (column, seen) in columns.enumerated() {
                nearest[seen] = max(nearest[seen], known(values[row * width + column]))
            }
            for (column, seen) in columns.enumerated()
            where known(values[row * width + column]) < nearest[seen] - 1.5 {
                for y in max(row - 1, 0)...min(row + 1, map.height - 1) {
                    for x in max(column - 1, 0)...min(column + 1, width - 1) { holed[y * width + x] = .nan }
                }
            }
        }
        let hidden = values.indices.filter { holed[$0].isNaN && !values[$0].isNaN }
        #expect(hidden.count > 50000)
        let photo = try #require(try input.picture(atLeast: nil))
        let holes = map.replacing(reciprocalMeters: holed)
        for (filled, mean, share) in [
            (holes.filled(), 3.7, 0.22), (holes.filled(guidedBy: photo), 2.8, 0.17),
        ] {
            let errors = hidden.map { Double(abs(filled.reciprocalMeters[$0] - values[$0])) }
            let (sum, large) = (errors.reduce(0, +), errors.filter { $0 > 2 }.count)
            #expect(sum / Double(errors.count) < mean)
            #expect(Double(large) / Double(errors.count) < share)
            #expect(filled.reciprocalMeters.allSatisfy { !$0.isNaN })
        }
    }

    private func known(_ value: Float) -> Float { value.isNaN ? 0 : value }

    /// Z = 59.9432 mm · 711.499 px / (d + 0), from the disparities that NumPy reads at these pixels.
    @Test(
        "Middlebury disparities are converted to meters",
        arguments: [
            (217, 356, 9.2326145, 4.619442), (400, 600, 10.744816, 3.969312), (200, 300, 9.549783, 4.466021),
        ])
    func terrace(row: Int, column: Int, disparity: Double, meters: Double) throws {
        #expect(abs(0.0599432 * 711.499 / disparity - meters) < 1e-5)
        var reading = ReadingOptions()
        reading.camera = .file(SampleFolder.photos.path("pfm/terrace-calib.txt"))
        reading.colorPath = SampleFolder.photos.path("pfm/terrace-im0.png")
        let input = try DepthScene(
            storedIn: SampleFolder.photos.path("pfm/terrace-disp0.pfm"), reading: reading)
        let map = try input.depth()
        #expect(abs(Double(map.meters[row * map.width + column]) - meters) < 2e-6)
        #expect(map.scale == .absolute && map.calibration?.principalPointX == 376.135)
        #expect(map.meters.filter(\.isNaN).count == 144901)
    }

    @Test("A PGM with swapped bytes gets a warning, and its samples are read without the header")
    func nyuLittleEndian() throws {
        let folder = TemporaryFolder()
        let path = SampleFolder.photos.path("rgbd-pgm/nyu-depth-raw.pgm")
        let extract = ["extract", "-o", folder.file("a.npy"), "--force"]
        try Tool.run("\(extract) \(path)", says: "--raw-depth gray16le,WxH reads them so")
        let right = try Tool.run("\(extract) \(SampleFolder.photos.path("rgbd-pgm/slambook-depth-1.pgm"))")
        #expect(!right.messages.contains("--raw-depth"), "\(right.messages)")
        let samples = try folder.write(
            Data(contentsOf: URL(filePath: path)).suffix(2 * 640 * 480), to: "samples.raw")
        try Tool.run("\(extract) \(samples) --raw-depth gray16le,640x480 --frame 0")
        // Codes of a Kinect: 11 bits.
        #expect(try DepthScene(contentsOf: folder.file("a.npy")).depth().meters.max() == 2047)
    }

    @Test(
        "A color image has no depth plane, and the error says so",
        arguments: [
            "kinect-tiff/kinect-frame1-rgb-packbits.tiff", "pfm/oiio-bigendian-rgb.pfm",
            "rgbd-pgm/nyu-color.ppm",
            "rgbd-png/tum-color.png",
        ])
    func color(name: String) throws {
        let input = try DepthScene(storedIn: SampleFolder.photos.path(name))
        #expect(input.description.storedPlanes.isEmpty)
        let error = try #require(throws: SceneError.self) { _ = try input.depth() }
        #expect(error.description.contains("color"))
    }

    @Test("Color images are read as pictures")
    func colorPixels() throws {
        for name in [
            "kinect-tiff/kinect-frame1-rgb-packbits.tiff", "rgbd-pgm/nyu-color.ppm", "rgbd-png/tum-color.png",
        ] {
            let image = try DepthScene(storedIn: SampleFolder.photos.path(name)).picture(atLeast: nil)
            #expect(image?.width == 640 && image?.height == 480)
        }
    }

    @Test(
        "Deep OpenEXR files and files without a header are refused",
        arguments: [
            ("exr/trunks-deepscanline-z.exr", "deep"),
            ("raw-bin/truedepth-640x480-2byte.bin", "not a photo or depth raster"),
        ])
    func refused(name: String, words: String) throws {
        let error = try #require(throws: ContainerError.self) {
            _ = try DepthScene(storedIn: SampleFolder.photos.path(name))
        }
        #expect(error.message.contains(words))
    }

    @Test("Malformed raster samples are read or refused, some of each")
    func malformed() {
        var limits = DecodingLimits()
        limits[.pixels] = 1 << 24
        var mutants = MutantCount()
        for name in SampleFolder.photos.files(in: "malformed") {
            mutants.add {
                let input = try DepthScene(storedIn: SampleFolder.photos.path(name), limits: limits)
                _ = try? input.depth()
            }
        }
        mutants.expectBoth()
    }
}
