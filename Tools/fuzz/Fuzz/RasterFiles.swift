import Bytes
import Codecs
import DepthMaps

@testable import Scenes

/// Writes the depth of a photo as a raster in every format, and the photo itself in those that hold color.
func writeRasters(of path: String, to folder: String) throws {
    let photo = try DepthPhoto(contentsOf: path)
    let plane = try photo.describe().requirePlane(nil)
    for format in RasterFormat.allCases {
        let raster = try DepthScene(photo).export(plane, as: PlaneExport(format: format)).raster
        try writeFile(
            bytesWritten { (descriptor) throws(WriteError) in
                try raster.write(as: format, to: descriptor)
            },
            to: "\(folder)/depth.\(format.fileExtension)")
    }
    let picture = Raster(try photo.image())
    for (format, ending) in [(PictureFormat.png, "png"), (.tiff, "tiff")] {
        try writeFile(
            bytesWritten { (descriptor) throws(WriteError) in
                try picture.write(as: format, quality: 90, to: descriptor)
            }, to: "\(folder)/color.\(ending)")
    }
    guard case .uint8(let codes) = try photo.codes(of: plane, frame: .stored).codes else { return }
    let size = "\(plane.width) \(plane.height)"
    try writeFile(Array("P5 \(size) 255\n".utf8) + codes, to: "\(folder)/depth.pgm")
    try writeFile(
        Array("P5\n# deep\n\(size)\n65535\n".utf8) + codes.flatMap { [$0, $0] }, to: "\(folder)/deep.pgm")
    try writeFile(
        Array("P6 \(size) 255\n".utf8) + codes.flatMap { [$0, $0, $0] }, to: "\(folder)/color.ppm")
}
