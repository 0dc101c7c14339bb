/// The kinds of inputs that flags affect.
struct InputKinds: OptionSet, Hashable, Sendable {
    let rawValue: Int

    /// A photo with one view.
    static let photo = InputKinds(rawValue: 1)
    /// A plain raster, alone or with a photo.
    static let raster = InputKinds(rawValue: 2)
    /// A stereo pair.
    static let pair = InputKinds(rawValue: 4)
    /// A recording whose frames are listed.
    static let recording = InputKinds(rawValue: 8)
    static let movie = InputKinds(rawValue: 16)
    /// A stream of frames: y4m, or samples without a header.
    static let stream = InputKinds(rawValue: 32)
    /// One frame of these three, used as a photo.
    static let frame = InputKinds(rawValue: 64)

    /// Inputs with one picture.
    static let stills: InputKinds = [.photo, .raster, .pair, .frame]
    /// Inputs with frames.
    static let sequences: InputKinds = [.recording, .movie, .stream]
    static let all: InputKinds = [.stills, .sequences]

    /// The name of one kind, for a person.
    var title: String {
        switch self {
        case .photo: "a photo"
        case .raster: "a raster"
        case .pair: "a stereo pair"
        case .recording: "a recording"
        case .movie: "a movie"
        case .stream: "a stream"
        default: "one frame of a recording"
        }
    }
}
