internal import Bytes
internal import Codecs
internal import DepthMaps
internal import Geometry

/// The texture of a mesh: a photo, and the picture of its back layer beside it.
struct MeshTexture {
    /// A JPEG file.
    let file: [UInt8]
    /// The part that shows the photo.
    let front: TextureArea
    /// The part that shows the back layer; empty without one.
    let back: TextureArea

    /// The back layer is smooth: the photo is this many times as wide and as high.
    static let backShare = 4

    /// A texture of some pixels, sRGB. `front` and `back` are the sizes of its parts, the front at the upper left; `nil` if the
    /// texture is only the front.
    init(
        _ pixels: [RGB<UInt8>], width: Int, height: Int, front: SIMD2<Int>? = nil,
        backCorner: SIMD2<Int> = .zero, back: SIMD2<Int> = .zero
    ) throws(WriteError) {
        let raster = Raster(width: width, height: height, samples: .color(.uint8(pixels)))
        file = try bytesWritten { (descriptor) throws(WriteError) in
            try raster.writeJPEG(to: descriptor)
        }
        func share(_ size: SIMD2<Int>) -> SIMD2<Float> {
            SIMD2(Float(size.x) / Float(width), Float(size.y) / Float(height))
        }
        self.front = TextureArea(size: share(front ?? SIMD2(width, height)))
        self.back = TextureArea(origin: share(backCorner), size: share(back))
    }
}
