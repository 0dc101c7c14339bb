internal import Embedded
internal import Isobath
internal import Reconstruction

/// Gives a model of COLMAP meters, from the depth in the photos that it was made of.
struct ScaleModelJob: Job {
    var arguments: VerbArguments
    var limits: DecodingLimits
    /// The folder of the model.
    var model: String
    var destination: OutputDestination
    var json: Bool
    var existing: ExistingFiles

    /// The flags that have an effect, besides the model's. Others are refused.
    static let flags: Set = [
        "scale-model", "output", "force", "skip-existing", "json", "quiet", "threads", "isolate", "limit",
    ]

    var reading: InputFlags { InputFlags() }
    var outputFolders: [String] { destination.folders }
    var makesFolders: Bool { true }
    var otherFiles: [String] { [model] }
    var writesStandardOutput: Bool { false }
    var recordSchema: String? { json ? "isobath.convert/1" : nil }

    func perform(on input: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        let photos = input.path
        guard FolderEntry.isFolder(photos) else {
            // Throws for a path that does not exist.
            if FileIdentity(path: photos) == nil { _ = try FolderEntry.list(photos) }
            throw UsageError(
                "this is not a folder; --scale-model takes the folder of the photos that COLMAP made the model of"
            )
        }
        let output = destination.path(for: input)
        // The folder that is replaced may hold the photos or the model.
        if let identity = FileIdentity(path: output),
            [photos, model].contains(where: { FileIdentity.isInside([identity], path: $0) })
        {
            throw OutputError(output, .input)
        }
        guard
            try existing.wantsFolder(output, replacing: COLMAPModel.fileNames, keeping: originals)
        else { return existing.kept(output, reporter, of: photos) }
        closeOnInterrupt()
        let (read, scale) = try about(model) {
            let read = try COLMAPModel(model, limits: limits)
            do {
                return (read, try ModelScale(of: read, photos: photos, limits: limits))
            } catch let error as ModelError {
                throw FileFailure(file: photos, error: error)
            }
        }
        report(scale, read, of: photos, reporter)
        let folder = try existing.folder(output, replacing: COLMAPModel.fileNames, reporter)
        try read.write(scaledBy: scale.overall.metersPerUnit, to: folder)
        guard try existing.publish(folder) else { return reporter.countSkipped(output) }
        reporter.countWritten(output)
        reporter.conclude("1 unit is \(scale.overall.summary) → \(folder.path)/", of: photos)
        reporter.add([("output", .text(folder.path))] + scale.fields)
    }

    private func report(
        _ scale: ModelScale, _ read: COLMAPModel, of photos: String, _ reporter: Reporter
    ) {
        if let other = read.ignoredForm {
            reporter.remark(
                "the folder holds a model as .\(read.form.rawValue) and one as .\(other.rawValue); the first is used, as COLMAP does",
                of: model)
        }
        for line in scale.exclusions.summaries { reporter.remark("not used: \(line)", of: photos) }
        if scale.cameras.count > 1 {
            for (id, estimate) in scale.cameras {
                reporter.remark("camera \(id): 1 unit is \(estimate.summary)", of: photos)
            }
        }
        if scale.overall.standardError > 0.05 {
            reporter.remark(
                "warning: the scale is uncertain; more photos with exact depth make it better", of: photos)
        }
    }
}

extension ModelScale.Estimate {
    /// As in `0.137 m ± 0.4 % (5012 points in 12 photos)`.
    fileprivate var summary: String {
        let photos = photoCount == 1 ? "1 photo" : "\(photoCount) photos"
        return
            "\(Float(metersPerUnit).short) m ± \(Float(100 * standardError).short) % (\(pointCount) points in \(photos))"
    }

    fileprivate var fields: [(String, JSONValue)] {
        [
            ("metersPerUnit", .number(metersPerUnit)), ("standardError", .number(standardError)),
            ("photos", .integer(photoCount)), ("points", .integer(pointCount)),
        ]
    }
}

extension ModelScale {
    fileprivate var fields: [(String, JSONValue)] {
        let cameras = cameras.map { JSONValue.object([("id", .integer($0.id))] + $0.estimate.fields) }
        let unused = exclusions.map {
            JSONValue.object([("photo", .text($0.name)), ("reason", .text($0.reason.rawValue))])
        }
        return overall.fields + [("cameras", .array(cameras)), ("unused", .array(unused))]
    }
}
