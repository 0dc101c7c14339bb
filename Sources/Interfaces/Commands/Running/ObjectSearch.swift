internal import Isobath
internal import Networks
internal import Scenes

/// How a job finds objects with a network, as plain data.
struct ObjectSearch: Sendable {
    /// The network that finds objects.
    var network: NetworkUse
    var minimumScore: Float

    /// The files that are read.
    var files: [String] { network.files }

    /// Finds the object with the highest score in each frame, of a class given by name (in any case) or number, or of
    /// any class if it is `nil`.
    func finder(ofClass wanted: String?, limits: DecodingLimits) throws -> (
        (DepthScene) throws -> TrackingBox?
    ) {
        let opened = try network.open(limits)
        let names = opened.profile.labels.map { $0.lowercased() }
        guard opened.profile.meaning != .classes else {
            throw FileFailure(
                file: network.path, error: Failure("it classifies pictures and locates nothing")
            )
        }
        let number = wanted.flatMap { names.firstIndex(of: $0.lowercased()) ?? Int($0) }
        if let wanted, number == nil {
            let known = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
            throw Failure(
                names.isEmpty
                    ? "nothing names the classes of the network: give '--class' a number, or '--model-profile' a file with 'labels'"
                    : "the network knows no class '\(wanted.forTerminal)'; its classes are \(known.forTerminal)"
            )
        }
        return { frame in
            let found = try network.aboutItself {
                try opened.detections(in: frame.color(), atLeast: minimumScore)
            }
            guard let box = found.first(where: { $0.classNumber == number ?? $0.classNumber })?.box else {
                return nil
            }
            let picture = try frame.requireColorSize()
            let (width, height) = (Double(picture.width), Double(picture.height))
            return TrackingBox(
                left: box.left * width, top: box.top * height, width: (box.right - box.left) * width,
                height: (box.bottom - box.top) * height)
        }
    }
}
