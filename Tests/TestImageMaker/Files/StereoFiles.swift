import PhotoBuilders
import PhotoWriting

/// Stereo pairs in every container that has them.
struct StereoFiles {
    private let left: Raster
    private let right: Raster

    /// Two pictures of one size, upright.
    init(left: Raster, right: Raster) {
        self.left = left
        self.right = right
    }

    /// Every file by its name.
    func all() throws -> [(name: String, bytes: [UInt8])] {
        let disparity = try JPEGEncoder.encode(try Plane.disparity(.level).raster, quality: 100)
        let leia = LeiaTrailerBuilder(views: [
            .init(picture: nil, disparity: disparity),
            .init(picture: try JPEGEncoder.encode(right, quality: 80), disparity: nil),
        ])
        return [
            (
                "stereo.mpo",
                try StereoJPEG.multiPicture(
                    left: picture(left), right: picture(right), baseline: StereoScene.baseline)
            ),
            (
                "stereo-marked.jpg",
                try StereoJPEG.sideBySide(picture(StereoScene.sideBySide(left, right)), leftFirst: true)
            ),
            (
                "stereo-crosseyed.jps",
                try MultiPictureJPEG(primary: picture(StereoScene.sideBySide(right, left))).serialized()
            ),
            ("leia-lif.jpg", try MultiPictureJPEG(primary: picture(left)).serialized() + leia.serialized()),
            ("spatial.heic", try SpatialHEIC.file(left: left, right: right, asUUID: false)),
            ("spatial-uuid.heic", try SpatialHEIC.file(left: left, right: right, asUUID: true)),
        ]
    }

    private func picture(_ raster: Raster) throws -> MultiPictureJPEG.Picture {
        MultiPictureJPEG.Picture(
            jpeg: try JPEGEncoder.encode(raster, quality: 80), exif: try Posture.level.exif.serialized(),
            iccProfile: ICCProfile.displayP3)
    }
}
