import PhotoBuilders
import PhotoWriting

/// A HEIC whose depth has 16 bits, as capture apps write it: an item `jpeg`, coded as lossless JPEG. Neither `pixi` nor
/// `IntMaxValue` tells the number of bits.
enum LosslessHEIC {
    static func file(_ photo: Raster) throws -> [UInt8] {
        let range = Plane.distanceRange
        let raster = Render.deepPlane(
            width: reduced(192), height: reduced(144), bitDepth: 16, Render.distanceShare)
        let stream = try LosslessJPEGEncoder(
            width: raster.width, height: raster.height, bitDepth: 16, predictor: 7, samples: raster.samples
        ).serialized()
        let info = PixelDataInfo(
            auxiliaryImageType: "depth", nativeFormat: "hdep", storedFormat: "L016", valueRange: range)
        let data = DepthDataInfo(accuracy: .absolute, calibration: Posture.level.calibration)
        let meaning = DepthRepresentationEncoder(.distance, zNear: range.lowerBound, zFar: range.upperBound)
        return try SpatialHEIC.plain(photo, exif: Posture.level.exif) { file, primary in
            let item = file.add(
                HEIFItem(
                    type: "jpeg", isHidden: true, payload: .mediaData(stream),
                    properties: [
                        .imageSpatialExtents(width: reduced(192), height: reduced(144)),
                        try .auxiliaryType(
                            "urn:mpeg:hevc:2015:auxid:2", subtype: try meaning.auxiliarySubtype()),
                    ]))
            file.addReference(.auxiliary, from: item, to: [primary])
            let packet = XMPPacketBuilder(try data.properties() + info.properties())
            let metadata = file.add(.xmp(try packet.serialized()))
            file.addReference(.contentDescription, from: metadata, to: [item])
        }
    }
}
