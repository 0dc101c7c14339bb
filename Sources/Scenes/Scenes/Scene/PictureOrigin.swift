/// The picture that a photo with an effect shows.
package enum PictureOrigin: String, CaseIterable, Hashable, Sendable {
    /// The photo, as the camera shows it.
    case photo
    /// The picture from before the camera rendered an effect into it.
    case original
}
