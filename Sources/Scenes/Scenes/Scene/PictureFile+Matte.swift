internal import Codecs
package import DepthMaps
internal import Effects

extension PictureFile {
    /// The picture as a matte: its opacity if it has any, else its gray.
    package func matte() throws -> Matte {
        hasAlpha ? Matte(opacityOf: try translucentImage()) : Matte(grayOf: try image())
    }
}
