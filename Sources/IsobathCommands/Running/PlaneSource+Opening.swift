internal import Isobath

/// Opens an input of the command line; `-` is standard input, read to its end.
func openInput(
    _ input: Input, reading: RasterInterpretation, limits: DecodingLimits
) throws -> any PlaneSource {
    let path = input.path
    if let source = input.source {
        return try DepthScene.source(source, named: path, reading: reading, limits: limits)
    }
    guard path == "-" else {
        return try DepthScene.source(contentsOf: path, reading: reading, limits: limits)
    }
    return try DepthScene.source(
        FileSource.contents(ofStream: 0, limits: limits), reading: reading, limits: limits)
}

/// Opens an input whose depth is wanted: a photo without any takes the depth image that stands beside it. `remark` says
/// so, and is `nil` where the depth is the input's own.
func openSource(
    _ file: Input, reading: RasterInterpretation, limits: DecodingLimits
) throws -> (source: any PlaneSource, remark: String?) {
    try paired(openInput(file, reading: reading, limits: limits), file, reading: reading, limits: limits)
}

/// An open input, with the depth image beside it where it has no depth: see ``openSource(_:reading:limits:)``.
func paired(
    _ source: any PlaneSource, _ file: Input, reading: RasterInterpretation, limits: DecodingLimits
) throws -> (source: any PlaneSource, remark: String?) {
    if let image = file.depthImage, source.isWithoutDepth {
        let pair = try source.paired(
            withDepthImage: image.source, named: image.name, reading: reading, limits: limits, as: file.path)
        return (pair, "it has no depth of its own; using \(image.name) beside it")
    }
    guard file.source == nil, file.path != "-",
        let pair = try source.pairedWithCompanionDepth(beside: file.path, reading: reading, limits: limits)
    else { return (source, nil) }
    return (pair.source, "it has no depth of its own; using \(pair.name) beside it")
}

/// Said of a photo that flags for rasters were given with.
let unusedRasterFlags = "this is a photo: flags for rasters change nothing here"

extension PlaneSource {
    /// The file and what is to be said of it as lines for a person.
    func summary(path: String) -> String {
        let lines = summary(name: path == "-" ? "standard input" : path) + remarks.map { "  \($0)" }
        return lines.map { $0.forTerminal + "\n" }.joined()
    }

    /// Whether flags for rasters were given that say nothing of it.
    func ignores(_ reading: RasterInterpretation) -> Bool {
        var rest = reading
        rest.orientation = nil
        return !usesReading && !rest.isEmpty
    }
}

/// Opens a picture of the command line; `-` is standard input.
func openPicture(_ path: String, limits: DecodingLimits) throws -> PictureFile {
    guard path == "-" else { return try PictureFile(contentsOf: path, limits: limits) }
    return try PictureFile(FileSource.contents(ofStream: 0, limits: limits), limits: limits)
}

/// Opens an input as a scene whose depth is treated, and reports what was assumed of it.
func openScene(
    _ file: Input, reading: RasterInterpretation, treatment: MapTreatment = MapTreatment(),
    network: NetworkUse? = nil, limits: DecodingLimits,
    _ reporter: Reporter
) throws -> DepthScene {
    let (source, remark) = try openSource(file, reading: reading, limits: limits)
    if let remark { reporter.remark(remark, of: file.path) }
    if source.ignores(reading), source.stereo == nil {
        reporter.remark(unusedRasterFlags, of: file.path)
    }
    let scene = DepthScene(source.sceneSource)
    guard let network else { return scene.treated(treatment) }
    let (computed, computation) = try network.scene(for: scene, limits: limits)
    if let computation { reporter.remark(computation, of: file.path) }
    return computed.treated(treatment)
}
