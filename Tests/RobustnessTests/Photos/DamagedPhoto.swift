import Bytes
import DepthTypes
import Embedded
import Foundation
import PhotoFormats
import RasterFormats
import Scenes
import TestSupport
import Testing

/// What the library reads of a damaged photo.
struct DamagedPhoto {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private func open() throws -> DepthPhoto { try DepthPhoto(MemorySource(bytes)) }

    /// The record of `info --json`.
    func info(sourceLocation: SourceLocation = #_sourceLocation) throws -> [String: Any] {
        let record = Data(try DepthScene(open()).record(path: "damaged.heic").serialized.utf8)
        return try #require(
            try JSONSerialization.jsonObject(with: record) as? [String: Any], sourceLocation: sourceLocation)
    }

    /// A plane in the record.
    func plane(_ kind: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> [String: Any] {
        let planes = try info(sourceLocation: sourceLocation).objects("planes")
        return try #require(planes.first { $0.text("kind") == kind }, sourceLocation: sourceLocation)
    }

    /// Expects that a plane cannot be read, for a reason that contains `words`.
    func expectFailure(
        of plane: String?, _ words: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let error = #expect(throws: (any Error).self, sourceLocation: sourceLocation) {
            try extract(plane, sourceLocation: sourceLocation)
        }
        #expect(
            error.map { "\($0)" }?.contains(words) == true, "\(error as Any)", sourceLocation: sourceLocation)
    }

    /// A plane as a file, which another library reads. `nil` is the depth, and `photo` the picture.
    @discardableResult
    func extract(
        _ plane: String?, as quantity: DepthQuantity? = nil, _ style: PlaneExport.PNGStyle = .normalized,
        format: RasterFormat = .png, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> RasterFile {
        let photo = DepthScene(try open())
        let raster =
            if plane == "photo" {
                try photo.exportPhoto(frame: .upright, keepsHDR: false)
            } else {
                try photo.export(
                    try description(plane, of: photo),
                    as: PlaneExport(format: format, quantity: quantity, pngStyle: style)
                ).raster
            }
        let folder = TemporaryFolder()
        let path = folder.file("plane.\(format.rawValue)")
        try OutputFile(path: path, replacesExisting: false).write { (descriptor) throws(WriteError) in
            try raster.write(as: format, to: descriptor)
        }
        return try RasterFile(path)
    }

    private func description(_ name: String?, of photo: DepthScene) throws -> PlaneDescription {
        guard let name else { return try photo.description.requirePlane(nil) }
        let kind = try #require(PlaneKind(rawValue: name))
        return try photo.description.requirePlane(kind)
    }
}
