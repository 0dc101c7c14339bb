package import Bytes
internal import Codecs
public import Geometry

extension CloudFormat {
    /// The format for a file name's extension, ignoring case.
    public init?(fileName: String) { self.init(rawValue: fileName.pathExtension) }
}

extension ExportedCloud {
    /// Writes the cloud, or its mesh, in the format of the name's extension: PLY, PCD, OBJ, GLB or LAS. `-` is standard
    /// output, as PLY.
    ///
    /// Throws ``OutputError`` when the extension is unknown, when the file exists and `replacingExisting` is not set, and
    /// when it cannot be written; ``CloudError`` if the format cannot hold the cloud or mesh.
    public func write(to path: String, replacingExisting: Bool = false, isText: Bool = false) throws {
        let format = try CloudFormat(writing: path)
        try write(
            to: OutputFile(path: path, replacesExisting: replacingExisting), as: format, isText: isText)
    }

    /// The bytes of the file that ``write(to:replacingExisting:isText:)`` writes in a format.
    ///
    /// Throws ``CloudError`` if the format cannot hold the cloud or mesh, and ``OutputError`` for a textured mesh as OBJ,
    /// which is several files.
    public func encoded(as format: CloudFormat, isText: Bool = false) throws -> [UInt8] {
        guard let meshSource else { return try pointSource.encodedFile(as: format, asText: isText) }
        guard format != .obj || texture.isEmpty else {
            throw OutputError("", .unsuitable("an OBJ file has its texture in files beside it"))
        }
        return try meshSource.encodedFile(as: format, isText: isText, texture: texture)
    }

    /// Writes the cloud, or its mesh, in a format; a textured OBJ file gets its ``MaterialFiles`` beside it.
    ///
    /// Throws ``CloudError`` if the format cannot hold the cloud or mesh, ``OutputError`` when a file cannot be written. No
    /// file remains then.
    package func write(to file: OutputFile, as format: CloudFormat, isText: Bool = false) throws {
        guard let meshSource else {
            return try pointSource.write(with: format.encoder(pointSource.header, isText: isText), to: file)
        }
        try meshSource.write(to: file, as: format, isText: isText, texture: texture)
    }
}

extension CloudFormat {
    /// The format of a path's extension; `-` is PLY. Throws if the extension is unknown.
    init(writing path: String) throws(OutputError) {
        guard let format = path == "-" ? .ply : CloudFormat(fileName: path) else {
            throw OutputError(path, .unknownFormat(known: CloudFormat.names))
        }
        self = format
    }

    /// An encoder for a mesh in this format; `texture` is a JPEG file for formats that embed one.
    fileprivate func meshEncoder(
        _ mesh: some MeshSource, isText: Bool, texture: [UInt8]
    ) throws(CloudError) -> any MeshEncoder {
        let header = mesh.vertices.header
        switch self {
        case .ply: return PLYEncoder(header, isText: isText, triangleCount: mesh.triangleCount)
        case .obj: return OBJEncoder(header)
        case .glb: return try GLBEncoder(header, triangleCount: mesh.triangleCount, texture: texture)
        case .usdz, .pcd, .las: throw .noMeshesInFormat(self)
        }
    }
}

extension TriangleMesh {
    /// Writes a file in the format of the name's extension, surfaces in the colors of their vertices; `-` is standard output,
    /// as PLY.
    ///
    /// Throws ``OutputError`` when the extension is unknown, when the file exists and `replacingExisting` is not set, and
    /// when it cannot be written; ``CloudError`` when the format does not hold meshes. No file remains then.
    public func write(to path: String, replacingExisting: Bool = false, asText: Bool = false) throws {
        let format = try CloudFormat(writing: path)
        try write(
            to: OutputFile(path: path, replacesExisting: replacingExisting), as: format, isText: asText)
    }

    /// The bytes of the file that ``write(to:replacingExisting:asText:)`` writes in a format.
    ///
    /// Throws ``CloudError`` if the format does not hold meshes.
    public func encoded(as format: CloudFormat, asText: Bool = false) throws -> [UInt8] {
        try encodedFile(as: format, isText: asText, texture: [])
    }
}

extension MeshSource {
    /// Writes a mesh to a file or to standard output, in the colors of its vertices or with a texture, a JPEG file.
    ///
    /// Throws ``OutputError`` when it cannot be written, and ``CloudError`` when the format does not hold meshes.
    package func write(
        to file: OutputFile, as format: CloudFormat, isText: Bool = false, texture: [UInt8] = []
    ) throws {
        if format == .usdz {
            return try file.write(bytes: try encodedFile(as: .usdz, isText: false, texture: texture))
        }
        guard format == .obj, !texture.isEmpty else {
            let encoder = try format.meshEncoder(self, isText: isText, texture: texture)
            return try file.writeInOrder { (descriptor) throws(WriteError) in
                try write(with: encoder, to: descriptor)
            }
        }
        let names = MaterialFiles(besideFile: file.path)
        let encoder = OBJEncoder(vertices.header, materialLibrary: names.libraryName)
        let library = OBJEncoder.materialLibrary(texture: names.textureName)
        let companions = [(names.libraryPath, library), (names.texturePath, texture)].map { path, bytes in
            Companion(file: OutputFile(path: path, replacesExisting: file.replacesExisting), bytes: bytes)
        }
        try file.write(with: companions) { (descriptor) throws(WriteError) in
            try write(with: encoder, to: descriptor)
        }
    }

    /// The bytes of a file; `texture` is a JPEG file for formats that embed one.
    fileprivate func encodedFile(as format: CloudFormat, isText: Bool, texture: [UInt8]) throws -> [UInt8] {
        if format == .usdz { return try USDZPackage(self, texture: texture).bytes }
        let encoder = try format.meshEncoder(self, isText: isText, texture: texture)
        var bytes: [UInt8] = []
        write(with: encoder) { bytes += $0 }
        return bytes
    }

    private func write(with encoder: any MeshEncoder, to descriptor: Int32) throws(WriteError) {
        try write(with: encoder) { (bytes) throws(WriteError) in try writeAll(bytes, to: descriptor) }
    }
}
