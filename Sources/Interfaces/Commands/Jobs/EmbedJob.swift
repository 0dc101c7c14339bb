internal import Embedded
internal import Isobath

/// Puts a depth map and mattes into a photo.
struct EmbedJob: Job {
    var arguments: VerbArguments
    var limits: DecodingLimits
    var reading: InputFlags
    /// The file of the map.
    var depth: String?
    var mattes: [MatteFile]
    /// The form; `nil` for the default of the photo's format.
    var form: DepthForm?
    var coding: DepthCoding
    var replaces: Bool
    var removedKinds: [PlaneKind]
    var storedOrientation: Bool
    /// The file to write; `nil` replaces the photo.
    var output: String?
    var json: Bool
    var existing: ExistingFiles
    /// The photo; its folder is used for a file that replaces it.
    var photo: String

    /// A file that replaces the photo is written in the photo's folder, even if the path is a link to the photo.
    var outputFolders: [String] {
        OutputFile.folders(of: output ?? (try? FileAttributes(ofFileAt: photo))?.path ?? photo)
    }
    var otherFiles: [String] { [depth].compactMap(\.self) + mattes.map(\.path) + reading.files }
    var writesStandardOutput: Bool { output == "-" }
    var recordSchema: String? { json ? "isobath.embed/1" : nil }

    func replacedFile(for input: Input) -> String? { output == nil ? input.path : nil }

    func perform(on input: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        let path = input.path
        if let output, try !existing.wants(output, keeping: originals, reporter, of: path) { return }
        let bytes = try contents(ofInput: path, limits: limits)
        var edit = PhotoEdit(form: form ?? .standard(for: bytes))
        edit.replaces = replaces
        edit.removedKinds = Set(removedKinds)
        edit.frame = storedOrientation ? .stored : .upright
        if let depth { try read(depth, for: &edit, reporter) }
        for matte in mattes {
            let read = try about(matte.path) { try openInputPicture(matte.path, limits: limits).matte() }
            edit.mattes.append(.init(kind: matte.kind, matte: read))
        }
        let edited = try edit.apply(to: bytes, limits: limits)
        reporter.report(edited.diagnostics, of: path)
        try write(edited, over: path, reporter)
        reporter.add([("format", .text(edit.form.rawValue))])
        let parts = edited.codings.isEmpty ? "planes taken out" : edited.codings.joined(separator: "; ")
        reporter.conclude("\(parts) → \(PictureOutput.shown(output ?? path))", of: path)
    }

    private func read(_ path: String, for edit: inout PhotoEdit, _ reporter: Reporter) throws {
        try about(path) {
            var file = Input(path: path)
            let opened = try open(&file, reporter)
            guard let scene = opened.still else { throw opened.needsFrame }
            reporter.report(opened.diagnostics, of: path)
            let coded = try scene.coded(edit.form.adapted(coding))
            reporter.report(scene.diagnostics + coded.diagnostics, of: path)
            edit.depth = coded
            if edit.form.holdsConfidence { edit.confidence = try scene.confidence() }
        }
    }

    private func write(_ edited: EditedPhoto, over path: String, _ reporter: Reporter) throws {
        guard let output else {
            let attributes = try FileAttributes(ofFileAt: path)
            try OutputFile(path: attributes.path, replacesExisting: true).write {
                (descriptor) throws(WriteError) in
                try writeAll(edited.bytes, to: descriptor)
                try attributes.apply(to: descriptor)
            }
            return reporter.countWritten(path)
        }
        _ = try existing.save(output, reporter) { try $0.write(bytes: edited.bytes) }
    }
}

/// All bytes of an input of the command line; `-` is standard input.
func contents(ofInput path: String, limits: DecodingLimits) throws -> [UInt8] {
    if path == "-" {
        let source = try FileSource.contents(ofStream: 0, limits: limits)
        return try source.read(0..<source.byteCount)
    }
    let source = try FileSource(path: path, limits: limits)
    return try source.read(0..<source.byteCount)
}
