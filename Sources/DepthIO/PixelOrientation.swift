/// The orientation in which samples are returned.
package enum PixelOrientation: Sendable {
    /// Turned as the photo is meant to be seen, calibration included.
    case upright
    /// As stored.
    case stored
}
