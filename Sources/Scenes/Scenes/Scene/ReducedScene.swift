internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Effects

extension DepthScene {
    /// The scene with its picture in 8-bit sRGB, and, if `longestSide` is given, no longer than that and with even sides, as
    /// movies need; depth and mattes keep their size. The picture is the original, if there is one, unless
    /// `origin` names another. Throws ``SceneError/noPicture``, and errors of
    /// ``showing(_:)``.
    package func reduced(
        toLongestSide longestSide: Int?, showing origin: PictureOrigin? = nil
    ) throws -> DepthScene {
        let (shown, _) = try showing(origin)
        let full = try shown.requireColorSize()
        let longest = max(full.width, full.height)
        func side(_ length: Int) -> Int {
            guard let longestSide else { return length }
            let scaled = longest > longestSide ? length * longestSide / longest : length
            return max(2, scaled & ~1)
        }
        let size = PixelSize(width: side(full.width), height: side(full.height))
        var description = shown.description
        (description.colorSize, description.originalSize) = (size, nil)
        return DepthScene(
            ComputedSource(description, over: shown) { id, request, plane in
                switch id {
                case .picture:
                    let picture = try shown.picture(atLeast: size)
                    plane = try DecodedPlane(
                        (picture ?? shown.color()).resized(toWidth: size.width, height: size.height)
                            .inSRGB.in8Bits)
                case .plane(.original, _): plane = DecodedPlane()
                default: return false
                }
                return true
            })
    }
}
