internal import Bytes
internal import DepthTypes
internal import Embedded

/// The cameras of an Azure Kinect, as its recorder attaches them to a movie (`calibration.json`).
///
/// The file has parameters in fractions of the full sensors; the crop of each mode is in the Azure Kinect Sensor SDK
/// (`src/transformation/mode_specific_calibration.c`, `src/sdk/k4a.c`).
struct KinectCalibration: Sendable {
    static let attachment = "calibration.json"

    /// Both cameras, in pixels of their frames.
    let cameras: CameraPair

    /// Reads the attachment for frames of these sizes, which must be sizes of modes. Throws if it is invalid.
    init(
        _ bytes: [UInt8], depth depthSize: PixelSize, color colorSize: PixelSize, limits: DecodingLimits
    ) throws(ContainerError) {
        let cameras = try JSONValue(parsing: bytes, limits: limits)["CalibrationInformation"]?["Cameras"]
        func camera(_ purpose: String, _ mode: KinectMode?) throws(ContainerError) -> LensCamera {
            guard let mode else {
                throw Self.malformed("frames have a size that no mode of an Azure Kinect has")
            }
            let values = cameras?.elements.first {
                $0["Purpose"]?.text == "CALIBRATION_CameraPurpose\(purpose)"
            }
            guard let values, let camera = LensCamera(values, mode) else {
                throw Self.malformed("the calibration has no usable camera '\(purpose)'")
            }
            return camera
        }
        self.cameras = CameraPair(
            depth: try camera("Depth", KinectMode.depth[depthSize]),
            color: try camera("PhotoVideo", KinectMode.color[colorSize]))
    }

    private static func malformed(_ rule: String) -> ContainerError {
        ContainerError(.malformed(rule: rule)).inFile(attachment)
    }
}

/// The part of a sensor that a mode reads, in pixels of its frames.
struct KinectMode: Sendable {
    /// The size that the complete sensor would have.
    var sensor: (width: Double, height: Double)
    /// The position of the frame in it.
    var left = 0.0
    var top = 0.0

    /// Depth modes by the size of their frames: NFOV and WFOV, each full and binned 2 × 2.
    static let depth: [PixelSize: KinectMode] = [
        PixelSize(width: 640, height: 576): KinectMode(sensor: (1024, 1024), left: 192, top: 180),
        PixelSize(width: 320, height: 288): KinectMode(sensor: (512, 512), left: 96, top: 90),
        PixelSize(width: 1024, height: 1024): KinectMode(sensor: (1024, 1024)),
        PixelSize(width: 512, height: 512): KinectMode(sensor: (512, 512)),
    ]

    /// Picture modes. Modes of 16:9 are cropped from 4:3.
    static let color: [PixelSize: KinectMode] = [
        PixelSize(width: 1280, height: 720): KinectMode(sensor: (1280, 960), top: 120),
        PixelSize(width: 1920, height: 1080): KinectMode(sensor: (1920, 1440), top: 180),
        PixelSize(width: 2560, height: 1440): KinectMode(sensor: (2560, 1920), top: 240),
        PixelSize(width: 2048, height: 1536): KinectMode(sensor: (2048, 1536)),
        PixelSize(width: 3840, height: 2160): KinectMode(sensor: (3840, 2880), top: 360),
        PixelSize(width: 4096, height: 3072): KinectMode(sensor: (4096, 3072)),
    ]
}

extension LensCamera {
    /// A camera of the attachment; `nil` if a value is missing or invalid.
    fileprivate init?(_ values: JSONValue, _ mode: KinectMode) {
        guard let numbers = values["Intrinsics"]?["ModelParameters"]?.numbers, numbers.count >= 14,
            let place = values["Rt"], let rotation = place["Rotation"]?.numbers, rotation.count == 9,
            let translation = place["Translation"]?.numbers, translation.count == 3,
            (numbers + rotation + translation).allSatisfy({ abs($0) < 1e6 }),
            numbers[4..<14].allSatisfy({ abs($0) < 100 }),
            // The model has distortion centers other than the axis, but no camera uses them.
            numbers[10] == 0, numbers[11] == 0
        else { return nil }
        let intrinsics = Intrinsics(
            fx: numbers[2] * mode.sensor.width, fy: numbers[3] * mode.sensor.height,
            cx: numbers[0] * mode.sensor.width - mode.left, cy: numbers[1] * mode.sensor.height - mode.top,
            from: .corner)
        guard let intrinsics else { return nil }
        let k = numbers[4..<10]
        self.init(
            intrinsics: intrinsics,
            lens: LensCoefficients([k[4], k[5], numbers[13], numbers[12], k[6], k[7], k[8], k[9]])
                ?? LensCoefficients(),
            pose: CameraPose(rotation: rotation, translation: translation))
        if let radius = values["MetricRadius"]?.double, radius > 0 { lens.greatestRadius = radius }
    }
}
