internal import Bytes
internal import DepthTypes

extension HEIFContainer {
    /// The thumbnails of the photo: items with a reference of type `thmb` to it (ISO/IEC 23008-12 §6.4.4).
    func previews() -> [CodedView] {
        var seen: Set<Int> = []
        return file.references.compactMap { reference in
            guard reference.type == "thmb", reference.to.contains(file.primaryItem),
                seen.insert(reference.from).inserted, seen.count <= file.limits[.images],
                let shape = try? images.shape(ofItem: reference.from), shape.readError == nil
            else { return nil }
            var preview = CodedView(
                location: .heifItem(reference.from), codedWidth: shape.codedWidth,
                codedHeight: shape.codedHeight, crop: shape.crop)
            preview.orientation = shape.orientation ?? .up
            preview.colorProfile = shape.colorProfile.map { [$0] } ?? []
            return preview
        }
    }
}
