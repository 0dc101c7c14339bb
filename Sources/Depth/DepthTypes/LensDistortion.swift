/// The radial distortion of a lens, as Apple's files store it.
///
/// The relative elongation of a radius r (in millimeters on the sensor) is `0.01 · Σ C[k] · r^k`, k = 0…7: the coefficients
/// are percent, for all powers. ``coefficients`` map rectified to distorted positions, ``inverseCoefficients`` back, like the
/// tables of the same names in `AVCameraCalibrationData`. This reading of the coefficients is based on measurements of files
/// of nine cameras; Apple documents only the tables.
public struct LensDistortion: Hashable, Sendable {
    /// Rectified → distorted, for powers 0…7 of the radius in millimeters; percent.
    public var coefficients: [Double]
    /// Distorted → rectified.
    public var inverseCoefficients: [Double]
    /// The column of the distortion center in the calibration's reference frame; 0 is the center of the first pixel.
    public var centerX: Double
    /// The row of the distortion center.
    public var centerY: Double

    /// Coefficients in percent, up to eight in each direction, and a center in reference pixels.
    public init(coefficients: [Double], inverseCoefficients: [Double], centerX: Double, centerY: Double) {
        (self.coefficients, self.inverseCoefficients) = (coefficients, inverseCoefficients)
        (self.centerX, self.centerY) = (centerX, centerY)
    }
}
