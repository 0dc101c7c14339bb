import PhotoWriting

/// A photo and its depth without a word that they are: side by side in one JPEG, and in two files. White is near.
enum DepthPairs {
    static func files(_ photo: Raster) throws -> [(name: String, bytes: [UInt8])] {
        let large = Render.plane(width: photo.width, height: photo.height, Render.disparityShare)
        let gray = Raster(width: large.width, height: large.height, channels: 3) { x, y in
            [UInt8](repeating: large[x, y].first ?? 0, count: 3)
        }
        let joined = try JPEGEncoder.encode(StereoScene.sideBySide(photo, gray), quality: 90)
        return [
            ("side-by-side.jpg", try MultiPictureJPEG(primary: picture(joined)).serialized()),
            (
                "pair.jpg",
                try MultiPictureJPEG(primary: picture(JPEGEncoder.encode(photo, quality: 80))).serialized()
            ),
            ("pair_depth.png", try PNGEncoder.encode(Plane.disparity(.level).raster)),
        ]
    }

    private static func picture(_ jpeg: [UInt8]) throws -> MultiPictureJPEG.Picture {
        MultiPictureJPEG.Picture(
            jpeg: jpeg, exif: try Posture.level.exif.serialized(), iccProfile: ICCProfile.displayP3)
    }
}
