import Foundation
import TestSupport

/// A sample as other readers describe it (`truth.json`), in the terms of `isobath.info/1`.
struct SampleTruth {
    /// The folders whose files can all be read.
    static let files = ["apple-heic", "apple-jpeg", "apple-spatial", "gainmap"].flatMap {
        SampleFolder.photos.files(in: $0)
    }

    private let fields: [String: Any]

    init(_ file: String) throws {
        let data = try Data(contentsOf: URL(filePath: SampleFolder.photos.path("truth.json")))
        let all = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        guard let fields = all[file] as? [String: Any] else { throw CocoaError(.fileReadNoSuchFile) }
        self.fields = fields
    }

    var make: String? { fields.text("make") }
    var model: String? { fields.text("model") }

    private var isHEIF: Bool { fields["primary_item"] != nil }

    /// From `irot` in HEIF, from Exif in JPEG.
    var orientation: Int {
        guard isHEIF else { return fields.integer("exif_orientation") ?? 1 }
        return [1, 8, 3, 6][fields.object("primary").integer("irot") ?? 0]
    }

    /// Width and height as stored.
    var size: [Double] {
        guard isHEIF else { return fields.object("primary").numbers("size") }
        // pillow-heif reports the upright size after `clap`.
        let upright = fields.object("pillow_heif").object("primary").numbers("size")
        if upright.isEmpty { return fields.object("primary").numbers("ispe") }
        return orientation >= 5 ? upright.reversed() : upright
    }

    /// The items of the photo's stereo pair, or else of the first pair.
    var stereo: [Double]? {
        let primary = fields.number("primary_item")
        let pairs = fields.objects("groups").filter { $0.text("type") == "ster" }.map {
            $0.numbers("entities")
        }
        return pairs.first { $0.contains { $0 == primary } } ?? pairs.first
    }

    /// The planes whose images exist; index entries without an image are skipped.
    var planes: [PlaneTruth] {
        var depthImages = fields.object("pillow_heif").objects("depth_images")[...]
        return fields.objects("aux").filter { isHEIF || $0["starts_with_soi"] as? Bool == true }.map { aux in
            let isDepth = aux.text("urn") == "urn:mpeg:hevc:2015:auxid:2"
            return PlaneTruth(aux, depthImage: isDepth ? depthImages.popFirst() : nil)
        }
    }

    /// How many index entries name no image.
    var missingImages: Int {
        isHEIF ? 0 : fields.objects("aux").count { $0["starts_with_soi"] as? Bool != true }
    }
}

/// A plane as other readers describe it.
struct PlaneTruth {
    /// Statistics of decoded samples.
    struct Samples {
        var width, height: Int
        /// Whether width and height describe the upright plane.
        var isUpright: Bool
        var channels: Int
        var minimum, maximum: Int
        /// To four decimals.
        var mean: Double
        var zeros: Int
    }

    private let fields: [String: Any]
    private let values: [String: Any]
    private let depthImage: [String: Any]?

    init(_ fields: [String: Any], depthImage: [String: Any]?) {
        self.fields = fields
        self.depthImage = depthImage
        values = fields.object("xmp").object("values")
    }

    private func value(_ name: String) -> Double? { values.text(name).flatMap(Double.init) }
    private func list(_ name: String) -> [Double] { values.texts(name).compactMap(Double.init) }

    /// The URN, or the type from a JPEG plane's XMP.
    var type: String {
        fields.text("urn") ?? values.text("apdi:AuxiliaryImageSubType") ?? values.text(
            "apdi:AuxiliaryImageType")
            ?? "mpf:0x00000000"
    }

    var kind: String {
        switch type {
        case "urn:mpeg:hevc:2015:auxid:2": value("apdi:NativeFormat") == 1_751_411_059 ? "disparity" : "depth"
        case "urn:com:apple:photo:2018:aux:portraiteffectsmatte", "portraiteffectsmatte": "matte"
        case "urn:com:apple:photo:2019:aux:semanticskinmatte": "skin"
        case "urn:com:apple:photo:2019:aux:semantichairmatte": "hair"
        case "urn:com:apple:photo:2019:aux:semanticteethmatte": "teeth"
        case "urn:com:apple:photo:2020:aux:semanticglassesmatte": "glasses"
        case "disparity", "depth": type
        case _ where type.hasSuffix("hdrgainmap") || values["hdrgm:Version"] != nil: "gain-map"
        default: "unknown"
        }
    }

    /// Width and height as stored.
    var size: [Double] {
        fields.numbers("ispe").isEmpty ? fields.object("decoded").numbers("size") : fields.numbers("ispe")
    }

    /// Bits of a sample; JPEG has 8.
    var bitDepth: Int { fields.numbers("pixi").first.map { Int($0) } ?? 8 }

    /// The declared range, rounded to six decimals in XMP, or exact where it was binary16.
    var range: [Double]? {
        guard kind == "disparity" || kind == "depth" else { return nil }
        guard let low = value("apdi:FloatMinValue"), let high = value("apdi:FloatMaxValue") else {
            return nil
        }
        let halves: [Double] = [1_751_411_059, 1_751_410_032]
        let isHalf = value("apdi:NativeFormat").map(halves.contains) ?? false
        return isHalf ? [Double(Float16(low)), Double(Float16(high))] : [low, high]
    }

    /// Whether the file gives two focal lengths. Of the samples, an iPhone 14 does; Exif agrees with the second, which is used for both.
    private var hasTwoFocalLengths: Bool {
        let matrix = list("depthData:IntrinsicMatrix")
        return matrix.count == 9 && abs(matrix[0] / matrix[4] - 1) > 0.02
    }

    var accuracy: String {
        hasTwoFocalLengths ? "relative" : values.text("depthData:Accuracy") ?? "unknown"
    }
    var quality: String? { values.text("depthData:Quality") }
    var isFiltered: Bool? { values.text("depthData:Filtered").map { $0 == "True" } }

    /// fx, fy, cx, cy with pixel centers at integers, and the reference size.
    var intrinsics: [Double] {
        let matrix = list("depthData:IntrinsicMatrix")
        guard matrix.count == 9 else { return [] }
        return [matrix[hasTwoFocalLengths ? 4 : 0], matrix[4], matrix[6] - 0.5, matrix[7] - 0.5]
            + ["Width", "Height"].compactMap { value("depthData:IntrinsicMatrixReference\($0)") }
    }

    var distortion: [Double] { list("depthData:LensDistortionCoefficients") }
    var inverseDistortion: [Double] { list("depthData:InverseLensDistortionCoefficients") }
    var distortionCenter: [Double] {
        ["X", "Y"].compactMap { value("depthData:LensDistortionCenterOffset\($0)") }.map { $0 - 0.5 }
    }

    /// XMP gives columns.
    var rotation: [Double] {
        let columns = list("depthData:ExtrinsicMatrix")
        guard columns.count == 12 else { return [] }
        return (0..<3).flatMap { row in (0..<3).map { columns[3 * $0 + row] } }
    }

    /// XMP gives millimeters.
    var translation: [Double] { list("depthData:ExtrinsicMatrix").dropFirst(9).map { $0 / 1000 } }
    var pixelSize: Double? { value("depthData:PixelSize") }
    var simulatedAperture: Double? { value("depthBlurEffect:SimulatedAperture") }

    /// The samples that pillow-heif or Pillow decoded.
    var samples: Samples? {
        let upright = depthImage ?? fields["decoded_by_pillow_heif"] as? [String: Any]
        guard let found = upright ?? fields["decoded"] as? [String: Any],
            let minimum = found.integer("min"), let maximum = found.integer("max"),
            let mean = found.number("mean"), let zeros = found.integer("zeros")
        else { return nil }
        let size = found.numbers("size")
        return Samples(
            width: Int(size[0]), height: Int(size[1]), isUpright: upright != nil,
            channels: found.text("mode") == "L" ? 1 : 3, minimum: minimum, maximum: maximum, mean: mean,
            zeros: zeros)
    }
}
