internal import Compositing
public import DepthCore
internal import ImageCodecs

extension PictureFile {
    /// The picture as a matte: its opacity where it has some, else its gray.
    public func matte() throws -> Matte {
        hasAlpha ? Matte(opacityOf: try translucentImage()) : Matte(grayOf: try image())
    }
}
