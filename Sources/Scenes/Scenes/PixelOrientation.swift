/// The orientation of returned samples.
package enum PixelOrientation: Sendable {
    /// Turned as the photo is meant to be seen, calibration included.
    case upright
    /// As stored.
    case stored
}
