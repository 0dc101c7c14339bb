/// The sound that goes with a sequence.
package struct SequenceSound: Sendable {
    /// Where a movie is that holds it.
    package enum Place: Sendable {
        /// A file of this path.
        case file(String)
        /// The bytes of a file.
        case bytes([UInt8])
    }

    /// The movie that holds it. It may turn out to have none.
    package var place: Place
    /// The time on its clock at the sequence's first frame, in seconds.
    package var start: Double

    /// Sound of a movie.
    package init(in place: Place, start: Double) { (self.place, self.start) = (place, start) }
}
