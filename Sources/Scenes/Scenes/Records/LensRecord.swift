internal import DepthTypes
internal import Effects
package import Embedded

extension DepthScene {
    /// The lens of the camera's own blur in `isobath.info/1`; `nil` unless it can be measured in the pictures of the scene.
    /// Decodes them, and throws errors of decoding.
    package func measuredLensRecord() throws -> JSONValue? {
        guard let lens = try measuredLens(), let size = description.originalSize else { return nil }
        let focalLength = description.cameras.camera(for: size).calibration
            .scaled(toWidth: size.width, height: size.height).focalLengthX
        let fNumber = CameraLens(lens: lens, isMeasured: true).fNumber(
            size, focalLength: Float(focalLength), DisparityScale(try scale(), try disparity()))
        /// `null` at infinity.
        func distance(_ disparity: Float) -> JSONValue {
            disparity > 0 ? .number(Double((1 / disparity).short) ?? Double(1 / disparity)) : .null
        }
        return .object([
            ("origin", .text("measured")),
            ("focusDistance", distance(lens.focus)),
            ("sharpFrom", distance(lens.sharp.upperBound)),
            ("sharpTo", distance(lens.sharp.lowerBound)),
            ("fNumber", .number(Double(fNumber.short) ?? Double(fNumber))),
        ])
    }
}
