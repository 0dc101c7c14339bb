internal import DepthMaps

/// Mean and deviation of ImageNet's pictures, 0…1.
private let imageNet: (mean: [Float], deviation: [Float]) = ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])

extension NetworkProfile {
    /// All profiles. Supporting a network takes one row.
    package static let table: [NetworkProfile] = depthRows + matteRows + objectRows

    private static let depthRows: [NetworkProfile] = [
        row("depth-anything", .affineDisparity, 518, .shortSide, .bicubic, multiple: 14, imageNet),
        row("depth-anything-metric", .depth, 518, .shortSide, .bicubic, multiple: 14, imageNet),
        // The official files normalize inside.
        row("midas", .affineDisparity, 384, .stretch, .bicubic),
        row("dpt", .affineDisparity, 384, .stretch, .bicubic, both(0.5)),
        row("dpt-metric", .depth, 384, .stretch, .bicubic, both(0.5)),
        row("depth-pro", .depth, 1536, .stretch, .bilinear, both(0.5)) {
            ($0.output, $0.focalLengthOutput) = ("predicted_depth", "focallength_px")
        },
        // Depth Anything 3, DA3METRIC: meters for a focal length of 300 pixels. Exports name their outputs differently.
        row("depth-anything-3-metric", .depth, 504, .shortSide, .bicubic, multiple: 14, imageNet) {
            $0.canonicalFocalLength = 300
        },
        // MoGe-2, as its docs/onnx.md exports it: normalized inside.
        row("moge-2", .affinePoints, 518, .shortSide, .bilinear, multiple: 14) {
            ($0.output, $0.scaleOutput, $0.validityOutput) = ("points", "metric_scale", "mask")
            $0.tokenCount = 2500
        },
        // UniDepth v2, as its export.py exports it, without rays.
        row("unidepth-v2", .points, 518, .letterbox, .bilinear, multiple: 14, imageNet) {
            ($0.output, $0.focalLengthOutput) = ("pts_3d", "intrinsics")
        },
    ]

    private static let matteRows: [NetworkProfile] = [
        row("u2net", .matte, 320, .stretch, .lanczos, imageNet) {
            ($0.divisor, $0.activation) = (.maximum, .stretch)
        },
        row("isnet", .matte, 1024, .stretch, .lanczos, ([0.5, 0.5, 0.5], [1, 1, 1])) {
            ($0.divisor, $0.activation) = (.maximum, .stretch)
        },
        row("birefnet", .matte, 1024, .stretch, .lanczos, imageNet) {
            ($0.divisor, $0.activation) = (.maximum, .stretchedSigmoid)
        },
        row("modnet", .matte, 512, .shortSide, .box, multiple: 32, both(0.5)),
        row("selfie", .matte, 256, .stretch, .bilinear),
    ]

    private static let objectRows: [NetworkProfile] = [
        row("classification", .classes, 224, .stretch, .bilinear, imageNet),
        row("yolo", .boxes, 640, .letterbox, .bilinear, multiple: 32),
        row("yolo-end-to-end", .rows, 640, .letterbox, .bilinear, multiple: 32),
        row("ssd", .corners, 300, .stretch, .bilinear),
    ]

    private static func row(
        _ name: String, _ meaning: Meaning, _ size: Int, _ fitting: Fitting, _ filter: ResamplingFilter,
        multiple: Int = 1, _ scaling: (mean: [Float], deviation: [Float]) = ([0, 0, 0], [1, 1, 1]),
        _ change: (inout NetworkProfile) -> Void = { _ in }
    ) -> NetworkProfile {
        var profile = NetworkProfile(name: name, meaning: meaning, size: size)
        (profile.fitting, profile.filter, profile.multiple) = (fitting, filter, multiple)
        (profile.mean, profile.deviation) = scaling
        change(&profile)
        return profile
    }

    private static func both(_ value: Float) -> (mean: [Float], deviation: [Float]) {
        ([value, value, value], [value, value, value])
    }

    package init?(named name: String) {
        guard let row = Self.table.first(where: { $0.name == name }) else { return nil }
        self = row
    }

    /// The profiles of files known by their SHA-256.
    private static let known: [String: String] = [
        // rembg's u2netp.onnx.
        "309c8469258dda742793dce0ebea8e6dd393174f89934733ecc8b14c76f4ddd8": "u2net",
        // MediaPipe's selfie segmentation, converted from TensorFlow Lite.
        "f1b159b1da3175df185ecb2d458c39bf77078abfc3168dbecf22f43baaf5956e": "selfie",
        "f83e862625157293a96ba22dee143bc4091d0ff64e574a5138b904e30061631e": "selfie",
    ]

    /// The profile of a known file.
    init?(checksum: String) {
        guard let name = Self.known[checksum] else { return nil }
        self.init(named: name)
    }
}
