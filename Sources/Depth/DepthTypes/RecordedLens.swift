/// The lens that a movie's metadata states for a frame.
package struct RecordedLens: Hashable, Sendable {
    /// The f-number of the blur that the camera shows; `nil` if not stated, or not positive and finite.
    package var fNumber: Float?
    /// The disparity that is in focus, in the camera's own unit, which no public source describes; `nil` if not stated, or
    /// not finite.
    package var focusDisparity: Float?

    /// Nothing is stated.
    package init() {}

    /// A disparity without a unit for a code, 0...1023, of a movie in Cinematic mode, where larger is nearer. Apple does not say
    /// how codes map to disparities: equal steps of codes stay equal steps of disparity, and none is at infinity.
    package static func disparity(ofCode code: Float) -> Float { (code + 1) / 1024 }
}
