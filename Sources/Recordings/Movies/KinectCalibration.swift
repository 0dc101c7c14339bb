internal import ByteParsing
internal import DepthModel
internal import EmbeddedFormats

/// The cameras of an Azure Kinect, as its recorder attaches them to a movie (`calibration.json`).
///
/// The file has parameters in shares of the full sensors; what a mode crops is in the Azure Kinect Sensor SDK
/// (`src/transformation/mode_specific_calibration.c`, `src/sdk/k4a.c`).
struct KinectCalibration: Sendable {
    /// The name of the attachment.
    static let attachment = "calibration.json"

    /// The camera that measures distances, in pixels of its frames.
    let depth: KinectCamera
    /// The camera of pictures.
    let color: KinectCamera

    /// Reads the attachment for frames of these sizes, each of which is a mode. Throws what is wrong with it.
    init(
        _ bytes: [UInt8], depth depthSize: PixelSize, color colorSize: PixelSize, limits: DecodingLimits
    ) throws(ContainerError) {
        let cameras = try JSONValue(parsing: bytes, limits: limits)["CalibrationInformation"]?["Cameras"]
        func camera(_ purpose: String, _ mode: KinectMode?) throws(ContainerError) -> KinectCamera {
            guard let mode else {
                throw Self.malformed("frames have a size that no mode of an Azure Kinect has")
            }
            let values = cameras?.elements.first {
                $0["Purpose"]?.text == "CALIBRATION_CameraPurpose\(purpose)"
            }
            guard let values, let camera = KinectCamera(values, mode) else {
                throw Self.malformed("the calibration has no usable camera '\(purpose)'")
            }
            return camera
        }
        depth = try camera("Depth", KinectMode.depth[depthSize])
        color = try camera("PhotoVideo", KinectMode.color[colorSize])
    }

    private static func malformed(_ rule: String) -> ContainerError {
        ContainerError(.malformed(rule: rule)).inFile(attachment)
    }
}

/// Which part of a sensor a mode reads, in pixels of its frames.
struct KinectMode: Sendable {
    /// The size that the complete sensor would have.
    var sensor: (width: Double, height: Double)
    /// Where the frame begins in it.
    var left = 0.0
    var top = 0.0

    /// Modes of depth by the size of their frames: NFOV and WFOV, each with all pixels and with 2 × 2 in one.
    static let depth: [PixelSize: KinectMode] = [
        PixelSize(width: 640, height: 576): KinectMode(sensor: (1024, 1024), left: 192, top: 180),
        PixelSize(width: 320, height: 288): KinectMode(sensor: (512, 512), left: 96, top: 90),
        PixelSize(width: 1024, height: 1024): KinectMode(sensor: (1024, 1024)),
        PixelSize(width: 512, height: 512): KinectMode(sensor: (512, 512)),
    ]

    /// Modes of pictures: those of 16:9 are cut from 4:3.
    static let color: [PixelSize: KinectMode] = [
        PixelSize(width: 1280, height: 720): KinectMode(sensor: (1280, 960), top: 120),
        PixelSize(width: 1920, height: 1080): KinectMode(sensor: (1920, 1440), top: 180),
        PixelSize(width: 2560, height: 1440): KinectMode(sensor: (2560, 1920), top: 240),
        PixelSize(width: 2048, height: 1536): KinectMode(sensor: (2048, 1536)),
        PixelSize(width: 3840, height: 2160): KinectMode(sensor: (3840, 2880), top: 360),
        PixelSize(width: 4096, height: 3072): KinectMode(sensor: (4096, 3072)),
    ]
}
