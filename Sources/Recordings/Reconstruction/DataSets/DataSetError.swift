/// Why a recording does not become a data set.
public enum DataSetError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No frame has a picture, and the form needs one for each.
    case noPictures(DataSetForm)

    /// The reason, as in messages of the tool.
    public var description: String {
        switch self {
        case .noPictures(let form):
            "no frame has a picture, and a data set of \(form.rawValue) needs one for each; --to tum holds depth alone"
        }
    }
}
