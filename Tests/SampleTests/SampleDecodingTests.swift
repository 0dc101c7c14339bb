import Isobath
import PhotoFormats
import TestSupport
import Testing

@Suite("Decoding real photos", .needsSamples)
struct SampleDecodingTests {
    @Test(
        "Planes of one channel have the samples that Pillow and pillow-heif read",
        arguments: SampleTruth.files)
    func codes(file: String) throws {
        let photo = try DepthPhoto(contentsOf: SampleFolder.photos.path(file))
        // The truth has no planes of tone-mapped images.
        let planes = photo.planes.filter { $0.type != "tmap" }
        for (plane, truth) in zipEqual(planes, try SampleTruth(file).planes) {
            guard let samples = truth.samples, samples.channels == 1 else { continue }
            let codes = try photo.codes(of: plane, frame: samples.isUpright ? .upright : .stored)
            #expect([codes.width, codes.height] == [samples.width, samples.height])
            let found = CodeStatistics(codes)
            #expect(found.minimum == samples.minimum)
            #expect(found.maximum == samples.maximum)
            #expect(found.zeros == samples.zeros)
            // The mean was rounded to four decimals.
            #expect(abs(found.mean - samples.mean) <= 0.00005001)
        }
    }

    @Test("A gain map with color is decoded in color")
    func colors() throws {
        let file = "gainmap/samsung-s25ultra-aux-ycbcr.heic"
        let photo = try DepthPhoto(contentsOf: SampleFolder.photos.path(file))
        let plane = try #require(photo.describe().storedPlane(.gainMap))
        let truth = try #require(try SampleTruth(file).planes.first?.samples)
        let image = try #require(try photo.color(of: plane))
        #expect([image.width, image.height] == [truth.width, truth.height])
        guard case .uint8(let pixels) = image.pixels else {
            Issue.record("8 bits are expected")
            return
        }
        var statistics = CodeStatistics()
        for pixel in pixels {
            statistics.add(Int(pixel.red))
            statistics.add(Int(pixel.green))
            statistics.add(Int(pixel.blue))
        }
        // Two YCbCr converters may differ by one.
        #expect(abs(statistics.minimum - truth.minimum) <= 1)
        #expect(abs(statistics.maximum - truth.maximum) <= 1)
        #expect(abs(statistics.mean - truth.mean) <= 0.5)
    }

    @Test("Plane and photo are turned to portrait for Exif orientation 6")
    func portrait() throws {
        let photo = try DepthPhoto(
            contentsOf: SampleFolder.photos.path("apple-jpeg/iphone7plus-depth-tutorial-06.jpg"))
        let depth = try DepthScene(photo).depth()
        #expect([depth.width, depth.height] == [576, 768])
        #expect(depth.calibration?.width == 3024)
        #expect(depth.calibration?.height == 4032)
        // Exif 6 sends (x, y) of a W × H frame to (H − y, x); −0.5 for pixel centers.
        #expect(depth.calibration?.principalPointX == 3024 - 1533.7315673828125 - 0.5)
        #expect(depth.calibration?.principalPointY == 2027.65673828125 - 0.5)
        let image = try photo.image()
        #expect([image.width, image.height] == [3024, 4032])
    }
}

/// Statistics of samples, to compare with `truth.json`.
struct CodeStatistics {
    private(set) var minimum = Int.max
    private(set) var maximum = Int.min
    private(set) var zeros = 0
    private var sum = 0
    private var count = 0

    var mean: Double { Double(sum) / Double(count) }

    init() {}

    init(_ plane: SamplePlane) {
        var histogram = [Int](repeating: 0, count: plane.maximumCode + 1)
        switch plane.codes {
        case .uint8(let samples): for sample in samples { histogram[Int(sample)] += 1 }
        case .uint16(let samples): for sample in samples { histogram[Int(sample)] += 1 }
        }
        for (code, number) in histogram.enumerated() where number > 0 { add(code, number) }
    }

    mutating func add(_ code: Int, _ number: Int = 1) {
        minimum = min(minimum, code)
        maximum = max(maximum, code)
        zeros += code == 0 ? number : 0
        sum += code * number
        count += number
    }
}
