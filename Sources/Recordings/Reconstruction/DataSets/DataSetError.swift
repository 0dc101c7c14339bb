/// Why a recording does not become a data set.
public enum DataSetError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No frame has a picture, and the form needs one for each.
    case noPictures(DataSetForm)
    /// A movie was given, whose frames have no poses.
    case movie

    /// The reason, as in messages of the tool.
    public var description: String {
        switch self {
        case .noPictures(let form):
            "no frame has a picture, and a data set of \(form.rawValue) needs one for each; --to tum holds depth alone"
        case .movie: "frames of a movie have no poses, and a data set needs a recording that is not a movie"
        }
    }
}
