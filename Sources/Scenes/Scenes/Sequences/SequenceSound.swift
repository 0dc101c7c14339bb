/// The sound of a sequence.
package struct SequenceSound: Sendable {
    /// The location of the movie with the sound.
    package enum Place: Sendable {
        /// A file of this path.
        case file(String)
        /// The bytes of a file.
        case bytes([UInt8])
    }

    /// The movie with the sound. It may have no sound.
    package var place: Place
    /// The movie's time at the sequence's first frame, in seconds.
    package var start: Double

    /// Sound of a movie.
    package init(in place: Place, start: Double) { (self.place, self.start) = (place, start) }
}
