internal import Isobath
internal import Networks
internal import Sequences

/// How a job finds objects with a network, as plain data.
struct ObjectSearch: Codable, Sendable {
    /// The network that finds objects.
    var network: NetworkUse
    /// The file with the names of classes.
    var labels: String?
    var minimumScore: Float

    /// The files that are read.
    var files: [String] { network.files + [labels].compactMap(\.self) }

    /// The names of classes: the lines of the file, or the names that the network contains.
    func names(of network: Network, limits: DecodingLimits) throws -> [String] {
        guard let labels else { return network.profile.labels }
        do throws(ContainerError) {
            let source = try FileSource(path: labels, limits: limits)
            try limits.check(.metadataBytes, source.byteCount)
            let text = String(decoding: try source.read(0..<source.byteCount), as: UTF8.self)
            var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(
                String.init)
            while lines.last?.isEmpty == true { lines.removeLast() }
            return lines.isEmpty ? network.profile.labels : lines
        } catch {
            throw FileFailure(file: labels, error: error)
        }
    }

    /// Finds the object with the highest score in each frame, of a class given by name (in any case) or number, or of
    /// any class if it is `nil`.
    func finder(ofClass wanted: String?, limits: DecodingLimits) throws -> FollowView.Finder {
        let opened = try network.open(limits)
        let names = try names(of: opened, limits: limits).map { $0.lowercased() }
        guard opened.profile.meaning != .classes else {
            throw FileFailure(
                file: network.path, error: UnsuitableNetwork("it classifies pictures and locates nothing")
            )
        }
        let number = wanted.flatMap { names.firstIndex(of: $0.lowercased()) ?? Int($0) }
        if let wanted, number == nil { throw NoSuchClass(name: wanted, known: names) }
        return { frame in
            let found = try network.aboutItself {
                try opened.detections(in: frame.image, atLeast: minimumScore)
            }
            guard let box = found.first(where: { $0.classNumber == number ?? $0.classNumber })?.box else {
                return nil
            }
            let (width, height) = (Double(frame.color.width), Double(frame.color.height))
            return TrackingBox(
                left: box.left * width, top: box.top * height, width: (box.right - box.left) * width,
                height: (box.bottom - box.top) * height)
        }
    }
}

/// The error for a class name that the network does not know.
private struct NoSuchClass: Error, CustomStringConvertible {
    var name: String
    var known: [String]

    var description: String {
        let names = known.prefix(5).joined(separator: ", ") + (known.count > 5 ? ", …" : "")
        return known.isEmpty
            ? "nothing names the classes of the network: give '--class' a number, or '--labels' a file"
            : "the network knows no class '\(name.forTerminal)'; its classes are \(names.forTerminal)"
    }
}
