internal import Isobath
internal import Scenes

/// Picture files as frames at a constant rate: all of a folder, or those that a pattern like `frame-%04d.jpg` names.
final class NumberedPictures: SceneSequence, @unchecked Sendable {
    let diagnostics: [Diagnostic] = []
    let extent: SequenceExtent
    private let paths: [String]
    private let rate: Double
    private let limits: DecodingLimits
    private var index = -1

    init(_ paths: [String], rate: Double, limits: DecodingLimits) {
        (self.paths, self.rate, self.limits) = (paths, rate, limits)
        var extent = SequenceExtent("numbered pictures")
        (extent.frameCount, extent.rate) = (paths.count, rate)
        self.extent = extent
    }

    /// Each picture has its own size, which is known once it is decoded.
    var description: SceneDescription {
        var description = SceneDescription()
        description.colorSize = PixelSize(width: 1, height: 1)
        return description
    }

    func advance() throws -> Double? {
        guard index + 1 < paths.count else { return nil }
        index += 1
        return Double(index) / rate
    }

    func describe() -> SceneDescription {
        var description = description
        (description.index, description.time) = (index, Double(index) / rate)
        return description
    }

    func begin(_ planes: Set<PlaneID>, into frame: inout FramePlanes) throws {
        guard planes.contains(.picture) else { return }
        try about(paths[index]) {
            frame.color = FramePlane(try openInputPicture(paths[index], limits: limits).image().inSRGB)
        }
    }
}

extension NumberedPictures {
    /// The numbered pictures at a path, in order; `nil` if it names a single one.
    ///
    /// Pictures of a folder are numbered from 0 in the order of their names. Numbers in names sort by value. Throws if
    /// the folder cannot be read.
    static func list(_ path: String) throws(ContainerError) -> [(number: Int, path: String)]? {
        var pictures: [(number: Int, path: String)] = []
        if let pattern = FramePattern(path) {
            for file in try files(in: pattern.folder) {
                if let number = pattern.number(in: file.name) { pictures.append((number, file.path)) }
            }
            pictures.sort { ($0.number, $0.path) < ($1.number, $1.path) }
        } else {
            guard FolderEntry.isFolder(path) else { return nil }
            let files = try files(in: path).filter { !$0.name.hasPrefix(".") && !$0.name.isOfFileSystem }
            let sorted = files.sorted { $0.name.naturalOrder.lexicographicallyPrecedes($1.name.naturalOrder) }
            pictures = sorted.enumerated().map { ($0.offset, $0.element.path) }
        }
        guard !pictures.isEmpty else { throw ContainerError(.unreadable(detail: "there are no pictures")) }
        return pictures
    }

    /// The files that match a pattern; empty if the path is an existing file or not a pattern.
    static func files(ofPattern path: String) -> [String] {
        guard FramePattern(path) != nil, FileIdentity(path: path) == nil else { return [] }
        return ((try? list(path)) ?? nil)?.map(\.path) ?? []
    }

    private static func files(in folder: String) throws(ContainerError) -> [(name: String, path: String)] {
        try FolderEntry.list(folder).compactMap {
            guard case .file(let path) = $0 else { return nil }
            return (path.lastPathComponent, path)
        }
    }
}

extension String {
    /// The text with each number behind the count of its digits, so that `frame10` follows `frame9` and numbers precede letters.
    fileprivate var naturalOrder: String {
        var (key, rest) = ("", self[...])
        while let first = rest.first {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(max(1, digits.count))
            let number = digits.drop { $0 == "0" }
            key += digits.isEmpty ? "\(first)" : "\0\(Unicode.Scalar(UInt8(clamping: number.count)))\(number)"
        }
        return key
    }
}
