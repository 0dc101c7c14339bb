internal import Isobath

/// Opens a photo or a raster; `-` is standard input, which is read to its end.
func openInput(
    _ input: Input, reading: ReadingOptions, limits: DecodingLimits
) throws -> DepthScene {
    let path = input.path
    if let source = input.source {
        return try DepthScene(storedIn: source, named: path, reading: reading, limits: limits)
    }
    guard path == "-" else {
        return try DepthScene(storedIn: path, reading: reading, limits: limits)
    }
    return try DepthScene(
        storedIn: FileSource.contents(ofStream: 0, limits: limits), reading: reading, limits: limits)
}

/// An open photo, with the depth image beside it if it has no depth.
func paired(
    _ scene: DepthScene, _ file: Input, reading: ReadingOptions, limits: DecodingLimits
) throws -> SingleScene {
    guard file.source == nil, file.path != "-" else { return SingleScene(scene) }
    var photo = scene
    if reading.quantity != nil, reading.layout == nil, let own = scene.description.file, own.kind == .photo,
        own.usesReading
    {
        // The quantity describes the depth image beside it, if there is one.
        var plain = reading
        plain.quantity = nil
        photo = try openInput(file, reading: plain, limits: limits)
    }
    guard let pair = try photo.pairedWithCompanionDepth(beside: file.path, reading: reading, limits: limits)
    else { return SingleScene(scene) }
    let remark = "it has no depth of its own; using \(pair.name) beside it"
    return SingleScene(pair.scene, diagnostics: [.note("depth-beside", remark)])
}

extension DepthScene {
    /// The file and its diagnostics as lines for a person.
    func summary(path: String) -> String {
        let lines = summary(name: path == "-" ? "standard input" : path) + remarks.map { "  \($0)" }
        return lines.map { $0.forTerminal + "\n" }.joined()
    }
}

/// Opens a picture named on the command line; `-` is standard input.
func openInputPicture(_ path: String, limits: DecodingLimits) throws -> any SceneSource {
    guard path == "-" else { return try openPicture(path, limits: limits) }
    return try openPicture(FileSource.contents(ofStream: 0, limits: limits), limits: limits)
}
