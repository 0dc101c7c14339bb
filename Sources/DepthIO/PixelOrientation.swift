/// How samples leave the photo.
package enum PixelOrientation: Sendable {
    /// Turned as the photo is meant to be seen, calibration included.
    case upright
    /// As stored.
    case stored
}
