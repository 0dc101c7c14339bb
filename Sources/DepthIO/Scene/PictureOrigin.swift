/// Which of its pictures a photo with an effect shows.
package enum PictureOrigin: String, CaseIterable, Codable, Hashable, Sendable {
    /// The photo, as the camera shows it.
    case photo
    /// The picture before the camera rendered an effect into it.
    case original
}
