internal import Bytes
internal import Codecs
internal import RasterFormats

/// Files whose names differ only in the last number.
struct ImageGroup {
    /// The name with `#` for the number.
    var pattern: String
    /// Numbers and names, by number.
    var files: [(number: Int, name: String)]

    var byNumber: [Int: String] {
        Dictionary(files.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    }

    static func groups(of names: [String]) -> [ImageGroup] {
        var files: [String: [(number: Int, name: String)]] = [:]
        for name in names {
            let number = name.frameNumber
            files[number == nil ? name : pattern(of: name), default: []].append((number ?? 0, name))
        }
        return files.map { ImageGroup(pattern: $0.key, files: $0.value.sorted { $0 < $1 }) }
            .sorted { ($1.files.count, $0.pattern) < ($0.files.count, $1.pattern) }
    }

    static func pattern(of name: String) -> String {
        let stem = Array(name.pathStem.unicodeScalars)
        let isDigit: (Unicode.Scalar) -> Bool = { (0x30...0x39).contains($0.value) }
        guard let last = stem.lastIndex(where: isDigit) else { return name }
        let first = stem[...last].lastIndex { !isDigit($0) }.map { $0 + 1 } ?? 0
        var pattern = String.UnicodeScalarView()
        pattern.append(contentsOf: stem[..<first])
        pattern.append("#")
        pattern.append(contentsOf: stem[(last + 1)...])
        return String(pattern) + "." + name.pathExtension
    }

    /// The header of the first image, if it and the last one are depth.
    func depthRaster(in folder: RecordingFolder) -> RasterDescription? {
        guard let first = files.first, let last = files.last, !pattern.lowercased().contains("disp"),
            let raster = Self.describe(first.name, folder), Self.isDepth(raster),
            let other = Self.describe(last.name, folder), Self.isDepth(other)
        else { return nil }
        return raster
    }

    private static func isDepth(_ raster: RasterDescription) -> Bool {
        raster.channels == 1 && (raster.sampleType.isFloat || raster.bitDepth == 16)
    }

    /// Whether the first image has colors.
    func isPicture(in folder: RecordingFolder) -> Bool {
        guard let name = files.first?.name else { return false }
        if ["jpg", "jpeg"].contains(name.pathExtension) { return true }
        return Self.describe(name, folder).map { $0.channels >= 3 } ?? false
    }

    /// Whether this group contains most numbers of another.
    func shares(_ other: ImageGroup) -> Bool {
        let numbers = Set(files.map(\.number))
        return other.files.count { numbers.contains($0.number) } * 2 > other.files.count
    }

    private static func describe(_ name: String, _ folder: RecordingFolder) -> RasterDescription? {
        let limits = DecodingLimits()
        guard let source = try? folder.source(name, limits),
            let start = try? source.readPrefix(at: 0, count: 16),
            let format = RasterFileFormat(recognizing: start)
        else { return nil }
        return try? RasterDecoder(source, limits: limits).describe(format)
    }
}
