internal import Bytes
internal import DepthTypes

extension HEIFContainer {
    /// Describes the gain map of the photo's tone-mapped image, unless it is an auxiliary item as well.
    mutating func describeToneMap() {
        guard let id = toneMap, let map = file.targets(of: "dimg", from: id).last,
            !planes.contains(where: { $0.location == .heifItem(map) })
        else { return }
        do throws(ContainerError) {
            let shape = try images.shape(ofItem: map)
            diagnostics += shape.diagnostics
            var plane = AuxiliaryPlane(
                kind: .gainMap, width: shape.width, height: shape.height, codedWidth: shape.codedWidth,
                codedHeight: shape.codedHeight, bitDepth: shape.bitDepth, codec: codec(ofItem: map),
                carrier: .heifToneMap, type: "tmap", location: .heifItem(map), crop: shape.crop,
                readError: shape.readError)
            plane.belongsToPhoto = true
            plane.hasDeclaredRange = shape.codedColor != nil || plane.codec == "av1"
            plane.orientation = shape.orientation ?? photo.orientation
            planes.append(plane)
        } catch {
            diagnostics.append(error)
        }
    }

    /// The tone-mapped image whose first input is the photo and whose second is the gain map.
    private var toneMap: Int? {
        file.references.lazy.filter { $0.type == "dimg" && $0.to.count == 2 }
            .first { [file] in $0.to.first == file.primaryItem && file.item($0.from)?.type == "tmap" }?.from
    }

    /// The parameters in the tone-mapped image, after the version of their form (a byte, 0).
    func gainMapBlock(of plane: AuxiliaryPlane) throws(ContainerError) -> MetadataBlock {
        guard plane.carrier == .heifToneMap, let id = toneMap else { return MetadataBlock() }
        let (bytes, offset) = try file.data(ofItem: id, limit: .metadataBytes)
        guard bytes.first == 0 else {
            throw ContainerError(
                .unsupported(feature: "version \(bytes.first ?? 0) of tone-mapped images"), at: offset,
                in: StructurePath("tmap"))
        }
        return MetadataBlock(bytes: Array(bytes.dropFirst()), offset: offset + 1)
    }
}
