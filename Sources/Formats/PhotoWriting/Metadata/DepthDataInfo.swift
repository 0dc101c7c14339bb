/// Apple's description of a depth or disparity plane (namespace `depthData/1.0`).
package struct DepthDataInfo: Hashable, Sendable {
    package enum Quality: String, Hashable, Sendable {
        /// Good enough for effects.
        case high
        /// Too many samples are invalid.
        case low
    }

    package enum Accuracy: String, Hashable, Sendable {
        /// Values are true to scale.
        case absolute
        /// Only the order of values is reliable.
        case relative
    }

    /// `DepthDataVersion`: major version in the high 16 bits; iOS 16 writes 65541 (1.5).
    package var version: UInt32
    /// Whether enough samples are valid.
    package var quality: Quality
    /// Whether values are true to scale.
    package var accuracy: Accuracy
    /// `Filtered`: whether holes were filled and noise smoothed.
    package var isFiltered: Bool
    /// The camera that took the picture.
    package var calibration: CameraCalibrationInfo?

    /// A description.
    package init(
        version: UInt32 = 65541, quality: Quality = .high, accuracy: Accuracy, isFiltered: Bool = true,
        calibration: CameraCalibrationInfo? = nil
    ) {
        (self.version, self.quality, self.accuracy) = (version, quality, accuracy)
        (self.isFiltered, self.calibration) = (isFiltered, calibration)
    }

    /// The properties for an ``XMPPacketBuilder``.
    package func properties() throws(ContainerWritingError) -> [XMPProperty] {
        let texts = [
            ("DepthDataVersion", "\(version)"), ("Quality", quality.rawValue),
            ("Accuracy", accuracy.rawValue),
            ("Filtered", isFiltered ? "True" : "False"),
        ]
        let own = texts.map { XMPProperty(.depthData, $0.0, .text($0.1)) }
        guard let calibration else { return own }
        return own + (try calibration.properties())
    }
}
