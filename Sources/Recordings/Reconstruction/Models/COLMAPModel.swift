package import Bytes
internal import DepthTypes
internal import Geometry

/// A reconstruction in COLMAP's form: cameras, images with poses, and points that the images observe, in an arbitrary unit.
///
/// A model is a folder of `cameras`, `images` and `points3D`, and since COLMAP 3.12 `rigs` and `frames`, all as `.bin` or all
/// as `.txt`. Only lengths change when a model is scaled; all other bytes stay as they are.
package struct COLMAPModel: Sendable {
    /// The form of its files. The raw value is their extension.
    package enum Form: String, CaseIterable, Sendable {
        case binary = "bin"
        case text = "txt"
    }

    /// A point that an image shows.
    struct Observation: Sendable {
        /// Pixels from the upper left corner of the first pixel.
        var position: SIMD2<Double>
        /// The point's number.
        var point: UInt64
    }

    /// An image that has a pose.
    struct Image: Sendable {
        /// The path of its file, below the folder of all images.
        var name: String
        /// The number of its camera.
        var camera: Int
        /// The camera's optical axis in the world.
        var axis: SIMD3<Double>
        /// The depth of the world's origin.
        var originDepth: Double
        var observations: [Observation]
    }

    /// The files' form.
    package let form: Form
    /// The sizes of images by the number of their camera.
    let cameras: [Int: PixelSize]
    let images: [Image]
    /// Positions in the world by the number of a point.
    let points: [UInt64: SIMD3<Double>]
    /// The other form, if the folder holds a model of that, too, which is not read.
    package let ignoredForm: Form?
    private let files: [ModelFile]

    private static let required = ["cameras", "images", "points3D"]
    private static let optional = ["rigs", "frames"]

    /// The names of files in models of both forms.
    package static let fileNames = Set(
        Form.allCases.flatMap { form in (required + optional).map { "\($0).\(form.rawValue)" } })

    /// Reads the model in a folder, or in its only subfolder with one, such as `sparse/0`. Of two forms, the binary one is read, as
    /// COLMAP does.
    ///
    /// Throws ``ModelError`` without a single model, and `ContainerError` with the name of a file that cannot be read.
    package init(_ folder: String, limits: DecodingLimits) throws {
        let (path, forms) = try Self.find(folder, limits)
        guard let form = forms.first else { throw ModelError.noModel }
        self.form = form
        ignoredForm = forms.dropFirst().first
        func read(_ name: String) throws(ContainerError) -> ModelReader {
            let name = "\(name).\(form.rawValue)"
            do throws(ContainerError) {
                let source = try FileSource(path: "\(path)/\(name)", limits: limits)
                try limits.check(.memoryBytes, source.byteCount)
                return ModelReader(name, try source.read(0..<source.byteCount), form)
            } catch {
                throw error.inFile(name)
            }
        }
        var readers = try Self.required.map(read)
        cameras = try readers[0].named { reader throws(ContainerError) in try reader.cameras() }
        images = try readers[1].named { reader throws(ContainerError) in try reader.images() }
        points = try readers[2].named { reader throws(ContainerError) in try reader.points() }
        for name in Self.optional
        where FileIdentity(path: "\(path)/\(name).\(form.rawValue)") != nil {
            var reader = try read(name)
            try reader.named { reader throws(ContainerError) in
                try name == "rigs" ? reader.rigs() : reader.frames()
            }
            readers.append(reader)
        }
        files = readers.map(\.file)
    }

    /// Writes the model's files into a folder, with all lengths multiplied.
    package func write(scaledBy factor: Double, to folder: OutputFolder) throws(OutputError) {
        for file in files { try folder.write(file.scaled(by: factor, form), to: file.name) }
    }

    /// The folder that holds the model, and the forms of its files.
    private static func find(_ folder: String, _ limits: DecodingLimits) throws -> (String, [Form]) {
        func forms(in path: String) -> [Form] {
            Form.allCases.filter { form in
                required.allSatisfy { FileIdentity(path: "\(path)/\($0).\(form.rawValue)") != nil }
            }
        }
        let own = forms(in: folder)
        guard own.isEmpty else { return (folder, own) }
        let inside = try FolderEntry.list(folder, limits: limits).compactMap { entry -> (String, [Form])? in
            guard case .folder(let path) = entry else { return nil }
            let found = forms(in: path)
            return found.isEmpty ? nil : (path, found)
        }
        guard inside.count < 2 else { throw ModelError.several(inside.map(\.0.lastPathComponent)) }
        return inside.first ?? (folder, [])
    }
}

/// Why a folder is not a model that can be scaled.
package enum ModelError: Error, Hashable, Sendable, CustomStringConvertible {
    case noModel
    /// Several models, in folders of these names.
    case several([String])
    case noImages
    /// No photo of the model is in the folder of photos; the names of some that the model lists.
    case noPhotos([String])
    /// No photo gives meters, for these reasons.
    case noMetricDepth(String)

    package var description: String {
        switch self {
        case .noModel:
            "not a model of COLMAP, which is cameras, images and points3D, all as .bin or all as .txt"
        case .several(let names):
            "there are several models, in \(names.joined(separator: ", ")); name one of these folders"
        case .noImages: "the model has no images"
        case .noPhotos(let names):
            "none of the photos that the model lists is in this folder, such as \(names.joined(separator: ", ")); give the folder that COLMAP got the photos from"
        case .noMetricDepth(let reasons): "no photo gives the model a size: \(reasons)"
        }
    }
}

/// A file of a model, and the lengths in it.
struct ModelFile: Sendable {
    /// Three lengths that follow each other.
    struct Lengths {
        /// Their bytes.
        var range: Range<Int>
        var values: SIMD3<Double>
    }

    let name: String
    let bytes: [UInt8]
    /// In the order of the file.
    var lengths: [Lengths] = []

    /// Its bytes with all lengths multiplied.
    func scaled(by factor: Double, _ form: COLMAPModel.Form) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var copied = 0
        for stored in lengths {
            output += bytes[copied..<stored.range.lowerBound]
            copied = stored.range.upperBound
            let values = stored.values * factor
            switch form {
            case .binary: for axis in 0..<3 { output.append(littleEndian: values[axis].bitPattern) }
            case .text: output += "\(values.x) \(values.y) \(values.z)".utf8
            }
        }
        return output + bytes[copied...]
    }
}
