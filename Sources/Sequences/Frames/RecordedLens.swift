/// The lens that a movie's metadata states for a frame.
package struct RecordedLens: Hashable, Sendable {
    /// The f-number of the blur that the camera shows; `nil` if not stated, or not positive and finite.
    package var fNumber: Float?
    /// The disparity that is in focus, in the camera's own unit, which no public source describes; `nil` if not stated, or
    /// not finite.
    package var focusDisparity: Float?

    /// Nothing is stated.
    package init() {}
}
