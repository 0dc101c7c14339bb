internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
public import Scenes

extension DepthScene {
    /// Writes a JPEG photo of the scene that carries its depth, and its mattes if the form holds them. `quality` is for the
    /// picture, 1…100. The file is complete or missing, never partial.
    ///
    /// The picture is recoded, upright. To keep the bytes of a photo file, use ``PhotoEditor``.
    ///
    /// Throws ``SceneError/noPicture`` without a picture, an error if the depth cannot be coded, ``PhotoEditingError`` for
    /// `apple-heic`, and ``OutputError``.
    public func write(
        to path: String, as form: DepthForm, quality: Int = 92, replacingExisting: Bool = false
    ) throws {
        var edit = PhotoEdit(form: form)
        edit.depth = try coded(form.adapted(DepthCoding()))
        if form.holdsMattes {
            for kind in Set(description.planes) where kind.isMatte {
                if let matte = try matte(kind) { edit.mattes.append(.init(kind: kind, matte: matte)) }
            }
            edit.mattes.sort { $0.kind.rawValue < $1.kind.rawValue }
        }
        let picture = try color()
        var raster = Raster(picture.in8Bits)
        raster.metadata = metadata().blocks
        if raster.metadata.exif.isEmpty {
            raster.metadata.exif = try madeExif(for: picture, orientation: .up)
        }
        let photo = try bytesWritten { (descriptor) throws(WriteError) in
            try raster.writeJPEG(to: descriptor, quality: quality)
        }
        try PhotoEditor(edit.apply(to: photo).bytes).write(to: path, replacingExisting: replacingExisting)
    }
}
