/// An eye of a stereo pair. The raw value is its name in `--plane` and in file names.
package enum Eye: String, CaseIterable, Hashable, Sendable {
    case left
    case right
}
