import PhotoBuilders
import PhotoWriting

/// Photos as phone makers other than Apple and Google write them: a small photo, and a raw depth plane behind it whose
/// codes are 255 minus those of the disparity plane.
struct VendorFiles {
    private let photo: Raster

    /// `photo` is the small one, upright.
    init(photo: Raster) {
        self.photo = photo
    }

    /// Every file by its name.
    func all() throws -> [(name: String, bytes: [UInt8])] {
        let level = try depth(.level)
        let turned = try depth(.turned)
        let original = SamsungTrailerBuilder.Block(
            type: 1, name: "DualShot_1", data: try JPEGEncoder.encode(photo, quality: 60))
        let dualShot = SamsungTrailerBuilder.dualShot(
            depth: level.samples, width: reduced(192), height: reduced(144))
        let time = SamsungTrailerBuilder.Block(
            type: 0x0A01, name: "Image_UTC_Data", data: Array("1735689600000".utf8))
        let singleShot = SamsungTrailerBuilder.singleShot(
            depth: turned.samples, width: reduced(192), height: reduced(144))
        let box = SamsungTrailerBuilder(blocks: dualShot + [time]).serialized()
        return [
            (
                "samsung-dualshot.jpg",
                try jpeg(.level) + SamsungTrailerBuilder(blocks: [original] + dualShot + [time]).serialized()
            ),
            (
                "samsung-singleshot.jpg",
                try jpeg(.turned) + SamsungTrailerBuilder(blocks: singleShot + [time]).serialized()
            ),
            ("samsung.heic", try SpatialHEIC.plain(photo, exif: Posture.level.exif) + Self.box("sefd", box)),
            (
                "huawei-edof.jpg",
                try jpeg(.turned) + JPEGEncoder.encode(Posture.turned.stored(photo), quality: 60)
                    + turned.huawei(quarterTurns: 3)
            ),
            ("xiaomi-pmpd.jpg", try jpeg(.level) + level.xiaomi()),
            ("vivo.jpg", try jpeg(.level) + level.vivo()),
            ("oppo.jpg", try jpeg(.level) + level.oppo()),
        ]
    }

    private func depth(_ posture: Posture) throws -> VendorDepthBlock {
        let raster = try Plane.disparity(posture).raster
        return VendorDepthBlock(
            samples: raster.samples.map { 255 - $0 }, width: UInt16(raster.width),
            height: UInt16(raster.height))
    }

    private func jpeg(_ posture: Posture) throws -> [UInt8] {
        try AppleJPEG.file(photo: photo, planes: [], posture: posture, quality: 80)
    }

    private static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
        let size = UInt32(payload.count + 8)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array(type.utf8) + payload
    }
}
