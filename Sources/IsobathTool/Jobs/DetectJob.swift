internal import EmbeddedFormats
internal import ImageContainers
internal import Isobath
internal import Networks

/// Finds objects in a photo.
struct DetectJob: Job {
    static let subcommand = "detect"

    var limits: DecodingLimits
    var reading: RasterInterpretation
    /// The network that finds objects.
    var network: NetworkUse
    /// The file with the names of classes.
    var labels: String?
    var minimumScore: Float
    /// The file of the picture with boxes.
    var output: String?
    var existing: ExistingFiles
    var json: Bool
    /// The file that names the inputs.
    var nameFile: String?

    var outputFolders: [String] { output.map(OutputFile.folders) ?? [] }
    var otherFiles: [String] { network.files + reading.files + [labels, nameFile].compactMap(\.self) }
    var writesStandardOutput: Bool { false }
    var recordSchema: String? { json ? "isobath.detect/1" : nil }

    func prepare() { network.loadRuntime() }

    func perform(on file: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        let input = file.path
        if let output, try !existing.wants(output, keeping: originals) {
            reporter.countSkipped(output)
            return reporter.remark("left as it is: \(output)", of: input)
        }
        let scene = try openScene(file, reading: reading, limits: limits, reporter)
        let image = try scene.color()
        let given = try labelNames()
        let opened = try network.open(limits)
        let found = try network.aboutItself { try opened.detections(in: image, atLeast: minimumScore) }
        let measured = try scene.measured(found)
        let names = given.isEmpty ? opened.profile.labels : given
        let scale = scene.description.depth?.scale
        let results = measured.map { Result($0, labels: names, picture: image, scale: scale) }
        if json {
            reporter.add([
                ("width", .integer(image.width)), ("height", .integer(image.height)),
                ("profile", .text(opened.profile.name)), ("detections", .array(results.map(\.record))),
            ])
        } else {
            reporter.print(Array(results.map { "\(input.forTerminal): \($0.line)\n" }.joined().utf8))
        }
        if results.isEmpty { reporter.remark("nothing found", of: input) }
        guard let output, let format = PictureFormat(fileName: output) else { return }
        let raster = Raster(
            image.drawing(results.map { LabeledBox(box: $0.measured.detection.box, label: $0.caption) }))
        let isWritten = try existing.write(output, reporter) { file in
            try file.write { (descriptor) throws(WriteError) in
                try raster.write(as: format, quality: 92, to: descriptor)
            }
        }
        isWritten ? reporter.countWritten(output) : reporter.countSkipped(output)
    }

    /// The lines of the file of names.
    private func labelNames() throws -> [String] {
        guard let labels else { return [] }
        do throws(ContainerError) {
            let source = try FileSource(path: labels, limits: limits)
            try limits.check(.metadataBytes, source.byteCount)
            let text = String(decoding: try source.read(0..<source.byteCount), as: UTF8.self)
            var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(
                String.init)
            while lines.last?.isEmpty == true { lines.removeLast() }
            return lines
        } catch {
            throw FileFailure(file: labels, error: error)
        }
    }

    /// One object, in pixels of the upright picture.
    private struct Result {
        let measured: MeasuredDetection
        let label: String
        let left: Int
        let top: Int
        let width: Int
        let height: Int
        let accuracy: String?

        init(_ measured: MeasuredDetection, labels: [String], picture: ColorImage, scale: DepthScale?) {
            self.measured = measured
            let number = measured.detection.classNumber
            label = labels.indices.contains(number) ? labels[number] : "class \(number)"
            let box = measured.detection.box
            left = Int((box.left * Double(picture.width)).rounded())
            top = Int((box.top * Double(picture.height)).rounded())
            width = Int((box.right * Double(picture.width)).rounded()) - left
            height = Int((box.bottom * Double(picture.height)).rounded()) - top
            accuracy = measured.distance == nil ? nil : scale?.accuracy.rawValue
        }

        /// What is drawn at the box.
        var caption: String {
            let sureness = Int((measured.detection.confidence * 100).rounded())
            return "\(label) \(sureness) %" + (measured.distance.map { ", \($0.short) m" } ?? "")
        }

        var line: String {
            var text = "\(label.forTerminal) \(measured.detection.confidence.short)"
            text += ", \(width) × \(height) px at \(left),\(top)"
            if let distance = measured.distance, let size = measured.size {
                text += ", \(distance.short) m away, \(size.x.short) × \(size.y.short) m"
                text += accuracy == "absolute" ? "" : " (\(accuracy ?? "unknown") scale)"
            }
            return text
        }

        var record: JSONValue {
            .object([
                ("label", .text(label)), ("class", .integer(measured.detection.classNumber)),
                ("score", number(measured.detection.confidence)),
                (
                    "box",
                    .object([
                        ("x", .integer(left)), ("y", .integer(top)), ("width", .integer(width)),
                        ("height", .integer(height)),
                    ])
                ),
                ("distance", measured.distance.map(number) ?? .null),
                (
                    "size",
                    measured.size.map { .object([("width", number($0.x)), ("height", number($0.y))]) }
                        ?? .null
                ),
                ("unit", measured.distance == nil ? .null : .text("m")), ("accuracy", .optional(accuracy)),
            ])
        }

        private func number(_ value: Float) -> JSONValue {
            .number(Double(value.description) ?? Double(value))
        }
    }
}
